"""BioASQ, task B (Tsatsaronis et al. 2015): ideal answers of systems to biomedical questions.

A directory with the gold files (`7B1_golden.json`, …) and one JSON file per system in the form of a
submission, both with a list `questions`. The source of a summary are the snippets of the gold file,
the references its ideal answers. The scores of the experts are not published in a file: they are
read from `scores.csv`, if it is there, with the columns `id`, `system` and one for each quality.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tricolore.data.annotations import Judged
from tricolore.data.published.parse import field, rows_of
from tricolore.errors import ReadError
from tricolore.example import Example

SCORES = "scores.csv"
QUALITIES = ("information_recall", "information_precision", "repetition", "readability")


def read(path: Path) -> Iterator[Judged]:
    """One row per answer: systems in the order of their names, questions in file order."""
    if not path.is_dir():
        raise ReadError(f"{path} has no '*golden*.json' and systems: give a directory")
    files = sorted(path.glob("*.json"))
    gold_files = [file for file in files if "golden" in file.name.lower()]
    gold = {
        str(field(question, "id", file)): question
        for file in gold_files
        for question in _questions(file)
    }
    if not gold:
        raise ReadError(f"{path} has no '*golden*.json' of BioASQ")
    scores = _scores(path / SCORES)
    for file in files:
        if file in gold_files:
            continue
        for answer in _questions(file):
            yield from _answer(answer, file, gold, scores)


def _answer(
    answer: Mapping[str, Any],
    file: Path,
    gold: Mapping[str, Mapping[str, Any]],
    scores: Mapping[tuple[str, str], dict[str, float]],
) -> Iterator[Judged]:
    """The ideal answer to a question, unless the system gave none."""
    number, system = str(field(answer, "id", file)), file.stem
    texts = _texts(answer.get("ideal_answer"))
    if not texts:
        return
    if number not in gold:
        raise ReadError(f"{file} answers {number}, which is no question of the gold files")
    question = gold[number]
    snippets = [str(field(one, "text", file)) for one in question.get("snippets") or ()]
    yield Judged(
        Example(
            source=snippets,
            references=_texts(question.get("ideal_answer")),
            summary=texts[0],
            doc_id=number,
            system=system,
            human=scores.get((number, system), {}),
        ),
        {},
    )


def _questions(file: Path) -> list[dict[str, Any]]:
    try:
        read_file = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ReadError(f"{file} cannot be read as JSON: {error}") from None
    return list(field(read_file, "questions", file))


def _texts(given: Any) -> list[str]:
    """An answer is a text in some files and a list of texts in others."""
    texts = given if isinstance(given, list) else [given]
    return [text for text in texts if isinstance(text, str) and text.strip()]


def _scores(file: Path) -> dict[tuple[str, str], dict[str, float]]:
    if not file.is_file():
        return {}
    return {
        (str(field(row, "id", file)), str(field(row, "system", file))): {
            quality: float(row[quality])
            for quality in QUALITIES
            if row.get(quality) not in (None, "")
        }
        for row in rows_of(file)
    }
