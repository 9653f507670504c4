import pickle
from dataclasses import FrozenInstanceError

import pytest

from tricolore import Example
from tricolore.example import ContentUnit, Unreadable


def test_one_text_and_several_are_kept_alike():
    one = Example(source="a", summary="s", references="r")
    assert one == Example(source=["a"], summary="s", references=("r",))
    assert one.source == ("a",)


def test_rows_with_the_same_source_are_about_the_same_document():
    first, second = (Example(source="the text", summary=s) for s in ("x", "y"))
    assert first.doc_id == second.doc_id
    assert first.doc_id != Example(source="another text", summary="x").doc_id
    # two documents are not one document that holds both
    split, whole = Example(source=["a", "b"], summary="s"), Example(source="ab", summary="s")
    assert split.doc_id != whole.doc_id
    assert Example(source="the text", summary="x", doc_id="7").doc_id == "7"


def test_immutable():
    example = Example(source="a", summary="s", human={"coherence": 1.0})
    with pytest.raises(FrozenInstanceError):
        example.summary = "other"
    with pytest.raises(TypeError):
        example.human["coherence"] = 5.0


def test_goes_to_another_process_and_back():
    example = Example(source=["a", "b"], summary="s", references="r", human={"fluency": 2.5})
    assert pickle.loads(pickle.dumps(example)) == example


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"summary": ["A cat."]}, "summary is a text, not list"),
        ({"summary": None}, "summary is a text, not NoneType"),
        ({"summary": "s", "source": [1]}, "source is a text or a list of texts, not int"),
        ({"summary": "s", "references": [["a"]]}, "references is a text or a list of texts, not"),
    ],
)
def test_what_is_no_text(given, problem):
    with pytest.raises(TypeError, match=problem):
        Example(**given)


def test_what_no_file_can_hold_is_replaced():
    example = Example(
        source=["a \ud800"],
        summary="\ud83d\ude00 \ude00",
        references="\udfff",
        doc_id="\ud800",
        system="s\ud800",
        human={"q\ud800": 1.0},
    )
    assert example.to_json() == {
        "doc_id": "\ufffd",
        "system": "s\ufffd",
        "source": "a \ufffd",
        "summary": "😀 \ufffd",
        "references": ["\ufffd"],
        "human": {"q\ufffd": 1.0},
    }
    row = Unreadable("no \ud800", "\ud801", "\ud802")
    assert row == Unreadable("no \ufffd", "\ufffd", "\ufffd")


@pytest.mark.parametrize("name", ["doc_id", "system"])
def test_ids_and_names_are_text(name):
    with pytest.raises(TypeError, match=f"{name} is a text, not int"):
        Example(summary="s", **{name: 7})


def test_units_and_highlights_are_made_from_plain_values():
    example = Example(
        source="It rains in Rome.",
        summary="Rain.",
        units=["It rains.", {"text": "In Rome.", "weight": 2, "present": 0, "id": "ignored"}],
        highlights=["rains", {"start": 3, "end": 8, "annotator": 7}],
    )
    assert example.units == (ContentUnit("It rains."), ContentUnit("In Rome.", 2.0, False))
    assert example.units[1].present is False
    snippet, span = example.highlights
    assert (snippet.text, span.start, span.end, span.annotator) == ("rains", 3, 8, "7")
    assert Example.from_json(example.to_json()) == example
    assert pickle.loads(pickle.dumps(example)) == example
    assert example != Example(source="It rains in Rome.", summary="Rain.")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"units": "It rains."}, "units is a list of content units, not str"),
        ({"units": [7]}, "a content unit is a text or an object, not int"),
        ({"units": [{"weight": 1}]}, "a content unit has no text"),
        ({"units": [" "]}, "the text of a content unit is empty"),
        ({"units": [{"text": "a", "weight": -1}]}, "weight of a content unit is -1, but must be 0"),
        ({"units": [{"text": "a", "weight": float("nan")}]}, "is nan, but must be 0 or more"),
        ({"units": [{"text": "a", "weight": "3"}]}, "weight of a content unit is str, not number"),
        ({"units": [{"text": "a", "present": "yes"}]}, "must be true, false or null"),
        ({"highlights": "rains"}, "highlights is a list of snippets or spans, not str"),
        ({"highlights": [{"start": 3}]}, "a highlight needs a text, or a start and an end"),
        ({"highlights": [{"start": 3, "end": 3}]}, "a start and an end after it"),
        ({"highlights": [{"start": 3.5, "end": 4}]}, "start of a highlight is float, not int"),
        ({"highlights": [{"text": "a", "end": 4}]}, "a text, or a start and an end, but not both"),
        ({"highlights": [{"text": "a", "document": -1}]}, "document of a highlight is -1"),
    ],
)
def test_wrong_units_and_highlights(given, problem):
    with pytest.raises((TypeError, ValueError), match=problem):
        Example(summary="s", **given)
