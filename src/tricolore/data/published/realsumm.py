"""REALSumm (Bhandari et al. 2020): 100 articles of CNN/DM × 25 systems, content units.

Read from a copy of the repository. Its collected scores are pickles, which are not opened here; the
workers' answers are CSV files, and the score is made from them: the share of the reference's
content units that most workers found in the summary; a tie counts as not found. This is the rule of
LitePyramids, whose scripts the authors used. The units are kept with what most workers said.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tricolore.data.annotations import Judged
from tricolore.data.published.parse import field, rows_of
from tricolore.errors import ReadError
from tricolore.example import ContentUnit, Example

ANSWERS = "human_annotations/SCUs_and_annotations"
TEXTS = "selected_docs_for_human_eval"
QUALITY = "litepyramid_recall"
SOURCES = "abs/ptr_generator/src.txt"
# The references beside the sources lack spaces between sentences (`aftershocks .pushpa`).
REFERENCES = "ext/bart/ref.txt"
# Extractive systems that are listed among the abstractive ones.
EXTRACTIVE = ("banditsumm_out", "neusumm_out")
_TAGS = re.compile(r"</?t>")


def read(path: Path) -> Iterator[Judged]:
    """One row per summary: systems in order of their files, documents in file order."""
    files = sorted((path / ANSWERS).glob("SCU_rating_results_*/*.csv"))
    if not files:
        raise ReadError(f"{path} is no copy of the REALSumm repository: no CSV in {ANSWERS}")
    texts = _texts(path / TEXTS)
    for file in files:
        kind = file.parent.name.removeprefix("SCU_rating_results_").removesuffix("_systems")
        answers: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows_of(file):
            answers[str(field(row, "Input.eventId", file))].append(row)
        for event, rows in answers.items():
            source, reference = texts.get(event, ("", ""))
            yield _summary(rows, file, event, kind, source, reference)


def _summary(
    rows: Sequence[dict[str, Any]], file: Path, event: str, kind: str, source: str, reference: str
) -> Judged:
    votes = [_votes(row, file) for row in rows]
    shares = [sum(vote) / len(vote) for vote in votes if vote]
    units = list(zip(*votes, strict=True))
    found = [2 * sum(unit) > len(unit) for unit in units]
    human = {QUALITY: sum(found) / len(found)} if found else {}
    return Judged(
        Example(
            source=source or (),
            references=reference or (),
            summary=field(rows[0], "Input.summary_text", file),
            doc_id=event,
            system=_system(field(rows[0], "Input.summaryId", file), kind),
            human=human,
            units=[
                ContentUnit(text, present=is_found)
                for text, is_found in zip(_statements(rows[0]).values(), found, strict=True)
            ],
        ),
        {QUALITY: [(str(n), share) for n, share in enumerate(shares, 1)]},
    )


def _system(name: str, kind: str) -> str:
    # `bart_out` is both an extractive and an abstractive system.
    return f"{name}.{'ext' if name in EXTRACTIVE else kind}"


def _votes(row: dict[str, Any], file: Path) -> list[bool]:
    asked = _statements(row)
    return [field(row, f"Answer.S{n}Answer", file).strip().lower() == "p" for n in asked]


def _statements(row: dict[str, Any]) -> dict[int, str]:
    """The content units that a worker was asked about, by number."""
    numbers = [n for n in range(1, 100) if f"Input.statement_{n}" in row]
    asked = {n: str(row[f"Input.statement_{n}"]).strip() for n in numbers}
    return {n: text for n, text in asked.items() if text not in ("", "BLANK")}


def _texts(folder: Path) -> dict[str, tuple[str, str]]:
    """Source and reference of each document; the list of their numbers gives the lines."""
    listed = folder / "selected_documents.md"
    files = [folder / SOURCES, folder / REFERENCES]
    if not all(file.is_file() for file in (listed, *files)):
        return {}
    block = re.search(r"\[([\d,\s]+)\]", listed.read_text(encoding="utf-8"))
    events = [f"cnndm{number.strip()}" for number in block[1].split(",")] if block else []
    sources, references = map(_lines, files)
    if not len(events) == len(sources) == len(references):
        raise ReadError(
            f"{folder}: {len(events)} documents are listed, but there are {len(sources)} sources "
            f"and {len(references)} references"
        )
    return dict(zip(events, zip(sources, references, strict=True), strict=True))


def _lines(file: Path) -> list[str]:
    # Not `splitlines`: articles contain other kinds of line separators.
    lines = file.read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    return [" ".join(_TAGS.sub(" ", line).split()) for line in lines]
