"""The evidence for scores on the terminal: texts with the words that a score rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from tricolore.example import Example
from tricolore.report.findings import excerpts, finding_lines, sentence_line
from tricolore.report.highlights import MOST, Highlights, Mark, covered, highlights
from tricolore.report.terminal import SafeConsole
from tricolore.score import Score
from tricolore.text.printable import printable

_STYLE = "bold green"
_ITEM_STYLES: dict[str, str] = {
    "contradicted number": "bold red",
    "number": "bold red",
    "name": "bold red",
    "word": "yellow",
}
"""The colours of findings; a word that the source lacks is often only another word."""


def print_evidence(out: SafeConsole, example: Example, scores: Mapping[str, Score]) -> None:
    """The summary once for each measure that can point at something in it."""
    heading = " · ".join(filter(None, (example.system, example.doc_id)))
    out.print(heading, style="bold")
    for label, score in scores.items():
        if score.problem is not None:
            out.print(f"{label}: no value ({score.problem})")
            continue
        out.print(f"{label} {score.value:.3f}", style="cyan")
        _print(out, highlights(example, label, score))
    out.print()


def _print(out: SafeConsole, shown: Highlights) -> None:
    if shown.marks:
        out.print(marked(shown.text, shown.marks, colour=out.is_terminal))
    if shown.pairs:
        words = ", ".join(f"“{pair.here}” → “{pair.there}”" for pair in shown.pairs)
        _print_list(out, shown.pairs_caption, words)
    if alone := shown.unmatched[:MOST]:
        words = ", ".join(_listed(shown, mark) for mark in alone)
        _print_list(out, "in the source", words)
    for line in finding_lines(shown):
        out.print(f"  {line}", style="dim", soft_wrap=True)
    if shown.sentences and not shown.findings:
        weakest = min(shown.sentences, key=lambda mark: mark.weight)
        _print_list(out, "the weakest sentence", sentence_line(shown, weakest))


def print_findings(out: SafeConsole, heading: str, shown: Highlights) -> None:
    """A summary with its findings in colour or in brackets, and one line for each of them."""
    out.print(heading, style="bold")
    marks = [mark for mark in shown.marks if mark.is_finding]
    pieces = excerpts(shown.text, marks)
    coloured = [marked(piece, inside, colour=out.is_terminal) for piece, inside in pieces]
    out.print(Text(" … ").join(coloured))
    for line in finding_lines(shown):
        out.print(f"  {line}", soft_wrap=True)
    out.print()


def _print_list(out: SafeConsole, caption: str, words: str) -> None:
    out.print(Text(f"  {caption}: ").append(printable(words), style="dim"))


def _listed(shown: Highlights, mark: Mark) -> str:
    return f"“{shown.words(mark)}”" + (f" ({mark.label})" if mark.label else "")


def marked(text: str, marks: Sequence[Mark], *, colour: bool) -> Text:
    """A text with its marks in colour, or in brackets where there is no colour.

    >>> marked("a cat sat", [Mark("summary", 2, 5)], colour=False).plain
    'a [cat] sat'
    """
    # The text keeps its length, so that the marks stay in place.
    text = printable(text.replace("\r\n", " \n"), keep="\n\t")
    if colour:
        shown = Text(text)
        for mark in marks:
            style = _ITEM_STYLES.get(mark.item, _STYLE) if mark.is_finding else _STYLE
            shown.stylize(style, mark.start, mark.end)
        return shown
    pieces, at = [], 0
    for start, end in covered(marks):
        pieces += [text[at:start], "[", text[start:end], "]"]
        at = end
    return Text("".join([*pieces, text[at:]]))
