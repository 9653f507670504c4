"""The bar that follows a run."""

import io

from tricolore.report import progress
from tricolore.report.progress import watched
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
