"""How good a masked LM is for BLANC-help and ESTIME: the figures of the model card."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr

from tools.embedded.corpus import sentences_of
from tricolore import Example, Run
from tricolore.measures.blanc_help import BlancHelp
from tricolore.measures.estime import Estime
from tricolore.models import MaskedLM, Query

Row = dict[str, Any]

SHORTEST_MASKED = 4


def rows(path: Path) -> list[Row]:
    """The rows of a judged set."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def source_text(row: Row) -> str:
    """The source of a row as one text, whether it is stored as one or several."""
    source = row["source"]
    return source if isinstance(source, str) else "\n".join(source)


def text_accuracy(model: MaskedLM, text: str, gap: int = 7) -> tuple[float, float]:
    """Accuracy on every token of a text, and on whole words of 4+ letters that are one token.

    Each paragraph is read `gap` times with every seventh token (about 15 %) masked, so that
    each token is asked for once.
    """
    hits: list[bool] = []
    content: list[bool] = []
    for paragraph in filter(None, map(str.strip, text.split("\n\n"))):
        tokens = model.tokenize(paragraph)
        shifts = [range(shift, len(tokens), gap) for shift in range(min(gap, len(tokens)))]
        queries = []
        for masked in shifts:
            ids = [model.mask_id if i in masked else t for i, t in enumerate(tokens.ids)]
            queries.append(Query(model.frame(ids), tuple(i + 1 for i in masked)))
        for masked, guessed in zip(shifts, model.predict(queries), strict=True):
            hits.extend(int(g) == tokens.ids[i] for i, g in zip(masked, guessed, strict=True))
            content.extend(_is_content_word(paragraph, *tokens.spans[i]) for i in masked)
    right = np.asarray(hits)
    return float(right.mean()), float(right[np.asarray(content)].mean())


def _is_content_word(text: str, start: int, end: int) -> bool:
    alone = not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum()
    return alone and end - start >= SHORTEST_MASKED and text[start:end].isalpha()


def random_words(text: str, like: str, rng: random.Random) -> str:
    """As many words as the summary has, drawn from the text at random."""
    words = text.split()
    return " ".join(rng.choice(words) for _ in like.split())


def blanc_pairs(model: str, data: Path, pairs: int, sentences: int = 10) -> dict[str, float]:
    """How often the true summary beats another article's, and a random-word summary."""
    rng = random.Random("pairs")
    seen: dict[str, Row] = {}
    for row in rows(data / "cnndm555.jsonl.gz"):
        seen.setdefault(source_text(row), row)
    chosen = rng.sample(list(seen.values()), pairs)
    examples = []
    for row, other in zip(chosen, [*chosen[1:], chosen[0]], strict=True):
        text = source_text(row)
        start = " ".join(sentences_of(text)[:sentences])
        drawn = random_words(text, row["summary"], rng)
        for summary in (row["summary"], other["summary"], drawn):
            examples.append(Example(source=start, summary=summary))
    values = [score.value for score in BlancHelp(model=model).score(examples)]
    true, wrong, noise = np.asarray(values).reshape(-1, 3).T
    return {
        "pairs": pairs,
        "true beats other": float((true > wrong).mean()),
        "true beats random words": float((true > noise).mean()),
        "mean true": float(true.mean()),
        "mean other": float(wrong.mean()),
        "mean random words": float(noise.mean()),
    }


def estime(
    model: str, data: Path, documents: int | None = None
) -> dict[str, dict[str, dict[str, float]]]:
    """Spearman of minus alarms, and of minus alarms a checked token, with each human score.

    By layer, from one pass.
    """
    groups: dict[str, list[Row]] = {}
    for row in rows(data):
        groups.setdefault(source_text(row), []).append(row)
    judged = [row for group in list(groups.values())[:documents] for row in group]
    measure = Estime(model=model, layers="all")
    examples = [Example(source=source_text(row), summary=row["summary"]) for row in judged]
    found = [result.scores[measure.label] for result in Run([measure]).score(examples)]
    kept = [(s, row) for s, row in zip(found, judged, strict=True) if s.problem is None]
    checked = np.array([score.parts["checked"] for score, _ in kept])
    answer = {}
    for part in (name for name in kept[0][0].parts if name.startswith("alarms_l")):
        alarms = -np.array([score.parts[part] for score, _ in kept])
        values = {"alarms": alarms, "alarms a checked token": alarms / checked}
        answer[part.removeprefix("alarms_l")] = {
            name: _correlations(value, [row["human"] for _, row in kept])
            for name, value in values.items()
        }
    return answer


def _correlations(values: np.ndarray, human: list[dict[str, float]]) -> dict[str, float]:
    return {
        quality: round(float(spearmanr(values, [h[quality] for h in human]).statistic), 3)
        for quality in sorted(human[0])
    }
