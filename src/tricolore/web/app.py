"""The application: pages, the JSON API, and what operators ask for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp

from tricolore.errors import TricoloreError
from tricolore.web.files import file_answer
from tricolore.web.guard import Guard
from tricolore.web.messages import ProblemOut
from tricolore.web.problems import ApiError, JsonAnswer, on_error
from tricolore.web.reference import reference_page
from tricolore.web.routes import api_routes, permalink_routes
from tricolore.web.service import Service

_THREADS = 2
"""Threads that check requests and write answers."""


def make_app(service: Service) -> ASGIApp:
    """The application of a service; its workers start and end with it."""
    from tricolore import __version__

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # Few threads: each that computes makes the event loop wait for Python's global lock.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(_THREADS))
        service.start()
        try:
            yield
        finally:
            service.stop()

    app = FastAPI(
        title="tricolore",
        version=__version__,
        description="Judges summaries, above all without references.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    for kind in (RequestValidationError, TricoloreError, ApiError, HTTPException):
        app.add_exception_handler(kind, on_error)
    app.include_router(api_routes(service))
    app.include_router(permalink_routes(service))
    app.include_router(_operation(service))
    app.include_router(_pages())

    @app.get("/docs", include_in_schema=False)
    async def docs() -> Response:
        """The documentation of the API."""
        return Response(reference_page(app.openapi()), media_type="text/html; charset=utf-8")

    return Guard(app, service)


def _operation(service: Service) -> APIRouter:
    router = APIRouter()

    @router.get("/healthz", summary="Whether the server runs")
    async def healthz() -> Response:
        """The process runs and answers."""
        return JsonAnswer({"status": "ok"})

    @router.get(
        "/readyz",
        summary="Whether the server can score",
        responses={503: {"model": ProblemOut, "description": "Not yet, or not any more."}},
    )
    async def readyz() -> Response:
        """The models are loaded, and the server is not shutting down."""
        if service.is_ready:
            return JsonAnswer({"status": "ready"})
        words = "the server is shutting down" if service.is_draining else "models are being loaded"
        raise ApiError(503, words, retry_after=1)

    @router.get("/metrics", summary="Figures for Prometheus", response_class=Response)
    async def metrics() -> Response:
        """Requests, latencies, the queue, batches and scores."""
        scheduler = service.scheduler
        text = service.meters.text(waiting=scheduler.waiting, is_ready=service.is_ready)
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    return router


def _pages() -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def explorer(request: Request) -> Response:
        """The explorer."""
        return file_answer(request, "index.html")

    @router.get("/p/{id}")
    async def permalink(request: Request, id: str) -> Response:
        """The explorer, which loads what the permalink holds."""
        return file_answer(request, "index.html")

    @router.get("/static/{name}")
    async def static(request: Request, name: str) -> Response:
        """A file of a page."""
        return file_answer(request, name)

    return router
