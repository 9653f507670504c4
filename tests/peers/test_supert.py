"""SUPERT again, from the vectors of sentence-transformers and the published formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tricolore import Example
from tricolore.measures.supert import Supert
from tricolore.models.loading import MINILM, home
from tricolore.text.sentences import sentences
from tricolore.text.stop import stop_words

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def model():
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(home(MINILM), device="cpu")


@pytest.fixture(scope="module")
def rows(newsroom: list[dict[str, Any]]) -> list[Example]:
    """Four summaries; of each article and of it with one or two others as its source."""
    articles = list(dict.fromkeys(row["source"] for row in newsroom))
    made = []
    for at, row in enumerate(newsroom[:28:7]):
        others = articles[at + 3 : at + 3 + at % 3]
        source = [row["source"][:2200], *(text[:900] for text in others)]
        made.append(Example(source=source, summary=row["summary"], references=row["references"]))
    return made


def tokens(model: Any, texts: list[str], pieces: int, stop: bool) -> tuple[list[str], np.ndarray]:
    """All tokens of some sentences and their vectors, one sentence after the other."""
    model.max_seq_length = pieces + 2
    found: list[str] = []
    vectors = [states.numpy() for states in model.encode(texts, output_value="token_embeddings")]
    for text, states in zip(texts, vectors, strict=True):
        ids = model.tokenizer(text, truncation=True, max_length=pieces + 2)["input_ids"]
        found += model.tokenizer.convert_ids_to_tokens(ids)
        assert len(ids) == len(states)
    unwanted = {"[cls]", "[sep]"} | (stop_words("nltk") if stop else set())
    wanted = [at for at, token in enumerate(found) if token.lower() not in unwanted]
    return [found[at] for at in wanted], np.concatenate(vectors)[wanted]


def formulas(reference: np.ndarray, summary: np.ndarray) -> tuple[float, float, float]:
    """Precision, recall, F1 of the matrix of cosines (thesis, section 5.2)."""
    lengths = np.outer(np.linalg.norm(reference, axis=1), np.linalg.norm(summary, axis=1))
    matrix = reference @ summary.T / lengths
    recall, precision = matrix.max(axis=1).mean(), matrix.max(axis=0).mean()
    return precision, recall, 2 * precision * recall / (precision + recall)


def published(model: Any, documents: tuple[str, ...], summary: str) -> tuple[float, ...]:
    """The first 10 sentences of every document as one reference."""
    chosen = [sentence for text in documents for sentence in sentences(text)[:10]]
    _, reference = tokens(model, chosen, 254, stop=False)
    return formulas(reference, tokens(model, sentences(summary), 254, stop=False)[1])


def released(model: Any, documents: tuple[str, ...], summary: str) -> tuple[float, ...]:
    """What ref_free_metrics/supert.py does with `top15`, but for its own sentence splitter."""
    tops = [sentences(text)[:15] for text in documents]
    if sum(map(len, tops)) < 15:
        tops = [[sentence for top in tops for sentence in top]]
    _, own = tokens(model, sentences(summary), 128, stop=True)
    each = [formulas(tokens(model, top, 128, stop=True)[1], own) for top in tops]
    return tuple(np.mean(each, axis=0))


def first_sentences(row: Example) -> int:
    return sum(len(sentences(text)[:15]) for text in row.source)


def parts(scores) -> list[list[float]]:
    assert [score.problem for score in scores] == [None] * len(scores)
    return [[score.parts[name] for name in ("precision", "recall", "f1")] for score in scores]


def test_paper(model, rows):
    expected = [published(model, row.source, row.summary) for row in rows]
    found = parts(Supert().score(rows))
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-5)


def test_released(model, rows):
    expected = [released(model, row.source, row.summary) for row in rows]
    found = parts(Supert(**Supert.presets["released"]).score(rows))
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-5)
    assert any(len(row.source) > 1 and first_sentences(row) >= 15 for row in rows)


def test_released_joins_short_documents(model, rows):
    short = [tuple(text[:300] for text in row.source) for row in rows if len(row.source) == 3]
    made = [Example(source=source, summary=rows[0].summary) for source in short]
    assert all(sum(len(sentences(text)) for text in source) < 15 for source in short)
    expected = [released(model, row.source, row.summary) for row in made]
    found = parts(Supert(**Supert.presets["released"]).score(made))
    assert np.array(found) == pytest.approx(np.array(expected), abs=1e-5)


def test_long_sentences_are_cut(model, newsroom):
    text = " ".join(newsroom[0]["source"].replace(".", " ").split()[:200])
    row = Example(source=text, summary=text[-400:])
    for preset, peer in (("paper", published), ("released", released)):
        found = parts(Supert(**Supert.presets[preset]).score([row]))
        assert found[0] == pytest.approx(peer(model, row.source, row.summary), abs=1e-5)


def test_source_and_references(model, rows):
    for against, texts in (("sd", "source"), ("ref", "references")):
        found = parts(Supert(reference_from=against).score(rows[:3]))
        for row, mine in zip(rows[:3], found, strict=True):
            [*documents] = getattr(row, texts)
            whole = [sentence for text in documents for sentence in sentences(text)]
            _, reference = tokens(model, whole, 254, stop=False)
            own = tokens(model, sentences(row.summary), 254, stop=False)[1]
            assert mine == pytest.approx(formulas(reference, own), abs=1e-5)
