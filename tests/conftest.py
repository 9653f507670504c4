"""What several tests use: the judged sets, where they are at hand."""

from __future__ import annotations

import gzip
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests.browser import Pages, chromium
from tricolore import Example
from tricolore.models import placement

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# How long an example takes depends on the machine, and on what is imported with it.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

REPO = Path(__file__).parents[1]
DATA = Path(os.environ.get("TRICOLORE_DATA", REPO.parent / "shared" / "data"))


def _judged(name: str) -> list[dict[str, Any]]:
    path = DATA / f"{name}.jsonl.gz"
    if not path.is_file():
        # The texts belong to their publishers and are not part of the project.
        pytest.skip(f"the human-judged set {path} is not on this machine (TRICOLORE_DATA)")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def pytest_configure() -> None:
    """Let commands under test obey signals, also when pytest itself was started by nohup."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where everything was installed, a test that misses something is an error (`.ci/run`)."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not os.environ.get("TRICOLORE_ALL_TESTS") or reporter is None:
        return
    reasons = {str(report.longrepr[2]) for report in reporter.stats.get("skipped", ())}
    if missed := sorted(reason for reason in reasons if "human-judged set" not in reason):
        reporter.write_line("These tests may not be skipped here:", red=True)
        for reason in missed:
            reporter.write_line(f"  {reason}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def to_example(row: dict[str, Any]) -> Example:
    return Example(
        source=row["source"],
        summary=row["summary"],
        references=row.get("references", ()),
        doc_id=row["doc_id"],
        system=row["system"],
        human=row["human"],
    )


@pytest.fixture(autouse=True)
def no_placement_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that runs in this process places its models for the whole process."""
    monkeypatch.setattr(placement, "_of_process", None)


@pytest.fixture(scope="session")
def summeval() -> list[dict[str, Any]]:
    """SummEval as it stands in the file: 100 articles × 16 systems."""
    return _judged("summeval")


@pytest.fixture(scope="session")
def newsroom() -> list[dict[str, Any]]:
    """The Newsroom human evaluation: 60 articles × 7 systems."""
    return _judged("newsroom")


@pytest.fixture(scope="session")
def cnndm555() -> list[dict[str, Any]]:
    """The BLANC paper's pairs of CNN / Daily Mail: 555 articles, a judged summary each."""
    return _judged("cnndm555")


@pytest.fixture(scope="session")
def summeval_examples(summeval: list[dict[str, Any]]) -> list[Example]:
    return [to_example(row) for row in summeval]


@pytest.fixture(scope="session")
def newsroom_examples(newsroom: list[dict[str, Any]]) -> list[Example]:
    return [to_example(row) for row in newsroom]


@pytest.fixture
def examples_file() -> Path:
    """The example set that the project bundles."""
    return REPO / "examples" / "summaries.jsonl"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A real chromium.

    One per module, not per session: while it runs, no test can use `asyncio.run`.
    """
    with chromium() as found:
        yield found


@pytest.fixture
def pages(browser: Browser) -> Iterator[Pages]:
    """Opens pages, and closes them after the test."""
    opened = Pages(browser)
    yield opened
    opened.close()
