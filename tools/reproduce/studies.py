"""The studies of the importance paper (§5, appendix A) and of the BLANC paper (§4), made again.

Each function gives a table for docs/reproduction.md and draws its figure in docs/images.
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np

from tools.reproduce.claims import CACHE, DATA, load, scores
from tricolore import Example, Run
from tricolore.data.annotations import read_annotators
from tricolore.data.score_table import ScoreTable
from tricolore.meta.annotators import consensus, splits, standings
from tricolore.meta.bootstrap import bootstrap, draw_resamples, interval
from tricolore.meta.complementarity import complementarity
from tricolore.meta.correlation import correlate
from tricolore.meta.levels import agreement
from tricolore.meta.mixes import ColumnMix, mixed, mixes, scaled
from tricolore.meta.ranges import ranges
from tricolore.meta.robustness import robustness, with_lead_reference
from tricolore.meta.scaling import scaling
from tricolore.meta.spurious import CORRELATES, spurious
from tricolore.report import plots
from tricolore.report.curves import curve_table, lines
from tricolore.report.plots import Box, Dot, Labels
from tricolore.report.result_table import Number, ResultTable
from tricolore.run.cache import Cache
from tricolore.run.run import Result
from tricolore.text.sentences import sentences

IMAGES = Path(__file__).parents[2] / "docs" / "images"
REFERENCED = ["rouge-1", "rouge-2", "rouge-l", "chrf"]
SPECS = {"estime": "estime:layers=all"}
"""All layers in one pass, which the cache has."""
QUALITY = "relevance"


def _keep(figure: object, name: str) -> None:
    IMAGES.mkdir(exist_ok=True)
    plots.save(figure, str(IMAGES / f"{name}.svg"))  # type: ignore[arg-type]


@cache
def _table(dataset: str, *specs: str) -> ScoreTable:
    examples = load(dataset)
    return ScoreTable.of(
        [example.doc_id for example in examples],
        [example.system for example in examples],
        {spec: scores(dataset, SPECS.get(spec, spec), signed=False) for spec in specs},
        {name: [e.human[name] for e in examples] for name in examples[0].human},
    )


def _rescored(examples: list[Example], spec: str) -> list[Result]:
    """Other summaries or references than those of the set, by a corpus that is the set's."""
    sources = list(dict.fromkeys("\n".join(e.source) for e in load("summeval-1")))
    with Cache(CACHE) as cached:
        run = Run([spec], cache=cached)
        if run.needs_corpus:
            run.fit(sources)
        return list(run.score(examples))


def _values(results: list[Result]) -> list[float]:
    return [next(iter(result.scores.values())).value for result in results]


PUBLISHED_MIXES = {
    "rouge-1": 0.59,
    "rouge-2": 0.61,
    "rouge-l": 0.47,
    "chrf": 0.75,
    "-estime": 0.45,
    "importance": 0.73,
    "rouge-1 + importance": 0.86,
    "chrf + importance": 0.74,
    "importance - estime": 0.76,
}


def table_of_mixes() -> str:
    """Importance paper, table 1."""
    columns = [*REFERENCED, "importance", "estime"]
    table = _table("summeval-1", *columns)
    people = table.human[QUALITY]
    ranked = mixes(table, columns, people)
    wanted = [m for m in ranked if m.name in PUBLISHED_MIXES or not m.second]
    others = [mix for mix in ranked if mix.second and mix not in wanted][:5]
    sheet = ResultTable(["mix", "paper", "here, 95 % over documents"])
    found = _with_intervals(table, [mix for mix in ranked if mix in [*wanted, *others]])
    for mix, figure in found:
        published = PUBLISHED_MIXES.get(mix.name)
        sheet.add(mix.name, "" if published is None else f"{published:.2f}", figure)
    dots = [Dot(m.name, f.value, f.low, f.high, bool(m.second)) for m, f in found]
    _keep(plots.dots(dots, Labels(f"system-level ρ with {QUALITY}")), "study-mixes")
    return sheet.markdown()


def table_of_bert_score_mix() -> str:
    """Importance paper, table 1: BERTScore (roberta-large there, all-MiniLM-L6-v2 here)."""
    published = {"bert-score": 0.40, "importance": 0.73, "importance + bert-score": 0.77}
    table = _table("summeval-1", "importance", "bert-score")
    ranked = mixes(table, ["importance", "bert-score"], table.human[QUALITY])
    sheet = ResultTable(["mix", "paper", "here, 95 % over documents"])
    for mix, figure in _with_intervals(table, list(ranked)):
        paper = published.get(mix.name)
        sheet.add(mix.name, "" if paper is None else f"{paper:.2f}", figure)
    return sheet.markdown()


