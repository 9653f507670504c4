"""The bar that follows a run."""

import io
import time

import pytest

from tricolore.report import progress
from tricolore.report.progress import RowProgress, counted, shown, watched
from tricolore.report.terminal import SafeConsole


def drawn(monkeypatch, items, total):
    """What passes, and all lines of the bar."""
    out = SafeConsole(force_terminal=True, width=110, file=io.StringIO())
    monkeypatch.setattr(progress, "console", lambda stderr: out)
    passed = list(watched(items, total))
    return passed, [line for line in out.file.getvalue().split("\r") if "rows" in line]


def test_what_passes_is_counted(monkeypatch):
    passed, lines = drawn(monkeypatch, "abc", lambda: 4)
    assert passed == ["a", "b", "c"]
    assert "0 of 4 rows" in lines[0]  # before the first is done
    assert "3 of 4 rows" in lines[-1]
    assert "╸" in lines[-1] or "╺" in lines[-1]  # three quarters
    passed, lines = drawn(monkeypatch, "abcd", lambda: 4)
    assert "╸" not in lines[-1]
    assert "╺" not in lines[-1]
    _, lines = drawn(monkeypatch, "ab", lambda: None)
    assert "2 rows" in lines[-1]


@pytest.fixture
def stderr(monkeypatch):
    """Standard error that is not a terminal, with a line as often as possible."""
    out = SafeConsole(force_terminal=False, width=200, file=io.StringIO())
    monkeypatch.setattr(progress, "console", lambda stderr: out)
    monkeypatch.setattr(progress, "LOG_SECONDS", 0.01)
    return out.file


def wait_for(stream, words):
    deadline = time.monotonic() + 20
    while words not in stream.getvalue():
        assert time.monotonic() < deadline, stream.getvalue()
        time.sleep(0.01)


@pytest.mark.parametrize("mode", ["auto", "log"])
def test_off_a_terminal_there_are_lines(stderr, mode):
    items = watched("abcd", lambda: 4, mode, has_problem=lambda item: item in "bc")
    for _ in range(3):
        next(items)
    wait_for(stderr, "scoring: 3 of 4 rows")
    wait_for(stderr, "2 problems")
    wait_for(stderr, " left")
    assert list(items) == ["d"]


@pytest.mark.parametrize("mode", ["off", "bar"])
def test_nothing_is_shown(stderr, mode):
    assert list(watched("abcd", lambda: 4, mode)) == list("abcd")
    with counted("training", 3, mode) as advance:
        advance()
    time.sleep(0.05)
    assert stderr.getvalue() == ""


def test_a_log_on_a_terminal_has_no_bar(monkeypatch):
    out = SafeConsole(force_terminal=True, width=110, file=io.StringIO())
    monkeypatch.setattr(progress, "console", lambda stderr: out)
    assert list(watched("abcd", lambda: 4, "log")) == list("abcd")
    assert out.file.getvalue() == ""  # not yet a minute


def test_a_long_row_says_what_is_being_done(stderr, monkeypatch):
    monkeypatch.setattr(progress, "_LONG", 0.0)
    items = watched("ab", lambda: 2, "log", working=lambda: "grounding")
    next(items)
    wait_for(stderr, "row 2: grounding for 0 s")
    list(items)


def test_steps_are_not_rows(stderr):
    with counted("training", 3, "log") as advance:
        advance()
        wait_for(stderr, "training: 1 of 3")


def test_rows_that_were_done_before_have_no_rate():
    rows = RowProgress(total=lambda: 100, done=90)
    time.sleep(0.01)
    assert rows.rate == 0
    assert rows.left() == ""
    rows.update(95, 1)
    assert 0 < rows.rate <= 500
    assert rows.describe().startswith("95 of 100 rows, ")
    assert rows.describe().endswith("1 problem")
    assert rows.left().count(":") == 2


def test_slow_rows_are_told_in_seconds_per_row(monkeypatch):
    rows = RowProgress()
    rows.update(1)
    rows._began -= 7
    assert rows.describe() == "1 rows, 7 s per row"


def test_what_is_shown_ends_with_its_block(stderr):
    with shown(RowProgress(), "log"):
        wait_for(stderr, "scoring: 0 rows")
    before = stderr.getvalue()
    time.sleep(0.05)
    assert stderr.getvalue() == before
