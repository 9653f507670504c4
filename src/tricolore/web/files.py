"""The files of the pages: those of the explorer, and those that it shares with the report."""

from __future__ import annotations

from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable

from fastapi import Request
from starlette.responses import Response

from tricolore.web.problems import ApiError

_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
    "ico": "image/x-icon",
}
"""The types of files that are sent; templates and modules are not."""


def file_answer(request: Request, name: str) -> Response:
    """The answer to a request for a file of a page.

    The name is looked for among those that are there, so it cannot lead anywhere else.
    """
    kind = _TYPES.get(name.rpartition(".")[2])
    found = _found(name) if kind else None
    if found is None or kind is None:
        raise ApiError(404, "there is no such file")
    content = found.read_bytes()
    tag = f'"{blake2b(content, digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)


def _found(name: str) -> Traversable | None:
    own = files("tricolore.web")
    for directory in (own / "page", files("tricolore.report") / "page", own):
        if directory.is_dir():
            for path in directory.iterdir():
                if path.name == name and path.is_file():
                    return path
    return None