def _with_intervals(table: ScoreTable, found: list[ColumnMix]) -> list[tuple[ColumnMix, Number]]:
    draws = draw_resamples(table.grid, "documents", resamples=2000, seed=0)
    values = [mixed(table, mix) for mix in found]
    spread = bootstrap(values, table.human[QUALITY], table.grid, "system", "spearman", draws)
    return [
        (mix, Number(mix.agreement.value, *interval(row)))
        for mix, row in zip(found, spread, strict=True)
    ]


def table_of_complementarity() -> str:
    """Importance paper, figure 3: that of the importance measure with the others."""
    columns = ["importance", *REFERENCED, "estime"]
    table = _table("summeval-1", *columns)
    within = complementarity(table, columns)
    as_code = complementarity(table, columns, "means", "spearman")
    raw = replace(table, directions={})
    as_printed = complementarity(raw, columns, "means", "spearman")
    heads = ["systems in each document, τ", "documents by their means, ρ", "the same, unsigned"]
    sheet = ResultTable(["importance with", *heads])
    for at, name in enumerate(columns[1:], 1):
        sheet.add(name, *(Number(float(m[0, at])) for m in (within, as_code, as_printed)))
    figure = plots.heatmap(within, columns, columns, "complementarity", reach=(0.0, 0.6))
    _keep(figure, "study-complementarity")
    return sheet.markdown()


def table_of_robustness() -> str:
    """Importance paper, figure 2, which is a drawing; one reference."""
    table = _table("summeval-1", "rouge-1", "importance")
    leads = [with_lead_reference(example) for example in load("summeval-1")]
    spoiled = np.array(_values(_rescored(leads, "rouge-1")))
    free = scaled(table, "importance")
    given = {
        "rouge-1": (table.values["rouge-1"], spoiled),
        "rouge-1 + importance": (table.values["rouge-1"] + free, spoiled + free),
        "importance": (free, free),
    }
    shares = [0, 0.02, 0.05, *(step / 10 for step in range(1, 11))]
    found = {
        name: robustness(clean, bad, table.human[QUALITY], table.grid, shares=shares)
        for name, (clean, bad) in given.items()
    }
    labels = Labels("replaced references (%)", f"system-level ρ with {QUALITY}")
    _keep(plots.curves(lines(found, factor=100), labels), "study-robustness")
    return curve_table("replaced", found, percent=True).markdown()


def table_of_scaling() -> str:
    """Importance paper, figure 1, which is a drawing."""
    table = _table("summeval-1", "rouge-1", "chrf", "importance")
    found = {
        name: scaling(table.signed(name), table.human[QUALITY], table.grid)
        for name in table.measures
    }
    labels = Labels("summaries a system", f"system-level ρ with {QUALITY}")
    _keep(plots.curves(lines(found), labels), "study-scaling")
    return curve_table("summaries a system", found).markdown()


def table_of_spurious() -> str:
    """Importance paper, table 2: more measures than the paper's one."""
    columns = [*REFERENCED, "jensen-shannon", "importance", "estime"]
    table = _table("summeval-1", *columns, *CORRELATES)
    qualities = list(table.human)
    found = spurious(table, columns, qualities, CORRELATES)
    sheet = ResultTable(["summary-level ρ", *qualities, *CORRELATES])
    for one in found:
        people = [Number(one.human[quality].value) for quality in qualities]
        other = [Number(one.correlates[c].value, is_marked=one.is_higher(c)) for c in CORRELATES]
        sheet.add(one.column, *people, *other)
    cells = [[c for c in row[1:] if isinstance(c, Number)] for row in sheet.rows]
    figure = plots.heatmap(
        np.array([[cell.value for cell in row] for row in cells]),
        columns,
        [*qualities, *CORRELATES],
        "summary-level ρ",
        reach=(-1.0, 1.0),
        marked=np.array([[cell.is_marked for cell in row] for row in cells]),
        gap_before=len(qualities),
    )
    _keep(figure, "study-spurious")
    return sheet.markdown()


