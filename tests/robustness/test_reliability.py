"""The table of faults in the docs has exactly the faults that tests inject."""

from __future__ import annotations

from tools.reliability import PAGE, faults, renewed


def test_the_table_of_faults() -> None:
    """If this fails, run `python -m tools.reliability`."""
    page = PAGE.read_text(encoding="utf-8")
    assert "<!-- faults -->" in page
    assert renewed(page) == page


def test_there_are_20_faults_and_each_is_a_sentence() -> None:
    found = faults()
    assert len(found) >= 20
    assert len({fault.injected for fault in found}) == len(found)
    for fault in found:
        assert len(fault.injected.split()) > 3
        assert len(fault.outcome.split()) > 3
        assert not fault.outcome.endswith(".")
