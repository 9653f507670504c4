"""Errors as answers: `{"problem", "hint", "argument"}` with a status that fits."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import HTTPException, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.responses import Response

from tricolore.errors import TricoloreError, Unavailable
from tricolore.web.scheduler import QueueFullError

_LONGEST = 1000
"""Characters of a problem that are sent back; what was given may be part of it."""


class ApiError(HTTPException):
    """An answer that is an error, with its status."""

    def __init__(
        self,
        status: int,
        problem: str,
        hint: str = "",
        *,
        argument: str = "",
        retry_after: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        sent = dict(headers or {})
        if retry_after is not None:
            sent["Retry-After"] = str(retry_after)
        super().__init__(status, problem, sent)
        self.plain = problem_json(problem, hint, argument)


class JsonAnswer(Response):
    """Plain values as JSON. Unlike the usual response it refuses NaN, which JSON does not have."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes of the body."""
        return json_bytes(content)


def json_bytes(content: Any) -> bytes:
    """Plain values as JSON in UTF-8."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8")


def problem_json(problem: str, hint: str = "", argument: str = "") -> dict[str, str]:
    """The body of an error."""
    return {"problem": _cut(problem), "hint": _cut(hint), "argument": _cut(argument)}


def _cut(text: str) -> str:
    words = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return words.encode("utf-8", "replace").decode()


def api_error(error: TricoloreError) -> ApiError:
    """An error of ours as an answer."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, QueueFullError):
        return ApiError(503, error.problem, error.hint, retry_after=error.retry_after)
    if isinstance(error, Unavailable):
        return ApiError(503, error.problem, error.hint, argument=error.argument, retry_after=5)
    return ApiError(422, error.problem, error.hint, argument=error.argument)


def validation_error(errors: Sequence[Mapping[str, Any]]) -> ApiError:
    """What is wrong with the first value that does not fit, and how many there are."""
    first = errors[0]
    where = ".".join(map(str, first["loc"][1:] if first["loc"][:1] == ("body",) else first["loc"]))
    words = str(first["msg"])
    words = f"{words[:1].lower()}{words[1:]}"
    hint = f"{len(errors)} values do not fit; this is the first" if len(errors) > 1 else ""
    problem = f"{_cut(where)}: {words}" if where else f"the request: {words}"
    return ApiError(422, problem, hint, argument=where)


def answer_to(error: ApiError) -> JsonAnswer:
    """An error as a response."""
    return JsonAnswer(error.plain, error.status_code, error.headers)


async def on_error(request: Request, error: Exception) -> Response:
    """The response to any error that an endpoint raises on purpose."""
    if isinstance(error, RequestValidationError):
        return answer_to(validation_error(error.errors()))
    if isinstance(error, TricoloreError):
        return answer_to(api_error(error))
    if isinstance(error, ApiError):
        return answer_to(error)
    assert isinstance(error, StarletteHTTPException)
    words = {404: "there is nothing at this address", 405: "this address has no such method"}
    problem = words.get(error.status_code, str(error.detail))
    return JsonAnswer(problem_json(problem), error.status_code, error.headers)