def table_of_ranges() -> str:
    """Importance paper, figures 6 and 7: the values for kinds of summaries; one reference."""
    documents = {e.doc_id: e for e in load("summeval")}
    ordered = list(documents.values())
    kinds: dict[str, Callable[[int], str]] = {
        "another reference": lambda at: ordered[at].references[1],
        "first three sentences": lambda at: " ".join(_sentences(ordered[at])[:3]),
        "last three sentences": lambda at: " ".join(_sentences(ordered[at])[-3:]),
        "whole source": lambda at: "\n".join(ordered[at].source),
        "another document's reference": lambda at: ordered[at - 1].references[1],
    }
    made = [
        replace(ordered[at], summary=kind(at), references=ordered[at].references[:1], system=name)
        for name, kind in kinds.items()
        for at in range(len(ordered))
    ]
    examples = [replace(e, system="systems") for e in load("summeval-1")] + made
    names = ("systems", *kinds)
    number = [names.index(example.system) for example in examples]
    heads = ["5 %", "25 %", "median", "75 %", "95 %", "mean"]
    sheet = ResultTable(["kind of summary", "measure", *heads])
    for spec in ("importance", "rouge-1"):
        found = ranges(_values(_rescored(examples, spec)), number, names)
        for one in found:
            sheet.add(one.kind, spec, *(Number(v) for v in (*one.quantiles[1:-1], one.mean)))
        groups = [Box(one.kind, one.quantiles[1:-1], one.mean) for one in found]
        _keep(plots.boxes(groups, Labels(spec)), f"study-ranges-{spec}")
    return sheet.markdown()


def _sentences(example: Example) -> list[str]:
    return sentences("\n".join(example.source))


SETTINGS = {
    "tokenizer": ("bpe", "space", "characters"),
    "n": ("2", "3", "4"),
    "weighting": ("tf-idf", "bm25"),
    "scoring": ("tanh", "importance", "exp-rank", "inv-rank", "constant"),
    "penalty": ("true", "false"),
}


def table_of_settings() -> str:
    """Importance paper, figure 5: how the system-level correlation is spread over settings."""
    found: dict[tuple[str, ...], float] = {}
    table = _table("summeval-1", "rouge-1")
    for chosen in product(*SETTINGS.values()):
        words = ",".join(f"{key}={value}" for key, value in zip(SETTINGS, chosen, strict=True))
        values = scores("summeval-1", f"importance:{words}")
        found[chosen] = agreement(
            values, table.human[QUALITY], table.grid, "system", "spearman"
        ).value
    sheet = ResultTable(["setting", "lowest", "25 %", "median", "75 %", "highest"])
    groups = []
    for at, (key, choices) in enumerate(SETTINGS.items()):
        for choice in choices:
            some = [value for chosen, value in found.items() if chosen[at] == choice]
            spread = np.nanquantile(some, [0, 0.25, 0.5, 0.75, 1])
            name = f"{key}={choice}"
            sheet.add(name, *(Number(float(value)) for value in spread))
            groups.append(Box(name, spread.tolist(), float(np.nanmean(some))))
    _keep(plots.boxes(groups, Labels(f"system-level ρ with {QUALITY}")), "study-settings")
    return sheet.markdown()


MEASURES = ("jensen-shannon", "importance", "length", "density")


@cache
def _people() -> tuple[list[str], np.ndarray]:
    table = read_annotators(str(DATA / "cnndm555.jsonl.gz"), "overall")
    return table.people, table.scores


def table_of_annotators() -> str:
    """BLANC paper, figure 7 (a drawing): the 555 pairs, all annotators."""
    people, judged = _people()
    table = _table("cnndm555", *MEASURES)
    signed = {name: table.signed(name) for name in MEASURES}
    sheet = ResultTable(["who", "ρ", "r", "summaries", "above, by ρ"])
    by_rank = standings(people, judged, signed, "spearman")
    by_value = standings(people, judged, signed, "pearson")
    for at, (one, other) in enumerate(zip(by_rank, by_value, strict=True)):
        is_person = at < len(people)
        name = f"annotator {one.name}" if is_person else one.name
        above = "" if is_person else f"{100 * one.above:.0f} %"
        shown = [Number(one.agreement.value), Number(other.agreement.value)]
        sheet.add(name, *shown, one.agreement.n, above)
    figure = plots.standings(
        [one.agreement.value for one in by_rank[: len(people)]],
        [Dot(one.name, one.agreement.value) for one in by_rank[len(people) :]],
        Labels("annotator, the weakest first", "ρ with people"),
    )
    _keep(figure, "study-annotators")
    return sheet.markdown()


