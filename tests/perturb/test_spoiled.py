"""Summaries of which some sentences are spoiled."""

import re

from tests.perturb.ferry_texts import EXAMPLE, SOURCE, SUMMARY
from tricolore.perturb.spoiled import SpoiledSentences
from tricolore.text.sentences import sentence_spans


def test_sentences_are_spoiled_one_after_the_other():
    made = SpoiledSentences(seed=4).damage_by([EXAMPLE], [1, 2, 3])[0]
    spans = sentence_spans(SUMMARY)
    for count, one in enumerate(made, 1):
        assert len(one.edits) == count
        assert {(e.change.start, e.change.end) for e in one.edits} <= set(spans)
        for edit in one.edits:
            assert set(edit.change.replacement.split()) <= set(re.findall(r"\w+", SOURCE))
            assert 0 <= len(edit.original) - len(edit.change.replacement) <= 1
    one, two, three = ({edit.change for edit in some.edits} for some in made)
    assert one < two < three
    assert SpoiledSentences(seed=4).damage([EXAMPLE], 1) == made[:1]
    [short] = SpoiledSentences().damage([EXAMPLE], 4)
    assert short.problem == "the summary has only 3 sentences"
    first = [SpoiledSentences(seed=seed).damage([EXAMPLE], 1)[0] for seed in range(30)]
    assert {one.edits[0].change.start for one in first} == {start for start, _ in spans}
