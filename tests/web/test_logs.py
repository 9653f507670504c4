"""Log lines are JSON, and have nothing of a user."""

import io
import json
import logging

import pytest

from tricolore.web.logs import JsonLines, log_as_json


def record(**more):
    made = logging.LogRecord("tricolore.x", logging.WARNING, __file__, 1, "%d rows", (3,), None)
    for name, value in more.items():
        setattr(made, name, value)
    return made


def test_a_line():
    plain = json.loads(JsonLines().format(record(fields={"status": 200, "ms": 1.5})))
    assert plain.pop("time")
    assert plain == {
        "level": "warning",
        "logger": "tricolore.x",
        "message": "3 rows",
        "status": 200,
        "ms": 1.5,
    }


def test_an_exception_is_logged_without_its_message():
    """It may repeat what a user has written."""
    import sys

    try:
        raise ValueError("what a user has written")
    except ValueError:
        line = JsonLines().format(record(exc_info=sys.exc_info()))
    plain = json.loads(line)
    assert plain["exception"] == "ValueError"
    assert plain["where"][-1].endswith("test_an_exception_is_logged_without_its_message")
    assert "what a user" not in line


def test_a_line_is_one_line_whatever_is_in_it():
    made = logging.LogRecord("x", logging.INFO, __file__, 1, "a\n\x1b[31m\u2028b", (), None)
    assert len(JsonLines().format(made).splitlines()) == 1


@pytest.fixture
def loggers():
    names = ("tricolore", "uvicorn", "uvicorn.error")
    before = {n: (logging.getLogger(n).handlers, logging.getLogger(n).level) for n in names}
    propagates = {n: logging.getLogger(n).propagate for n in names}
    yield
    for name, (handlers, level) in before.items():
        logging.getLogger(name).handlers = handlers
        logging.getLogger(name).setLevel(level)
        logging.getLogger(name).propagate = propagates[name]


def test_the_library_and_the_web_server_log_once(loggers, monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    log_as_json()
    logging.getLogger("tricolore.web").info("one")
    logging.getLogger("uvicorn.error").info("two")
    lines = [json.loads(line)["message"] for line in stream.getvalue().splitlines()]
    assert lines == ["one", "two"]
