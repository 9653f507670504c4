"""The endpoints of the JSON API."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from tricolore.errors import TricoloreError
from tricolore.perturb.damage import Damaged
from tricolore.run.run import Scores
from tricolore.web.bodies import JsonRoute
from tricolore.web.comparing import check_systems_of, comparison_json
from tricolore.web.guard import NOTES
from tricolore.web.messages import (
    ComparedOut,
    CompareRequest,
    MeasureInfoOut,
    PermalinkOut,
    PerturbationOut,
    PerturbedOut,
    PerturbRequest,
    ProblemOut,
    ScoreRequest,
    ScoresOut,
)
from tricolore.web.permalinks import Permalinks
from tricolore.web.problems import ApiError, JsonAnswer, api_error, json_bytes
from tricolore.web.reporting import report_page
from tricolore.web.service import ScorePlan, Service, ShownScore, UnderWay, score_json

T = TypeVar("T")
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    401: {"model": ProblemOut, "description": "The token is missing or wrong."},
    403: {"model": ProblemOut, "description": "The request comes from a page of another site."},
    408: {"model": ProblemOut, "description": "The body comes too slowly."},
    413: {"model": ProblemOut, "description": "The request is too long or asks for too much."},
    415: {"model": ProblemOut, "description": "The body is not JSON."},
    421: {"model": ProblemOut, "description": "The Host header names another host."},
    422: {"model": ProblemOut, "description": "The request is malformed, or cannot be done."},
    429: {"model": ProblemOut, "description": "This client has too many requests under way."},
    503: {"model": ProblemOut, "description": "The queue is full, or the server is stopping."},
    504: {"model": ProblemOut, "description": "The request took too long."},
}
_PROBLEMS_OF_GET: dict[int | str, dict[str, Any]] = {code: _PROBLEMS[code] for code in (401, 421)}
_NO_PERMALINK = {"model": ProblemOut, "description": "There is no such permalink."}
_NO_PLACE = {"model": ProblemOut, "description": "There is no place for another permalink."}


def api_routes(service: Service) -> APIRouter:
    """The endpoints under /v1."""
    router = APIRouter(prefix="/v1", route_class=JsonRoute)

    @router.post("/score", response_model=ScoresOut, responses=_PROBLEMS, summary="Score examples")
    async def score(body: ScoreRequest, request: Request) -> Response:
        """Score examples by measures; all scores come at once."""
        plan = await _planned(service, request, body)
        results = await _all_scores(service, request, plan)
        return await asyncio.to_thread(_scores_answer, plan, results)

    @router.post(
        "/score/stream",
        response_class=StreamingResponse,
        responses={**_PROBLEMS, 200: {"content": {"application/x-ndjson": {}}}},
        summary="Score examples, one line per score",
    )
    async def stream(body: ScoreRequest, request: Request) -> Response:
        """Score examples; each score comes as a line of JSON as soon as it is ready."""
        plan = await _planned(service, request, body)
        under_way = service.begin(plan)
        return _ScoreLines(under_way, _lines(service, plan, under_way))

    @router.get(
        "/measures",
        response_model=list[MeasureInfoOut],
        responses=_PROBLEMS_OF_GET,
        summary="The measures that this server offers",
    )
    async def measures() -> Response:
        """Measures with their settings, for a form."""
        return JsonAnswer(await asyncio.to_thread(service.measures_json))

    @router.get(
        "/perturbations",
        response_model=list[PerturbationOut],
        responses=_PROBLEMS_OF_GET,
        summary="The kinds of damage that this server offers",
    )
    async def perturbations() -> Response:
        """Kinds of damage with their settings, for a form."""
        return JsonAnswer(await asyncio.to_thread(service.catalogue.perturbations_json))

    @router.post(
        "/perturb", response_model=PerturbedOut, responses=_PROBLEMS, summary="Damage a summary"
    )
    async def perturb(body: PerturbRequest, request: Request) -> Response:
        """Make a summary worse on purpose."""
        request.scope[NOTES] |= {"rows": 1, "characters": len(body.summary)}
        under_way = service.begin_damage(*await asyncio.to_thread(service.damaging, body))
        try:
            made = await _unless_gone(request, service.damaged(under_way))
        finally:
            under_way.close()
        if not isinstance(made, Damaged):
            raise ApiError(422, made.problem, argument="summary")
        changes = [
            {
                "start": edit.start,
                "end": edit.end,
                "label": edit.change.note or made.kind,
                "before": edit.original,
            }
            for edit in made.edits
        ]
        summary = made.example.summary
        return JsonAnswer({"summary": summary, "changes": changes, "problem": made.problem})

    @router.post(
        "/compare", response_model=ComparedOut, responses=_PROBLEMS, summary="Compare systems"
    )
    async def compare(body: CompareRequest, request: Request) -> Response:
        """Score the summaries of several systems, and test whether they differ."""
        plan = await _planned(service, request, body)
        check_systems_of(plan, service.limits.systems)
        results = await _all_scores(service, request, plan)
        async with service.comparing:
            found = await asyncio.to_thread(
                comparison_json, plan, results, alpha=body.alpha, seed=body.seed
            )
        return JsonAnswer(found)

    @router.post(
        "/report",
        response_class=Response,
        responses={**_PROBLEMS, 200: {"content": {"text/html": {"schema": {"type": "string"}}}}},
        summary="Score examples and make a report",
    )
    async def report(body: ScoreRequest, request: Request) -> Response:
        """Score examples; the answer is a self-contained HTML page, as `tricolore report` makes."""
        plan = await _planned(service, request, body.model_copy(update={"evidence": True}))
        results = await _all_scores(service, request, plan)
        async with service.comparing:
            page = await asyncio.to_thread(report_page, plan, results)
        as_file = {"Content-Disposition": 'attachment; filename="report.html"'}
        return HTMLResponse(page, headers=as_file)

    return router


def permalink_routes(service: Service) -> APIRouter:
    """The endpoints that keep requests and give them back."""
    router = APIRouter(prefix="/v1/permalinks", route_class=JsonRoute)

    def kept() -> Permalinks:
        if not service.permalinks:
            raise ApiError(404, "this server keeps no permalinks")
        return service.permalinks

    @router.post(
        "",
        status_code=201,
        response_model=PermalinkOut,
        responses={**_PROBLEMS, 404: _NO_PERMALINK, 507: _NO_PLACE},
        summary="Keep a request under a permalink",
    )
    async def keep(body: ScoreRequest, request: Request) -> Response:
        """Keep a request, such as one that the explorer has made, on this server."""
        place = kept()
        examples = service.examples(body.examples)
        if body.measures is not None:
            await asyncio.to_thread(service.named, body.measures)
        request.scope[NOTES] |= {"rows": len(examples)}
        plain = body.model_dump_json().encode("utf-8")
        id = await asyncio.to_thread(place.keep, plain)
        return JsonAnswer({"id": id, "path": f"/p/{id}"}, 201)

    @router.get(
        "/{id}",
        response_model=ScoreRequest,
        responses={**_PROBLEMS_OF_GET, 404: _NO_PERMALINK},
        summary="The request under a permalink",
    )
    async def find(id: str) -> Response:
        """What was kept under an id."""
        found = await asyncio.to_thread(kept().find, id)
        if found is None:
            raise ApiError(404, "there is no such permalink on this server")
        return Response(found, media_type="application/json")

    return router


async def _planned(
    service: Service, request: Request, body: ScoreRequest | CompareRequest
) -> ScorePlan:
    evidence = isinstance(body, ScoreRequest) and body.evidence
    plan = await asyncio.to_thread(service.plan, body.examples, body.measures, evidence=evidence)
    request.scope[NOTES] |= {"rows": len(plan.examples), "characters": plan.characters}
    return plan


async def _all_scores(service: Service, request: Request, plan: ScorePlan) -> list[Scores]:
    """The scores of a request, by row, when all are ready."""
    under_way = service.begin(plan)
    try:
        return await _unless_gone(request, service.scores(plan, under_way))
    finally:
        under_way.close()


async def _unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of some work, which is given up when the client has closed the connection."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientGoneError
        return await task
    finally:
        task.cancel()
        gone.cancel()


class ClientGoneError(ApiError):
    """The client has closed the connection: nobody reads this."""

    def __init__(self) -> None:
        super().__init__(499, "the client has closed the connection")


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _scores_answer(plan: ScorePlan, results: list[Scores]) -> Response:
    rows = [
        {
            "scores": {
                label: score_json(example, label, score, evidence=plan.evidence)
                for label, score in scores.items()
            }
        }
        for example, scores in zip(plan.examples, results, strict=True)
    ]
    return JsonAnswer({"measures": plan.measures_json, "results": rows})


async def _lines(service: Service, plan: ScorePlan, under_way: UnderWay) -> AsyncIterator[bytes]:
    yield json_bytes({"measures": plan.measures_json}) + b"\n"
    try:
        async for ready in service.shown(plan, under_way):
            yield await asyncio.to_thread(_score_lines, plan, ready)
    except (ApiError, TricoloreError) as error:
        known = error if isinstance(error, ApiError) else api_error(error)
        yield json_bytes(known.plain) + b"\n"
        return
    seconds = round(time.monotonic() - under_way.began, 3)
    yield json_bytes({"done": True, "seconds": seconds}) + b"\n"


def _score_lines(plan: ScorePlan, ready: list[ShownScore]) -> bytes:
    lines = []
    for one in ready:
        label = plan.measures[one.measure].label
        plain = score_json(plan.examples[one.row], label, one.score, evidence=plan.evidence)
        lines.append(json_bytes({"row": one.row, "measure": label, "score": plain}))
    return b"\n".join(lines) + b"\n"


class _ScoreLines(StreamingResponse):
    """Lines of scores. Whatever ends it, what is not begun yet is not done."""

    def __init__(self, under_way: UnderWay, lines: AsyncIterator[bytes]) -> None:
        super().__init__(lines, media_type="application/x-ndjson")
        self._under_way = under_way

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._under_way.close()
