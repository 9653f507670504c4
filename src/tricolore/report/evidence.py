"""Where a score comes from: texts with the spans that it rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.text import Text

from tricolore.example import Example
from tricolore.score import Score, Span

_STYLE = "bold green"
_MOST = 5
_SAME = 0.999  # of a word with itself, but for rounding


def print_evidence(out: Console, example: Example, scores: Mapping[str, Score]) -> None:
    """The summary once for each measure that can point at something in it."""
    heading = " · ".join(filter(None, (example.system, example.doc_id)))
    out.print(Text(heading, style="bold"))
    for label, score in scores.items():
        if score.problem is not None:
            out.print(Text(f"{label}: no value ({score.problem})"))
            continue
        out.print(Text(f"{label} {score.value:.3f}", style="cyan"))
        inside = [span for span in score.evidence if span.where == "summary"]
        # Where every word has a match, those that stand out are the weakest.
        likeness = bool(inside) and all(span.label.startswith("most like") for span in inside)
        inside.sort(key=lambda span: span.weight if likeness else -span.weight)
        if likeness:
            inside = [span for span in inside if span.weight < _SAME][: 2 * _MOST]
        if inside:
            out.print(marked(example.summary, inside, colour=out.is_terminal))
        rivals = _rivals(example, inside)
        if rivals:
            words = "the weakest matches" if likeness else "where the source has another word"
            out.print(Text(f"  {words}: ").append_text(rivals))
        elsewhere = [span for span in score.evidence if span.where == "source"][:_MOST]
        if elsewhere:
            out.print(Text("  in the source: ").append_text(_list(example.source, elsewhere)))
    out.print()


def marked(text: str, spans: Sequence[Span], *, colour: bool) -> Text:
    """A text with its spans in colour, or in brackets where there is no colour.

    >>> marked("a cat sat", [Span("summary", 2, 5)], colour=False).plain
    'a [cat] sat'
    """
    if colour:
        shown = Text(text)
        for span in spans:
            shown.stylize(_STYLE, span.start, span.end)
        return shown
    pieces, at = [], 0
    for start, end in _joined(spans):
        pieces += [text[at:start], "[", text[start:end], "]"]
        at = end
    return Text("".join([*pieces, text[at:]]))


def _joined(spans: Sequence[Span]) -> list[tuple[int, int]]:
    """The stretches that the spans cover, overlapping ones made one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted((span.start, span.end) for span in spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _rivals(example: Example, spans: Sequence[Span]) -> Text:
    """Words of the summary with those of the source that they were matched with, if others.

    In the order of the spans.

    >>> example = Example(source="four to nine", summary="a vote of nine")
    >>> there = Span("source", 0, 4)
    >>> _rivals(example, [Span("summary", 10, 14, match=there)]).plain
    '“nine” → “four”'
    """
    words = []
    for span in spans:
        if span.match is not None and span.match.where == "source":
            here = _line(example.summary, span)
            there = _line(example.source[span.match.document], span.match)
            if here.lower() != there.lower() and f"“{here}” → “{there}”" not in words:
                words.append(f"“{here}” → “{there}”")
    return Text(", ".join(words[:_MOST]), style="dim")


def _list(source: Sequence[str], spans: Sequence[Span]) -> Text:
    words = []
    for span in spans:
        said = _line(source[span.document], span)
        words.append(f"“{said}”" + (f" ({span.label})" if span.label else ""))
    return Text(", ".join(words), style="dim")


def _line(text: str, span: Span) -> str:
    return " ".join(text[span.start : span.end].split())
