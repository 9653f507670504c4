"""Text that a measure cannot judge is said: cut off, or in a language that it was not made for."""

import pytest

from tests.text.test_language import CHINESE, GERMAN, GREEK
from tricolore import Example, get_measure, get_measures
from tricolore.report.systems import SystemTable
from tricolore.run.run import Run

ENGLISH = (
    "The old harbour bridge closed on Monday after engineers had warned of cracks for years. "
    "Ferries carried passengers across the river instead, and the city council promised repairs."
)


def flags(spec, source, summary="Hafen und Ende", references=()):
    example = Example(source=source, summary=summary, references=references)
    [score] = get_measure(spec).score([example])
    assert score.problem is None
    return score.flags


@pytest.mark.parametrize(
    ("spec", "source"),
    [
        ("coverage", CHINESE),
        ("novelty", CHINESE),
        ("rouge-1:against=source,tokenizer=words", CHINESE),
        ("jensen-shannon", GERMAN),
        ("rouge-1:against=source,stem=true", GERMAN),
        ("estime", GERMAN),
        ("supert", GERMAN),
        ("sbert", GERMAN),
        ("blanc-help", GERMAN),
    ],
)
def test_a_language_that_the_measure_was_not_made_for(spec, source):
    assert flags(spec, source) == ("language",)


def test_greek_and_the_english_model():
    assert flags("estime", GREEK, GREEK) == ("language",)


@pytest.mark.parametrize(
    "spec", ["coverage", "rouge-1:against=source", "jensen-shannon:stem=false"]
)
def test_words_with_spaces_between_them_are_all_that_is_needed(spec):
    assert flags(spec, GERMAN, GERMAN[:40]) == ()


@pytest.mark.parametrize(
    "spec", ["coverage", "meteor", "jensen-shannon", "estime", "supert", "sbert", "importance"]
)
def test_english_is_not_flagged(spec):
    assert flags(spec, ENGLISH, "The bridge closed.", "The bridge was closed.") == ()
    assert flags(spec, ENGLISH.lower(), "bridge closed", "the bridge was closed.") == ()


def test_the_summary_counts_where_no_source_is_read():
    assert flags("length", ENGLISH, CHINESE) == ("language",)
    assert flags("length", CHINESE, ENGLISH) == ()


def test_characters_need_no_spaces():
    assert flags("chrf", CHINESE, CHINESE, CHINESE) == ()
    assert flags("bleu:tokenizer=zh", CHINESE, CHINESE, CHINESE) == ()
    assert flags("bleu", CHINESE, CHINESE, CHINESE) == ("language",)


def test_a_model_that_the_user_names_is_his_choice(tmp_path):
    assert get_measure("estime:model=bert-base-multilingual-cased").language == "any"
    assert get_measure("estime").language == "english"


LONG = " ".join([ENGLISH] * 20)


@pytest.mark.parametrize(
    ("spec", "cut", "whole"),
    [
        ("sbert", LONG, ENGLISH),
        ("bert-score:against=source,model=all-MiniLM-L6-v2", LONG, ENGLISH),
        # One sentence of 600 words; many short sentences are read whole.
        ("supert", "bridge and river " * 200, ENGLISH),
        ("supert:max_tokens=7", ENGLISH, "The bridge closed."),
    ],
)
def test_a_source_that_is_not_read_to_its_end(spec, cut, whole):
    assert "truncated" in flags(spec, cut, "A bridge.")
    assert flags(spec, whole, "A bridge.") == ()


@pytest.mark.parametrize("spec", ["sbert:long=chunk", "sbert:max_tokens=200", "supert"])
def test_a_source_that_is_read_to_its_end(spec):
    source = LONG if "chunk" in spec or spec == "supert" else ENGLISH
    assert flags(spec, source, "A bridge.") == ()


@pytest.mark.parametrize("spec", ["estime", "blanc-help", "blanc-tune:epochs=1"])
def test_a_lower_cased_summary_and_a_cased_model(spec):
    colon = "," if ":" in spec else ":"
    lower = "the old bridge closed."
    assert flags(spec, ENGLISH, lower) == ("case",)
    assert flags(f"{spec}{colon}lowercase=true", ENGLISH, lower) == ()
    assert flags(spec, ENGLISH, "The old bridge closed.") == ()
    assert flags(spec, ENGLISH.lower(), lower) == ()


def test_case_where_there_is_none(tiny):
    """A summary without letters; a model that does not know the difference."""
    assert flags(f"estime:model={tiny}", "The dog met 5 .", "5 .") == ()
    assert flags(f"estime:model={tiny}", "The dog met", "the dog") == ("case",)


def test_case_is_nothing_to_an_uncased_model(first_word):
    assert flags("blanc-help", "Alpha beta.", "alpha beta.") == ()


def test_the_note_on_case():
    [measure] = get_measures("estime")
    rows = [
        Example(source=ENGLISH, summary=summary, doc_id=str(at))
        for at, summary in enumerate(["The bridge closed.", "the bridge closed."])
    ]
    table = SystemTable([measure])
    for row, score in zip(rows, measure.score(rows), strict=True):
        table.add(row, {measure.label: score})
    assert table.table().notes[-1] == (
        "estime: 1 of 2 rows has a summary without capital letters, unlike its source, and its "
        "model is cased: consider lowercase=true."
    )


def test_a_sum_has_the_flags_of_its_terms():
    assert flags("sbert+coverage", LONG, "A bridge.") == ("truncated",)
    [result] = Run(["coverage+estime"]).score([Example(source=GERMAN, summary="Die Brücke")])
    assert result.scores["coverage+estime"].flags == ("language",)


def test_one_note_per_measure_with_the_count():
    measures = get_measures("coverage,jensen-shannon,sbert")
    rows = [
        Example(source=source, summary="Hafen und Ende", doc_id=str(at))
        for at, source in enumerate([ENGLISH, GERMAN, CHINESE, LONG])
    ]
    table = SystemTable(measures)
    scored = [measure.score(rows) for measure in measures]
    for at, row in enumerate(rows):
        table.add(row, {m.label: s[at] for m, s in zip(measures, scored, strict=True)})
    notes = table.table().notes[1:]
    assert notes == [
        "coverage: 1 of 4 rows has a text without spaces between words, which it cannot split "
        "into words.",
        "jensen-shannon: 2 of 4 rows have a text that is not English, which it was not made for.",
        "sbert: 1 of 4 rows has a text of which only the beginning was read.",
        "sbert: 2 of 4 rows have a text that is not English, which it was not made for.",
        "coverage follows copying more than quality.",
        "jensen-shannon follows length more than quality.",
    ]
