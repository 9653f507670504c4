"""What looks wrong in a summary, in words: for the terminal and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tricolore.report.escaping import in_markdown, markdown_paragraph, paragraph_of
from tricolore.report.highlights import Highlights, Mark, covered

LISTED = 10
"""The most lines, and words of a line, that are listed below a summary."""
_QUOTED = 160  # the most characters of a sentence or a passage that are quoted
_WHOLE = 1500  # the longest summary that is shown whole
_AROUND = 120  # the characters around a mark that are shown of a longer one

_DATE = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:jan|febr)uary|\bmarch\b|\bapril\b|\bmay\b"
    r"|\bjune\b|\bjuly\b|\baugust\b|\b(?:septem|octo|novem|decem)ber",
    re.IGNORECASE,
)

MarkedPiece = tuple[str, tuple[Mark, ...]]
"""A piece of a text, and the marks in it, counted from its beginning."""


def finding_lines(shown: Highlights, most: int = LISTED) -> list[str]:
    """The findings in one line each, the clearest first; words with the same label share a line.

    >>> from tricolore import Example, Score, Span
    >>> from tricolore.report.highlights import highlights
    >>> example = Example(source="It has 420 jobs.", summary="It has 4,200 jobs.")
    >>> span = Span("summary", 7, 12, kind="fault", item="number", label="the source has “420”")
    >>> finding_lines(highlights(example, "grounding", Score(0.5, evidence=(span,))))
    ['number “4,200”: the source has “420”']
    """
    others = [mark for mark in shown.findings if mark.item != "word"]
    lines = [
        f"{_noun(shown, mark)} {_quoted(shown, mark)}: {_said(shown, mark)}"
        for mark in others[:most]
    ]
    if len(others) > most:
        lines.append(f"and {len(others) - most} more")
    words: dict[str, list[str]] = {}
    for mark in shown.findings:
        if mark.item == "word":
            words.setdefault(_said(shown, mark), []).append(_quoted(shown, mark))
    lines += [_word_line(label, found) for label, found in list(words.items())[:most]]
    return lines + unit_lines(shown, most)


def unit_lines(shown: Highlights, most: int = LISTED) -> list[str]:
    """The content units that a measure judged, in one line each, missing ones first.

    >>> from tricolore import Example, Score, Span
    >>> from tricolore.report.highlights import highlights
    >>> example = Example(summary="It rains.", units=["It rains.", "It is cold."])
    >>> has = Span("unit", 0, 9, kind="match", label="present")
    >>> lacks = Span("unit", 0, 11, document=1, kind="missing", label="not present")
    >>> unit_lines(highlights(example, "pyramid", Score(0.5, evidence=(has, lacks))))
    ['content unit “It is cold.”: not present', 'content unit “It rains.”: present']
    """
    marks = sorted(shown.unit_marks, key=lambda mark: (mark.kind != "missing", mark.document))
    lines = [f"content unit {_quoted(shown, mark)}: {mark.label}" for mark in marks[:most]]
    return [*lines, f"and {len(marks) - most} more"] if len(marks) > most else lines


def finding_words(shown: Highlights, mark: Mark) -> str:
    """What a finding is, and what is wrong with it."""
    return f"{_noun(shown, mark)}: {_said(shown, mark)}"


def _noun(shown: Highlights, mark: Mark) -> str:
    """What a finding is; that a number is contradicted is in its label."""
    if "number" not in mark.item:
        return mark.item
    return "date" if _DATE.search(shown.words(mark)) else "number"


def _word_line(label: str, quoted: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(quoted))
    rest = f" and {len(distinct) - LISTED} more" if len(distinct) > LISTED else ""
    noun = "word" if len(distinct) == 1 else "words"
    return f"{noun} {', '.join(distinct[:LISTED])}{rest}: {label}"


def sentence_line(shown: Highlights, mark: Mark) -> str:
    """A sentence with the passage of the source that is nearest to it."""
    return f"{_quoted(shown, mark)}: {_said(shown, mark)}"


def _said(shown: Highlights, mark: Mark) -> str:
    """What is wrong with a finding."""
    if mark.item == "sentence":
        support = shown.support(mark)
        match = mark.match or (support.match if support else None)
        value = f" (support {support.weight:.2f})" if support else ""
        if match is not None:
            return f"nearest passage {_quoted(shown, match)}{value}"
        return f"{mark.label or 'no passage of the source is near'}{value}"
    if mark.label or mark.match is None:
        return mark.label or "not in the source"
    return f"the source has {_quoted(shown, mark.match)}"


def _quoted(shown: Highlights, mark: Mark) -> str:
    # Cut before the words are looked for: a text without spaces may be long.
    ends = replace(mark, end=min(mark.end, mark.start + _QUOTED))
    return f"“{shown.words(ends)}{'…' if ends.end < mark.end else ''}”"


def findings_markdown(heading: str, shown: Highlights) -> str:
    """A summary as Markdown with its findings in bold, and one line for each of them."""
    marks = [mark for mark in shown.marks if mark.is_finding]
    pieces = [_bold(piece, inside) for piece, inside in excerpts(shown.text, marks)]
    lines = [f"- {markdown_paragraph(line)}" for line in finding_lines(shown)]
    quoted = "> " + paragraph_of(" … ".join(pieces))
    return "\n".join([f"### {markdown_paragraph(heading)}", "", quoted, "", *lines])


def excerpts(text: str, marks: Iterable[Mark]) -> list[MarkedPiece]:
    """The text, or what is around the marks if it is long.

    >>> [piece for piece, _ in excerpts("a" * 2000, [Mark("summary", 500, 600)])] == ["a" * 340]
    True
    """
    sorted_marks = sorted(marks, key=lambda mark: mark.start)
    if len(text) <= _WHOLE:
        return [(text, tuple(sorted_marks))]
    if not sorted_marks:
        return [(text[: 2 * _AROUND], ()), ("", ())]
    pieces: list[list[Mark]] = []
    end = 0
    for mark in sorted_marks:
        if pieces and mark.start - _AROUND <= end:
            pieces[-1].append(mark)
        elif len(pieces) < LISTED:
            pieces.append([mark])
        else:
            break
        end = max(end, mark.end + _AROUND)
    return [_excerpt(text, piece) for piece in pieces]


def _excerpt(text: str, marks: Sequence[Mark]) -> MarkedPiece:
    start = max(0, marks[0].start - _AROUND)
    end = min(max(mark.end for mark in marks) + _AROUND, start + _WHOLE)
    moved = (replace(m, start=m.start - start, end=min(m.end, end) - start) for m in marks)
    return text[start:end], tuple(mark for mark in moved if mark.start < mark.end)


def _bold(text: str, marks: Iterable[Mark]) -> str:
    """A text as Markdown, with bold marks."""
    pieces, at = [], 0
    for start, end in covered(marks):
        pieces += [in_markdown(text[at:start]), f"**{in_markdown(text[start:end])}**"]
        at = end
    return "".join([*pieces, in_markdown(text[at:])])
