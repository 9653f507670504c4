"""Reading the body of a request: whole, as JSON, and strictly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request
from fastapi.routing import APIRoute
from pydantic_core import from_json
from starlette.responses import Response

from tricolore.web.problems import ApiError

_SECONDS = 30.0
"""How long a body may take to arrive."""


class JsonRequest(Request):
    """A request whose body is JSON as the standard has it."""

    async def body(self) -> bytes:
        """The whole body, unless it comes too slowly."""
        try:
            async with asyncio.timeout(_SECONDS):
                return await super().body()
        except TimeoutError:
            raise ApiError(408, f"the body took longer than {_SECONDS:g} s to arrive") from None

    async def json(self) -> Any:
        """The values of the body: no NaN, no half of a surrogate pair, no deep nesting."""
        try:
            return from_json(await self.body(), allow_inf_nan=False)
        except (ValueError, RecursionError) as error:
            words = str(error).partition(" at line")[0]
            raise ApiError(422, f"the body is not sound JSON: {words}") from None


class JsonRoute(APIRoute):
    """An endpoint that takes JSON, if it takes anything."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The usual handler, with a stricter request."""
        usual = super().get_route_handler()
        takes_body = self.body_field is not None

        async def handle(request: Request) -> Response:
            if takes_body:
                _check_type(request)
            return await usual(JsonRequest(request.scope, request.receive))

        return handle


def _check_type(request: Request) -> None:
    kind, _, parameters = request.headers.get("content-type", "").partition(";")
    charset = parameters.replace(" ", "").lower()
    if kind.strip().lower() != "application/json" or charset not in ("", "charset=utf-8"):
        raise ApiError(415, "the body must be of the type application/json, in UTF-8")
