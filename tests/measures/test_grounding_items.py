"""The items of each sentence of a summary, and how they are shown."""

from __future__ import annotations

from tricolore.measures.grounding_items import GroundingItem, checked_items
from tricolore.score import Span
from tricolore.text.sentences import sentence_spans

SOURCE = "Ann Lee said that 420 jobs would go in Limerick."


def test_items_belong_to_their_sentence():
    summary = "Lee cut 4,200 jobs. Bo Kern wept in Limerick."
    first, second = checked_items(summary, [SOURCE], sentence_spans(summary))
    assert [summary[item.start : item.end] for item in first.unsupported] == ["4,200"]
    assert [summary[item.start : item.end] for item in second.unsupported] == ["Bo Kern"]
    assert [summary[name.start : name.end] for name in first.supported_names] == ["Lee"]
    assert [summary[name.start : name.end] for name in second.supported_names] == ["Limerick"]
    assert [word.text for word in first.words] == ["cut", "jobs"]
    assert [word.text for word in second.words] == ["wept"]
    assert checked_items("…", [SOURCE], []) == []


def test_labels():
    place = SOURCE.index("420"), SOURCE.index("420") + 3
    match = Span("source", *place)
    contradicted = GroundingItem(0, 5, "contradicted number", 0, place).span([SOURCE])
    assert (contradicted.label, contradicted.match) == ("the source has “420”", match)
    absent = GroundingItem(0, 5, "number", 0, place).span([SOURCE])
    assert absent.label == "not in the source; nearest: “420”"
    swapped = GroundingItem(0, 5, "name", 0, (0, 7), is_swapped=True).span([SOURCE])
    assert swapped.label == "the source has “Ann Lee” here"
    alone = GroundingItem(0, 5, "word").span([SOURCE])
    assert (alone.label, alone.match, alone.kind) == ("not in the source", None, "fault")
