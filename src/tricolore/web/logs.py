"""Logs as JSON lines on standard error. They have no text of a user, no token and no query."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from traceback import extract_tb
from typing import Any

REQUESTS = logging.getLogger("tricolore.web.requests")
"""One record per request; what it is about is in `extra={"fields": …}`."""


class JsonLines(logging.Formatter):
    """A record as one line of JSON.

    Of an exception it has the type and the places in the code, not the message: the message of an
    error may repeat what a user has written.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        plain: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        plain |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[0]:
            kind, _, trace = record.exc_info
            plain["exception"] = kind.__name__
            frames = extract_tb(trace)[-_FRAMES:]
            plain["where"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        return json.dumps(plain, ensure_ascii=True)


_FRAMES = 10
"""The places in the code that are logged of an exception: the last ones."""


def log_as_json(level: int = logging.INFO) -> None:
    """Let the library and the web server log to standard error as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("tricolore", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [handler] if "." not in name else []
        logger.setLevel(level)
        logger.propagate = "." in name
