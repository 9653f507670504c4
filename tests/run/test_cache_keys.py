from tricolore import Example, get_measure
from tricolore.run.cache_keys import MeasureKey, TextKeys

COVERAGE, ROUGE = get_measure("coverage"), get_measure("rouge-1")


def key(measure, **texts):
    example = Example(**{"source": "s", "summary": "y", "references": "r", **texts})
    made = MeasureKey.of(measure, evidence=False)
    [texts_key] = TextKeys([example]).of(made.reads)
    return texts_key + made.digest


def test_a_key_changes_with_whatever_the_value_depends_on():
    assert key(COVERAGE) == key(COVERAGE, references="other"), "coverage never sees references"
    assert key(ROUGE) == key(ROUGE, source="other"), "ROUGE never sees the source"
    different = [
        key(COVERAGE),
        key(COVERAGE, summary="z"),
        key(COVERAGE, source="t"),
        key(COVERAGE, source=["s", ""]),
        key(get_measure("coverage:matching=greedy")),
        key(ROUGE),
        key(ROUGE, references=["r", "r"]),
        key(ROUGE, summary="yr", references=""),
        key(get_measure("length")),
        key(get_measure("length"), summary="z"),
    ]
    assert len(set(different)) == len(different)
    assert MeasureKey.of(ROUGE, evidence=True) != MeasureKey.of(ROUGE, evidence=False)


def test_a_text_is_not_taken_for_another_kind_of_text():
    example = Example(source="same", summary="y", references="same")
    keys = TextKeys([example])
    kinds = [(), ("source",), ("references",), ("source", "references")]
    assert len({keys.of(frozenset(kind))[0] for kind in kinds}) == 4


def test_summaries_of_a_document_are_neighbours():
    examples = [Example(source=f"d{n % 3}", summary=f"s{n}") for n in range(9)]
    keys = TextKeys(examples).of(frozenset({"source"}))
    documents = [examples[keys.index(key)].source for key in sorted(keys)]
    assert len([at for at in range(8) if documents[at] != documents[at + 1]]) == 2


def test_a_key_covers_units_and_labels_only_if_the_measure_reads_them():
    pyramid = get_measure("pyramid")
    unit = {"text": "u", "present": True}
    different = [
        key(pyramid, units=[unit]),
        key(pyramid, units=[{**unit, "present": False}]),
        key(pyramid, units=[{**unit, "weight": 2}]),
        key(pyramid, units=["u"]),
        key(pyramid, units=[unit, unit]),
        key(pyramid, units=[unit], references="other"),
        key(pyramid, units=[unit], summary="other"),
    ]
    assert len(set(different)) == len(different)
    assert key(COVERAGE) == key(COVERAGE, units=[unit], highlights=["s"])
