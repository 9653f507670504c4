"""Scores of a run as a table."""

from tricolore import Example, Run, get_measure
from tricolore.example import Unreadable
from tricolore.run.table import score_table

EXAMPLES = [
    Example(
        source="The council voted on Monday to close the old bridge. Engineers had warned.",
        summary=summary,
        references="The bridge is closed.",
        doc_id="d",
        system=str(at),
        human={"q": at},
    )
    for at, summary in enumerate(["The council closed the bridge.", "Monday warned the engineers."])
]


def test_scored_in_memory():
    rows = [EXAMPLES[0], Unreadable("bad"), Example(source="", summary="x", human={"p": 1})]
    scored = score_table(Run(["coverage", "bleu"]), rows)
    assert (scored.rows, scored.unreadable) == ([0, 2], 1)
    assert scored.problem == "the source is empty"
    table = scored.table
    [whole, empty] = table.values["coverage"].tolist()
    assert whole == get_measure("coverage").score(EXAMPLES[:1])[0].value
    assert empty != empty
    assert table.measures == ("coverage", "bleu")
    assert "bleu.sys_len" in table.values
    assert table.human["q"].tolist()[0] == 0
    assert table.human["q"][1] != table.human["q"][1]