def table_of_splits() -> str:
    """BLANC paper, figure 9 (a drawing, of other data): three annotators against the others."""
    _, judged = _people()
    # Those who judged most: a split of people who hardly met says little.
    often = np.argsort(-np.isfinite(judged).sum(axis=0), kind="stable")[:10]
    ten = judged[:, np.sort(often)]
    table = _table("cnndm555", *MEASURES)
    found = splits(ten, 3, {name: table.signed(name) for name in MEASURES})
    named = {"3 annotators": found.people, **found.measures}
    sheet = ResultTable(["against the other 7", "lowest", "median", "highest", "above the 3"])
    for name, each in named.items():
        values = np.array([one.value for one in each])
        mine = np.array([one.value for one in found.people])
        above = "" if each is found.people else f"{100 * (values >= mine).mean():.0f} %"
        spread = (values.min(), np.median(values), values.max())
        sheet.add(name, *(Number(float(value)) for value in spread), above)
    groups = [(name, [one.value for one in each]) for name, each in named.items()]
    labels = Labels("way to choose 3 of 10, sorted", "ρ with the other 7")
    _keep(plots.sorted_points(groups, labels), "study-splits")
    return sheet.markdown()


def table_of_people_and_length() -> str:
    """BLANC paper, table 1, the row of people: all 555 pairs; and the weights of §4."""
    with gzip.open(DATA / "cnndm555.jsonl.gz", "rt", encoding="utf-8") as rows:
        read = [json.loads(row) for row in rows]
    _, judged = _people()
    length = np.array([float(len(row["summary"])) for row in read])
    compression = length / np.array([len(row["source"]) for row in read])
    weights = {0.0: 3.0, 1.0: 3.0, 2.0: 1.0, 3.0: 1.0, 4.0: 2.0}
    sheet = ResultTable(
        ["people", "", "length, paper", "length", "compression, paper", "compression"]
    )
    published = {"pearson": ("r", "0.41", "0.31"), "spearman": ("ρ", "0.41", "0.43")}
    for name, given in (("plain mean", None), ("weighted mean", weights)):
        mean = consensus(judged, weights=given)
        for coefficient, (symbol, of_length, of_compression) in published.items():
            here = [
                Number(correlate(mean, other, coefficient).value)  # type: ignore[arg-type]
                for other in (length, compression)
            ]
            is_plain = given is None
            sheet.add(
                name,
                symbol,
                of_length if is_plain else "",
                here[0],
                of_compression if is_plain else "",
                here[1],
            )
    return sheet.markdown()


def table_of_layers() -> str:
    """ESTIME paper, appendix A: the curves over layers, with intervals."""
    from tools.reproduce.claims import results

    examples = load("summeval")
    found = results("summeval", SPECS["estime"])
    depth = sum(part.startswith("alarms_l") for part in found[0].parts)
    layers = list(range(1, depth + 1))
    table = _table("summeval", "estime")
    draws = draw_resamples(table.grid, "documents", resamples=1000, seed=0)
    columns = [
        np.array([-score.parts.get(f"alarms_l{layer}", math.nan) for score in found])
        for layer in layers
    ]
    curves = []
    sheet = ResultTable(["layer", *examples[0].human])
    cells: list[list[Number]] = [[] for _ in layers]
    for quality, human in table.human.items():
        spread = bootstrap(columns, human, table.grid, "summary", "spearman", draws)
        for at, column in enumerate(columns):
            value = agreement(column, human, table.grid, "summary", "spearman").value
            cells[at].append(Number(value, *interval(spread[at])))
        mine = [row[-1] for row in cells]
        ends = [f.low for f in mine], [f.high for f in mine]
        x = [float(layer) for layer in layers]
        curves.append(plots.Line(quality, x, [figure.value for figure in mine], *ends))
    for layer, row in zip(layers, cells, strict=True):
        sheet.add(str(layer), *row)
    labels = Labels("layer of the embedded model", "summary-level ρ of (−) alarms")
    _keep(plots.curves(curves, labels), "study-layers")
    return sheet.markdown()


TABLES = {
    "study-mixes": table_of_mixes,
    "study-bert-score-mix": table_of_bert_score_mix,
    "study-complementarity": table_of_complementarity,
    "study-robustness": table_of_robustness,
    "study-scaling": table_of_scaling,
    "study-spurious": table_of_spurious,
    "study-ranges": table_of_ranges,
    "study-settings": table_of_settings,
    "study-annotators": table_of_annotators,
    "study-splits": table_of_splits,
    "study-people": table_of_people_and_length,
    "study-layers": table_of_layers,
}
