"""The table and the page of an atlas, as Markdown and HTML."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from tricolore.meta.atlas_choices import (
    RULES,
    ChoiceFigure,
    MeasureChoice,
    choices,
    chosen_counts,
)
from tricolore.meta.atlas_figures import AtlasCost, AtlasFigures, AtlasSensitivity
from tricolore.meta.choices import LEVELS
from tricolore.report.escaping import in_markdown, markdown_paragraph
from tricolore.report.html_report import cell_words, security_policy
from tricolore.report.pages import page_file, templates
from tricolore.report.result_table import ARROWS, Cell, Number, ResultTable
from tricolore.report.sections import HeatNumber, ReportSection
from tricolore.report.statistics import TitledTable
from tricolore.text.plural import listed, plural

TITLE = "Atlas of measures"
COLUMNS = ("set", "measure", "figure", "of", "level", "value", "low", "high", "rows")
"""The columns of the table of all figures."""
_STYLES = ("style.css", "report.css")
_NEAR = 4
"""The most measures that a row of choices names as near to the first one."""
_OFTEN = 5
"""The most measures that the answer in words names."""


def figure_rows(figures: AtlasFigures) -> list[dict[str, str | float | int | None]]:
    """All figures, one per row, with the columns `COLUMNS`; None where there is no number."""
    found: list[Sequence[str | float | int]] = []
    for a in figures.agreements:
        plain, partial = (a.value, a.low, a.high), (a.partial, a.partial_low, a.partial_high)
        for name, numbers in (("spearman", plain), ("partial spearman", partial)):
            found.append((a.dataset, a.measure, name, a.human, a.level, *numbers, a.rows))
    for s in figures.sensitivities:
        none = (math.nan, math.nan)
        key = (s.dataset, s.measure)
        found.append((*key, "damaged is worse", s.kind, "", s.worse, s.low, s.high, s.pairs))
        found.append((*key, "AUC", s.kind, "", s.auc, *none, s.pairs))
    for c in figures.costs:
        for name, value, rows in (
            ("CPU seconds per row", c.seconds, c.timed_rows),
            ("truncated share", c.truncated, c.scored_rows),
            ("other language share", c.other_language, c.scored_rows),
        ):
            found.append((c.dataset, c.measure, name, "", "", value, math.nan, math.nan, rows))
    return [{name: _known(cell) for name, cell in zip(COLUMNS, row, strict=True)} for row in found]


def figure_table(figures: AtlasFigures) -> ResultTable:
    """The rows of `figure_rows` as a table."""
    sheet = ResultTable([name for name in COLUMNS if name not in ("low", "high")])
    for row in figure_rows(figures):
        ends = (_number(row["low"]), _number(row["high"]))
        number = Number(_number(row["value"]), *ends)
        sheet.add(
            *(str(row[name]) for name in ("set", "measure", "figure", "of", "level")),
            number,
            int(row["rows"] or 0),
        )
    return sheet


def choice_table(found: Iterable[MeasureChoice], *, is_brief: bool = False) -> ResultTable:
    """One row per question, set and human score; a brief one fits a terminal."""
    heads = ["question", "set", "of", "measure", "figure", "near it", "cheapest of these"]
    if is_brief:
        whole = choice_table(found)
        return ResultTable(heads[:5], [row[:5] for row in whole.rows])
    sheet = ResultTable(heads)
    for choice in found:
        key = (choice.question, choice.dataset, choice.about)
        if choice.best is None:
            words = f"none of {plural(choice.asked, 'measure')}"
            sheet.add(*key, words, Number(math.nan), "", "")
            continue
        best, cheap = choice.best, choice.cheapest
        cost = f"{cheap.measure} ({_time(cheap.seconds)})" if cheap else ""
        number = Number(best.value, best.low, best.high)
        sheet.add(*key, best.measure, number, _near(choice.near), cost)
    return sheet


def atlas_sections(figures: AtlasFigures) -> list[ReportSection]:
    """The parts of the page."""
    found = choices(figures)
    sections = [
        ReportSection(
            "answer",
            "Which measure for which question",
            lead=[*_answers(found), *_beyond_all(figures)],
            tables=[("All answers", choice_table(found))],
            notes=[f"Rule: {rule}" for rule in RULES],
        ),
        ReportSection("sets", "Sets", tables=[("", _set_table(figures))]),
        ReportSection(
            "agreement",
            "Agreement with human scores",
            lead=[_agreement_lead(figures)],
            tables=[
                _agreement_table(figures, facts.name, human)
                for facts in figures.sets
                for human in facts.human
            ],
        ),
    ]
    if figures.sensitivities:
        sections.append(
            ReportSection(
                "errors",
                "Planted errors",
                lead=[
                    "The share of summaries that score worse with one planted error than without, "
                    "with its exact 95 % interval. A tie is not worse, so that a measure that "
                    "guesses has one half, and one that never changes has 0."
                ],
                tables=[_sensitivity_table(figures, facts.name) for facts in figures.sets],
            )
        )
    sections.append(
        ReportSection(
            "cost",
            "Cost and coverage",
            lead=[
                "CPU time per row in one process, models loaded, measured on a few documents of "
                "each set. Where rows are fewer than the set has, the measure was run on randomly "
                "chosen documents for which the time limit was enough."
            ],
            tables=[("", _cost_table(figures))],
        )
    )
    left_out = [f"{measure}, {name}: {why}." for name, measure, why in figures.left_out]
    left_out += [f"{path} is no judged set: {why}." for path, why in figures.skipped]
    if left_out:
        sections.append(ReportSection("left-out", "What is left out", notes=left_out))
    return sections


def atlas_markdown(figures: AtlasFigures) -> str:
    """The page as Markdown."""
    lines = [f"# {TITLE}", markdown_paragraph(_judged(figures))]
    for section in atlas_sections(figures):
        lines.append(f"## {in_markdown(section.title)}")
        lines += map(markdown_paragraph, section.lead)
        for title, sheet in section.tables:
            lines += [*([f"### {in_markdown(title)}"] if title else []), sheet.markdown()]
        if section.notes:
            lines.append("\n".join(f"- {markdown_paragraph(note)}" for note in section.notes))
    return "\n\n".join(lines) + "\n"


def atlas_html(figures: AtlasFigures) -> str:
    """The page as one HTML file that needs no network and has no script."""
    from markupsafe import Markup

    style = "\n".join(map(page_file, _STYLES))
    return (
        templates()
        .get_template("atlas.html.j2")
        .render(
            title=TITLE,
            judged=_judged(figures),
            sections=atlas_sections(figures),
            policy=security_policy(style),
            style=Markup(style),  # files of this package
            cell_words=cell_words,
            safe=Markup,
        )
    )


def _judged(figures: AtlasFigures) -> str:
    rows = sum(facts.rows for facts in figures.sets)
    names = listed([facts.name for facts in figures.sets])
    count = plural(len(figures.directions), "measure")
    return f"{count} on {plural(rows, 'judged summary')} of {names}."


def _answers(found: Sequence[MeasureChoice]) -> list[str]:
    """One paragraph per question, from the numbers of choices in which measures are named."""
    lines = []
    for question, counts in chosen_counts(found).items():
        asked = [choice for choice in found if choice.question == question]
        firsts = [choice.best.measure for choice in asked if choice.best]
        if not firsts:
            cases = plural(len(asked), "case")
            lines.append(f"{question} No measure answers this in any of {cases}.")
            continue
        first = max(dict.fromkeys(firsts), key=firsts.count)
        times = f"{firsts.count(first)} of {plural(len(asked), 'case')}"
        others = [f"{name} ({count})" for name, count in counts.items() if name != first]
        words = f"{question} Most often first: {first}, in {times}."
        if others:
            words += f" Most often first or near the first: {listed(others[:_OFTEN])}."
        if none := len(asked) - len(firsts):
            words += f" No measure answers it in {plural(none, 'case')}."
        lines.append(words)
    return lines


def _beyond_all(figures: AtlasFigures) -> list[str]:
    """Which measures say more than copying and length on every set, for some human score."""
    if not any(math.isfinite(a.partial) for a in figures.agreements):
        return []
    held: dict[str, set[str]] = {}
    asked: dict[str, set[str]] = {}
    for a in figures.agreements:
        if a.level == "summary" and figures.judges(a.measure) and math.isfinite(a.partial_low):
            asked.setdefault(a.measure, set()).add(a.dataset)
            if a.partial_low > 0:
                held.setdefault(a.measure, set()).add(a.dataset)
    names = {facts.name for facts in figures.sets}
    if len(names) < 2:
        return []
    everywhere = [measure for measure in held if held[measure] == names]
    what = listed(list(figures.controls))
    if not everywhere:
        return [
            f"No measure keeps a partial correlation above 0 ({what} held constant) in all sets."
        ]
    return [
        f"On every set, for at least one human score, the partial correlation ({what} held "
        f"constant) has an interval above 0 for: {listed(everywhere)}."
    ]


def _near(near: Sequence[ChoiceFigure]) -> str:
    names = [f"{one.measure} {one.value:.3f}" for one in near[:_NEAR]]
    more = len(near) - len(names)
    return ", ".join(names) + (f" and {more} more" if more > 0 else "")


def _time(seconds: float) -> str:
    """A time in the unit that fits it.

    >>> _time(0.00004), _time(0.02), _time(3.456)
    ('0.04 ms', '20 ms', '3.5 s')
    """
    if seconds != seconds:
        return "–"
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1000:.2g} ms" if seconds < 0.1 else f"{seconds * 1000:.0f} ms"


def _set_table(figures: AtlasFigures) -> ResultTable:
    sheet = ResultTable(
        [
            *("set", "human scores", "rows", "documents", "systems", "references per row"),
            *("English sources", "words of a source", "words of a summary"),
        ]
    )
    for facts in figures.sets:
        sheet.add(
            facts.name,
            ", ".join(facts.human),
            facts.rows,
            facts.documents,
            facts.systems,
            f"{facts.references:.1f}",
            f"{facts.english:.0%}",
            _words(facts.source_words),
            _words(facts.summary_words),
        )
        if facts.unreadable:
            sheet.notes.append(
                f"{facts.name}: {plural(facts.unreadable, 'row')} without an example."
            )
    sheet.notes.append("Words: the median, and in brackets the 5th and the 95th percentile.")
    return sheet


def _words(spread: tuple[float, float, float]) -> str:
    middle, low, high = spread
    return f"{middle:.0f} [{low:.0f}, {high:.0f}]"


def _agreement_lead(figures: AtlasFigures) -> str:
    lead = (
        "Spearman's ρ with 95 % bootstrap intervals over documents and systems; measures where "
        "lower is better are negated. Summary level: all summaries; document level: the mean over "
        "documents; system level: the means of systems."
    )
    if figures.controls:
        lead += f" Partial ρ: with {listed(list(figures.controls))} held constant."
    return lead


def _agreement_table(figures: AtlasFigures, dataset: str, human: str) -> TitledTable:
    """The measures by their summary-level ρ."""
    mine = {
        (a.measure, a.level): a
        for a in figures.agreements
        if (a.dataset, a.human) == (dataset, human)
    }
    levels = [
        level
        for level in LEVELS
        if any(math.isfinite(a.value) for (_, own), a in mine.items() if own == level)
    ]
    has_partial = {
        level: any(math.isfinite(a.partial) for (_, own), a in mine.items() if own == level)
        for level in levels
    }
    heads = [
        head
        for level in levels
        for head in (f"{level} ρ", *((f"{level} partial ρ",) if has_partial[level] else ()))
    ]
    sheet = ResultTable(["measure", *heads, "rows"])
    measures = dict.fromkeys(measure for measure, _ in mine)

    def place(measure: str) -> tuple[bool, float]:
        value = mine[measure, "summary"].value
        return value != value, -value

    for measure in sorted(measures, key=place):
        cells: list[Cell] = []
        for level in levels:
            a = mine[measure, level]
            cells.append(HeatNumber(a.value, a.low, a.high))
            if has_partial[level]:
                cells.append(HeatNumber(a.partial, a.partial_low, a.partial_high))
        name = f"{measure} {ARROWS[figures.directions.get(measure, 'neither')]}".strip()
        sheet.add(name, *cells, mine[measure, "summary"].rows)
    return f"{dataset}, {human}", sheet


def _sensitivity_table(figures: AtlasFigures, dataset: str) -> TitledTable:
    mine: dict[str, dict[str, AtlasSensitivity]] = {}
    for s in figures.sensitivities:
        if s.dataset == dataset and figures.directions.get(s.measure) != "neither":
            mine.setdefault(s.measure, {})[s.kind] = s
    kinds = list(dict.fromkeys(kind for own in mine.values() for kind in own))
    sheet = ResultTable(["measure", *kinds, "pairs"])

    def mean(own: Mapping[str, AtlasSensitivity]) -> float:
        known = [s.worse for s in own.values() if math.isfinite(s.worse)]
        return sum(known) / max(1, len(known))

    for measure, own in sorted(mine.items(), key=lambda item: -mean(item[1])):
        found = [own.get(kind) for kind in kinds]
        cells = [Number(s.worse, s.low, s.high) if s else Number(math.nan) for s in found]
        pairs = [s.pairs for s in found if s]
        least, most = min(pairs), max(pairs)
        sheet.add(measure, *cells, str(most) if least == most else f"{least} to {most}")
    return dataset, sheet


def _cost_table(figures: AtlasFigures) -> ResultTable:
    names = [facts.name for facts in figures.sets]
    found: dict[str, dict[str, AtlasCost]] = {}
    for cost in figures.costs:
        found.setdefault(cost.measure, {})[cost.dataset] = cost
    heads = [head for name in names for head in (f"{name}: per row", "rows", "truncated")]
    sheet = ResultTable(["measure", *heads])

    def slowest(own: Mapping[str, AtlasCost]) -> float:
        return max(cost.seconds for cost in own.values())

    missing: list[str] = []
    for measure, own in sorted(found.items(), key=lambda item: slowest(item[1])):
        cells: list[Cell] = []
        for name in names:
            one = own.get(name)
            if one is None:
                cells += ["–", "–", "–"]
                continue
            cells += [_time(one.seconds), one.scored_rows, f"{one.truncated:.0%}"]
            if one.missing:
                missing.append(f"{measure}, {name}: {one.missing}")
            if one.other_language:
                share = f"{one.other_language:.0%} of rows"
                missing.append(f"{measure}, {name}: {share} in a language it was not made for")
        sheet.add(measure, *cells)
    sheet.notes.append("Truncated: the share of rows of which the measure read only a part.")
    if missing:
        sheet.notes.append(f"Rows without a value, or of another language: {'; '.join(missing)}.")
    return sheet


def _known(cell: str | float | int) -> str | float | int | None:
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def _number(cell: str | float | int | None) -> float:
    return math.nan if cell is None or isinstance(cell, str) else float(cell)
