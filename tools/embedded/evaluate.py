"""How good a masked LM is for BLANC-help and ESTIME: the figures of the model card.

Both measures are written here in their shortest form, only to choose and describe a model; the
library's own, with their options and evidence, live in `tricolore.measures`.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr

from tools.embedded.corpus import sentences_of
from tricolore.models.masked_lm import MaskedLM, Query

Row = dict[str, Any]

GAP = 6
SHORTEST_MASKED = 4
ESTIME_GAP = 8
ESTIME_WINDOW = 450
ESTIME_MARGIN = 50


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


# --- BLANC-help (figure 2 of the paper) ---------------------------------------------------------


def _masked_sentences(model: MaskedLM, sentences: Sequence[str]) -> list[tuple[Query, list[int]]]:
    """Every masking of every sentence, unframed, with the tokens that were masked."""
    found = []
    for sentence in sentences:
        tokens = model.tokenize(sentence)
        words = [match.span() for match in re.finditer(r"\w+|[^\w\s]+", sentence)]
        for start in range(GAP):
            chosen = [w for w in words[start::GAP] if w[1] - w[0] >= SHORTEST_MASKED]
            where = [
                i
                for i, (a, b) in enumerate(tokens.spans)
                if any(a >= c and b <= d for c, d in chosen)
            ]
            if not where:
                continue
            ids = list(tokens.ids)
            gold = [ids[i] for i in where]
            for i in where:
                ids[i] = model.mask_id
            found.append((Query(tuple(ids), tuple(where)), gold))
    return found


def _hits(
    model: MaskedLM, front: Sequence[int], masked: list[tuple[Query, list[int]]]
) -> np.ndarray:
    queries = [
        Query(model.frame(front, q.ids), tuple(p + 1 + len(front) for p in q.positions))
        for q, _ in masked
    ]
    guessed = model.predict(queries)
    gold = [np.asarray(tokens) for _, tokens in masked]
    return np.concatenate([g == t for g, t in zip(guessed, gold, strict=True)])


def blanc_help(model: MaskedLM, summaries: Sequence[str], sentences: Sequence[str]) -> list[float]:
    """BLANC-help (relative) of several summaries of one text; equal lengths share the filler."""
    masked = _masked_sentences(model, sentences)
    period = model.tokenize(".").ids
    fillers: dict[int, np.ndarray] = {}
    values = []
    for summary in summaries:
        front = model.tokenize(summary).ids[:200]
        if len(front) not in fillers:
            fillers[len(front)] = _hits(model, period * len(front), masked)
        values.append(float((_hits(model, front, masked) * 1 - fillers[len(front)]).mean()))
    return values


def random_words(text: str, like: str, rng: random.Random) -> str:
    """As many words as the summary has, drawn from the text at random."""
    words = text.split()
    return " ".join(rng.choice(words) for _ in like.split())


def blanc_pairs(model: MaskedLM, data: Path, pairs: int, sentences: int = 10) -> dict[str, float]:
    """How often the true summary beats another article's, and a random-word summary."""
    rng = random.Random("pairs")
    seen: dict[str, Row] = {}
    for row in rows(data / "cnndm555.jsonl.gz"):
        seen.setdefault(source_text(row), row)
    chosen = rng.sample(list(seen.values()), pairs)
    values = []
    for row, other in zip(chosen, [*chosen[1:], chosen[0]], strict=True):
        text = source_text(row)
        candidates = [row["summary"], other["summary"], random_words(text, row["summary"], rng)]
        values.append(blanc_help(model, candidates, sentences_of(text)[:sentences]))
    true, wrong, noise = np.asarray(values).T
    return {
        "pairs": pairs,
        "true beats other": float((true > wrong).mean()),
        "true beats random words": float((true > noise).mean()),
        "mean true": float(true.mean()),
        "mean other": float(wrong.mean()),
        "mean random words": float(noise.mean()),
    }


# --- ESTIME (equations 1 and 2 of the paper) ----------------------------------------------------


def _masked_windows(model: MaskedLM, ids: Sequence[int]) -> list[tuple[Query, list[int]]]:
    """Windows over the text in which every eighth token is masked, and which tokens those are."""
    step = ESTIME_WINDOW - 2 * ESTIME_MARGIN
    found = []
    start = 0
    while True:
        end = min(len(ids), start + ESTIME_WINDOW)
        first = start if start == 0 else start + ESTIME_MARGIN
        last = end if end == len(ids) else end - ESTIME_MARGIN
        for shift in range(min(ESTIME_GAP, last - first)):
            where = list(range(first + shift, last, ESTIME_GAP))
            window = list(ids[start:end])
            for i in where:
                window[i - start] = model.mask_id
            query = Query(model.frame(window), tuple(i - start + 1 for i in where))
            found.append((query, where))
        if end == len(ids):
            return found
        start += step


def token_vectors(model: MaskedLM, texts: Sequence[Sequence[int]], layers: list[int]) -> list[Any]:
    """For each text its masked-token vectors, of shape (layers, tokens, width)."""
    jobs = [(n, q, w) for n, ids in enumerate(texts) for q, w in _masked_windows(model, ids)]
    answers = model.vectors([query for _, query, _ in jobs], layers)
    width = answers[0].shape[-1]
    found = [np.zeros((len(layers), len(ids), width), dtype=np.float32) for ids in texts]
    for (number, _, where), vectors in zip(jobs, answers, strict=True):
        found[number][:, where] = vectors
    return found


def alarms(
    ids: Sequence[int], vectors: np.ndarray, text_ids: np.ndarray, text_vectors: np.ndarray
) -> tuple[int, int]:
    """The number of alarms and of checked tokens of a summary, at one layer."""
    raised = checked = 0
    products = vectors @ text_vectors.T
    for token, row in zip(ids, products, strict=True):
        same = text_ids == token
        if same.any():
            checked += 1
            raised += bool((~same).any() and row[~same].max() > row[same].max())
    return raised, checked


def estime(model: MaskedLM, data: Path, documents: int | None = None) -> dict[int, dict[str, Any]]:
    """Spearman of minus alarms, and of minus alarms a checked token, with each human score."""
    layers = list(range(1, model.layers + 1))
    groups: dict[str, list[Row]] = {}
    for row in rows(data):
        groups.setdefault(source_text(row), []).append(row)
    counts: dict[int, list[tuple[int, int]]] = {layer: [] for layer in layers}
    human: list[dict[str, float]] = []
    for text, group in list(groups.items())[:documents]:
        texts = [model.tokenize(t).ids for t in (text, *(row["summary"] for row in group))]
        vectors = token_vectors(model, texts, layers)
        text_ids = np.asarray(texts[0])
        for ids, found, row in zip(texts[1:], vectors[1:], group, strict=True):
            human.append(row["human"])
            for at, layer in enumerate(layers):
                counts[layer].append(alarms(ids, found[at], text_ids, vectors[0][at]))
    return {layer: _correlations(counts[layer], human) for layer in layers}


def _correlations(
    counts: list[tuple[int, int]], human: list[dict[str, float]]
) -> dict[str, dict[str, float]]:
    raised, checked = np.asarray(counts, dtype=float).T
    values = {"alarms": -raised, "alarms a checked token": -raised / np.maximum(checked, 1)}
    return {
        name: {
            quality: round(float(spearmanr(value, [h[quality] for h in human]).statistic), 3)
            for quality in sorted(human[0])
        }
        for name, value in values.items()
    }
