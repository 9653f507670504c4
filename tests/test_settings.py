"""The settings of all measures, estimators and perturbations: help, names, types."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from tools.docs_tables import DOCS, renewed, settings_of
from tricolore.errors import SpecError
from tricolore.perturb.kinds import KINDS as DAMAGE
from tricolore.perturb.kinds import find_perturbation
from tricolore.registry import composed, describe, entries, get_measure
from tricolore.settings import SettingInfo, Settings, describe_settings, setting
from tricolore.train.kinds import KINDS as ESTIMATORS
from tricolore.train.kinds import find_estimator


def everything() -> dict[str, type[Settings]]:
    """All classes that have settings, by a name for messages."""
    measures = {name: entry.load() for name, entry in (entries() | composed()).items()}
    estimators = {f"train {name}": find_estimator(name) for name in ESTIMATORS}
    damage = {name: find_perturbation(name) for name in DAMAGE}
    return {**measures, **estimators, **damage}


ALL = {name: describe_settings(cls) for name, cls in everything().items()}

SYNONYMS = [
    {"lowercase", "lower", "case", "lower_case", "uncased"},
    {"unicode", "normal", "form", "normalisation"},
    {"smoothing", "smooth"},
    {"tokenizer", "tokenize", "tokeniser"},
    {"stop_words", "stop", "stopwords"},
    {"max_tokens", "pieces", "max_length", "max_pieces"},
    {"learning_rate", "rate", "lr"},
    {"model", "encoder", "net", "lm"},
    {"model_revision", "encoder_revision", "revision"},
    {"directory", "path", "place"},
    {"dtype", "precision"},
    {"batch", "batch_size"},
    {"epochs", "rounds"},
    {"seed", "random_state"},
    {"reference_from", "reference"},
]
"""In each set, all names but one are of no use: one setting has one name."""


def test_no_setting_has_two_names() -> None:
    used = {one.name for settings in ALL.values() for one in settings}
    for names in SYNONYMS:
        assert len(names & used) <= 1, names & used


def test_a_setting_has_the_same_type_everywhere() -> None:
    types: dict[str, dict[str, list[str]]] = {}
    for owner, settings in ALL.items():
        for one in settings:
            types.setdefault(one.name, {}).setdefault(one.type, []).append(owner)
    several = {name: by_type for name, by_type in types.items() if len(by_type) > 1}
    # A scaling is learnt by one of a few methods, or given to a sum as bounds; β is a Greek letter.
    assert set(several) <= {"scaling", "beta"}, several


@pytest.mark.parametrize("owner", sorted(ALL))
def test_every_setting_has_a_sentence_of_help(owner: str) -> None:
    for one in ALL[owner]:
        assert re.fullmatch(r"[A-Z`].+\.", one.help), f"{owner}: {one.name}: {one.help!r}"
        assert "|" not in one.help  # it stands in a table
        assert "see below" not in one.help  # it is read without the page, too
        if one.choices:
            assert str(one.default) in one.choices


def test_what_names_a_file_or_a_model_says_so() -> None:
    opens = {(one.name, one.opens) for settings in ALL.values() for one in settings if one.opens}
    assert opens == {
        ("model", "model"),
        ("raw_model", "model"),
        ("acceptability", "model"),
        ("coherence", "model"),
        ("model_revision", "model"),
        ("corpus", "file"),
        ("tokenizer_file", "file"),
        ("idf", "file"),
        ("baseline", "file"),
        ("directory", "file"),
        ("rubric", "file"),
        ("url", "address"),
    }


def test_what_a_setting_is_described_as() -> None:
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Ngrams(Settings):
        n: int = setting(2, "Number of words.")
        share: float = setting(0.5, "A share.")
        stem: bool = setting(False, "Whether.")
        _kept: str = ""

    assert describe_settings(Ngrams) == (
        SettingInfo("n", "whole number", (), 2, "Number of words.", ""),
        SettingInfo("share", "number", (), 0.5, "A share.", ""),
        SettingInfo("stem", "true or false", (), False, "Whether.", ""),
    )
    [pooling] = [one for one in ALL["sbert"] if one.name == "pooling"]
    assert (pooling.type, pooling.choices) == ("choice", ("model", "cls", "mean", "max"))


PAGES = sorted(DOCS.rglob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_the_tables_of_the_pages_are_up_to_date(page: Path) -> None:
    """If this fails, run `python -m tools.docs_tables`."""
    text = page.read_text(encoding="utf-8")
    assert renewed(text) == text


def test_every_measure_and_estimator_has_a_table() -> None:
    written = {
        name
        for page in PAGES
        for name in re.findall(r"<!-- settings of ([^>]+?) -->", page.read_text("utf-8"))
    }
    rouge = {name for name in entries() if name.startswith("rouge")} - {"rouge-1"}
    estimators = {f"train {name}" for name in ESTIMATORS}
    assert written >= (entries().keys() | composed().keys() | estimators) - rouge
    assert "subtle-errors" in written
    stale = renewed("<!-- settings of length -->\nold\n<!-- end -->\n")
    assert "| tokenizer | `words`, `space`, `google`, `unicode` | words | How texts" in stale
    assert settings_of("length") == describe("length").settings


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("rouge-w:weight=nan", "weight must be a number that is finite"),
        ("rouge-w:weight=inf", "weight must be a number that is finite"),
        ("meteor:beta=1e999", "beta must be a number that is finite"),
        ("novelty:n=2147483648", "n must be a whole number from -2147483647 to 2147483647"),
        (f"novelty:n={'9' * 400}", "n must be a whole number from"),
        (f"novelty:n={'9' * 5000}", "n must be a whole number"),
    ],
)
def test_numbers_out_of_range_are_refused_in_one_place(spec: str, words: str) -> None:
    with pytest.raises(SpecError, match=words) as caught:
        get_measure(spec)
    assert len(str(caught.value)) < 400
