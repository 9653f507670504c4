"""Which summaries say what their source does not: counts, order, failures, forms of output."""

import io
import json

import pytest

from tests.api.plain_lookup import PlainLookup
from tricolore import Example, SpecError, TricoloreError, check, get_measure
from tricolore.report.terminal import SafeConsole
from tricolore.testing import check_measure

SOURCE = "The plant in Limerick has 420 jobs. It opened in May 1993. The mayor was glad."
ROWS = [
    {"source": SOURCE, "summary": "The plant has jobs.", "system": "b", "doc_id": "x"},
    {"source": SOURCE, "summary": "The plant has 4,200 jobs.", "system": "a", "doc_id": "x"},
    {"source": SOURCE, "summary": "", "system": "b", "doc_id": "y"},
    {
        "source": SOURCE,
        "summary": "Bergen was glad. Scotland eats porridge.",
        "system": "b",
        "doc_id": "z",
    },
]
ANSWER = (
    "1 of 3 summaries contains numbers or dates that the source does not have (in 1 it has another "
    "value); 1 contains names that it does not have; 1 contains sentences that no passage of it "
    "supports well; 1 contains words that it does not have (often mere rewording); 1 row could not "
    "be checked."
)


def checked(rows=ROWS, **options):
    return check(rows, PlainLookup(), **options)


def printed(result, form="table", show=10, width=200):
    out = SafeConsole(io.StringIO(), width=width)
    result.write(out, form, show)
    return out.file.getvalue()


def test_the_answer_is_one_line():
    assert checked().answer == ANSWER
    assert checked(ROWS[:1]).answer == "Nothing was found in 1 summary."
    two = [ROWS[3], {**ROWS[3], "doc_id": "w"}]
    assert checked(two).answer.startswith("2 of 2 summaries contain names that the source does")


def test_the_worst_come_first_and_those_not_checked_last():
    result = checked()
    assert [one.row for one in result.summaries] == [4, 2, 1, 3]
    assert [one.verdict for one in result.summaries] == [
        "unsupported items",
        "contradicted",
        "nothing found",
        "not checked",
    ]
    assert [one.row for one in result.worst()] == [4, 2]
    assert [one.row for one in result.worst(1)] == [4]
    assert len(result) == 4


def test_failures():
    assert [one.row for one in checked().failures] == [4, 2]  # any item, if not told otherwise
    assert [one.row for one in checked(fail_on="number").failures] == [2]
    assert [one.row for one in checked(fail_on="number", strict=True).failures] == [2, 3]
    assert checked(fail_on="").failures == []
    # One of the three words of "Bergen was glad." is not in the source.
    assert [one.row for one in checked(fail_on="", min_support=0.7).failures] == [4]
    # The values are 1, 4/5 and 2/6.
    assert [one.row for one in checked(fail_on="", min_grounding=0.8).failures] == [4]


def test_how_many_may_fail():
    for allowed, is_failed in ((0, True), (1, True), (2, False)):
        assert checked(max_failures=allowed).is_failed is is_failed
    assert checked(fail_on="").failure_line == ""
    assert checked(fail_on="number").failure_line == "1 of 4 rows fails; none may."
    assert checked(max_failures=2).failure_line == "2 of 4 rows fail; at most 2 may."
    assert not checked(fail_on="").is_failed


def test_only_the_worst_are_kept_and_all_are_counted():
    rows = [{**row, "doc_id": f"{n}"} for n in range(60) for row in ROWS]
    result = checked(rows, keep=2)
    assert [one.row for one in result.summaries] == [4, 8, 3, 7]
    assert result.counts.rows == 240
    assert result.counts.summaries["numbers"] == 60
    assert result.counts.failures == 120
    assert result.is_failed
    assert result.answer.startswith("60 of 180 summaries contain numbers or dates")
    with pytest.raises(TricoloreError, match="only 2 of 120 failures were kept"):
        _ = result.failures
    said = printed(result, show=2)
    assert "118 more summaries with findings not shown." in said
    assert "58 more rows could not be checked." in said
    assert checked(rows, keep=0).counts == checked(rows).counts


def test_systems_are_counted():
    table = checked().systems
    assert table.headers[:6] == ["system", "contradicted", "numbers", "names", "sentences", "words"]
    assert [row[:6] for row in table.rows] == [["a", 1, 1, 0, 0, 0], ["b", 0, 0, 1, 1, 1]]
    assert table.rows[0][6].value == 0.8
    # 1, 0 for the empty summary, and 1/3
    assert table.rows[1][6].value == pytest.approx((1 + 0 + 1 / 3) / 3)


def test_on_the_terminal():
    lines = printed(checked(fail_on="number")).splitlines()
    assert lines[0] == ANSWER
    assert lines[1] == "1 of 4 rows fails; none may."
    assert "The plant has [4,200] jobs." in lines
    assert "  number “4,200”: the source has “420”" in lines
    at = lines.index("[Bergen] was glad. [Scotland] [eats] [porridge].")
    assert lines[at - 1] == "row 4 · b · z: unsupported items, plain-lookup 0.333"
    assert lines[at + 1 : at + 5] == [
        "  name “Bergen”: not in the source",
        "  name “Scotland”: not in the source",
        "  sentence “Scotland eats porridge.”: nearest passage “The mayor was glad.” "
        "(support 0.00)",
        "  words “eats”, “porridge”: not in the source",
    ]
    assert "row 3 · b · y: not checked: the summary is empty" in lines
    assert lines[-1].startswith("Checked: numbers and dates, names, content words, the nearest")
    assert "Not checked: negations, who did what to whom" in lines[-1]


def test_never_correct():
    for form in ("table", "markdown", "json"):
        assert "correct" not in printed(checked(ROWS[:1]), form)


def test_markdown():
    text = checked(fail_on="number").markdown()
    assert text.startswith(f"**{ANSWER}**\n\n1 of 4 rows fails; none may.\n\n| system |")
    assert "\n### row 2 · a · x: contradicted, plain-lookup 0.800, fails by number\n" in text
    assert "\n> The plant has **4,200** jobs.\n\n- number “4,200”: the source has “420”\n" in text
    assert "### row 4" not in checked().markdown(show=0)
    assert printed(checked(fail_on="number"), "markdown") == f"{text}\n"


KEYS = {
    "answer",
    "explanation",
    "rows",
    "checked",
    "not_checked",
    "failures",
    "is_failed",
    "criteria",
    "verdicts",
    "summaries_with",
    "items",
    "measure",
    "signature",
}


def test_json_is_stable():
    """Programs read this: a change of these keys needs a new schema number."""
    plain = json.loads(printed(checked(fail_on="number,name", strict=True), "json"))
    assert plain == checked(fail_on="number,name", strict=True).to_json()
    assert plain.keys() == {"schema", "summary", "summaries"}
    assert plain["schema"] == 1
    summary = plain["summary"]
    assert summary.keys() == KEYS
    assert (summary["rows"], summary["checked"], summary["not_checked"]) == (4, 3, 1)
    assert (summary["failures"], summary["is_failed"]) == (3, True)
    assert summary["criteria"] == {
        "fail_on": ["number", "name"],
        "min_support": None,
        "min_grounding": None,
        "strict": True,
        "max_failures": 0,
    }
    assert summary["verdicts"] == {
        "contradicted": 1,
        "unsupported items": 1,
        "weakly supported sentence": 0,
        "unsupported words": 0,
        "nothing found": 1,
        "not checked": 1,
    }
    assert summary["summaries_with"] == {
        "contradicted": 1,
        "numbers": 1,
        "names": 1,
        "sentences": 1,
        "words": 1,
    }
    assert summary["items"] == {
        "number": 0,
        "contradicted number": 1,
        "name": 2,
        "word": 2,
        "sentence": 1,
    }
    assert summary["signature"] == PlainLookup().signature()
    assert [one["row"] for one in plain["summaries"]] == [4, 2, 1, 3]


def test_settings_of_the_measure_count():
    strict = check(ROWS[:1], PlainLookup(weak=1.1))
    assert strict.summaries[0].verdict == "weakly supported sentence"
    assert strict.measure.label == "plain-lookup:weak=1.1"


def test_measures_that_point_at_nothing_are_refused():
    for spec in ("coverage", "length", "estime"):
        with pytest.raises(SpecError, match=f"{spec} does not say which numbers, names"):
            check(ROWS, spec)
    with pytest.raises(SpecError, match="names 3 measures where one is wanted"):
        check(ROWS, "rouge")


def test_a_lower_limit_needs_a_measure_in_which_higher_is_better():
    class Lower(PlainLookup):
        direction = "lower"

    assert check(ROWS, Lower()).counts.rows == 4
    with pytest.raises(TricoloreError, match="higher is better"):
        check(ROWS, Lower(), min_grounding=0.5)


def test_rows_that_cannot_be_read():
    result = checked([*ROWS[:1], {"source": SOURCE, "summary": 5}, "text"], strict=True)
    assert [one.problem for one in result.failures] == [
        "'summary' is a number, not text",
        "item 3 is not an example or a dict, but str",
    ]
    assert [one["problem"] is None for one in result.to_json()["summaries"]] == [True, False, False]
    assert "2 rows could not be checked" in result.answer


def test_flags_are_noted():
    class English(PlainLookup):
        language = "english"

    german = "Die Katze saß auf der Matte und schlief, bis der Hund aus dem Haus kam. " * 3
    rows = [{"source": german, "summary": "Die Katze saß auf der Matte."}]
    result = check(rows, English())
    assert result.summaries[0].score.flags == ("language",)
    assert "1 of 1 rows has a text that is not English" in printed(result)
    assert "1 of 1 rows has a text that is not English" in result.markdown()
    assert result.to_json()["summaries"][0]["flags"] == ["language"]


def test_other_kinds_of_data(tmp_path):
    examples = [Example(**row) for row in ROWS]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps({**row, "extra": 1}) + "\n" for row in ROWS))
    renamed = [{"body": row["source"], "out": row["summary"], "model": "m"} for row in ROWS]
    columns = {"source": "body", "summary": "out"}
    assert checked(examples).answer == checked(str(path)).answer == ANSWER
    assert checked(renamed, columns=columns).answer == ANSWER
    assert checked(path, limit=1).answer == "Nothing was found in 1 summary."


def test_the_cache_is_used(tmp_path):
    assert checked(cache=tmp_path).cache_line == ""
    again = checked(cache=tmp_path)
    assert again.cache_line.startswith("4 scores from the cache, 0 computed")
    assert again.to_json() == checked().to_json()


def test_progress_is_reported():
    seen = []
    checked(progress=lambda done, total: seen.append(done))
    assert seen == [1, 2, 3, 4]


ATTACK = "\x1b]0;pwned\x07\u202e<script>alert(1)</script> [x](y) *b* | # a\r\n- `c` 4,200"


def test_text_is_shown_and_not_obeyed():
    row = {"source": f"420 {ATTACK[:-5]}", "summary": ATTACK, "system": ATTACK, "doc_id": ATTACK}
    result = checked([row, {**row, "summary": ""}])
    assert "contradicted" in result.summaries[0].heading("m")
    for form in ("table", "markdown"):
        written = printed(result, form)
        assert not {"\x1b", "\x07", "\u202e", "\r"} & set(written)
        assert "␛]0;pwned" in written
    assert "<script>" not in result.markdown().replace("\\<script>", "")
    assert "<script>" not in result._repr_html_()
    assert "[x](y)" not in result.markdown().replace("\\[x](y)", "")
    # In JSON, what a terminal would obey is escaped, and a reader gets the text itself.
    written = printed(result, "json")
    assert not {"\x1b", "\x07", "\u202e"} & set(written)
    assert json.loads(written)["summaries"][0]["summary"] == ATTACK


def test_a_long_summary_is_shown_in_excerpts():
    words = " ".join(f"plant{n % 7}" for n in range(25_000))
    row = {"source": SOURCE, "summary": f"{'The plant has jobs. ' * 9000}Bergen. {words}"}
    assert len(row["summary"]) > 350_000
    result = checked([row])
    for form in ("table", "markdown"):
        written = printed(result, form)
        assert "Bergen" in written
        assert len(written) < 20_000
    assert json.loads(printed(result, "json"))["summaries"][0]["summary"] == row["summary"]


def test_a_summary_in_lines():
    row = {"source": SOURCE, "summary": "The plant\n\n# has\n- 4,200 jobs"}
    text = checked([row]).markdown()
    assert "> The plant  \\# has - **4,200** **jobs**" in text or "**4,200** jobs" in text
    assert not any(line.startswith(("# ", "- 4")) for line in text.splitlines())


def test_in_a_notebook():
    page = checked()._repr_html_()
    assert page.startswith(f"<p><strong>{ANSWER}</strong></p>")
    assert "<li>number “4,200”: the source has “420”</li>" in page


def test_grounding_is_the_measure_if_none_is_named():
    result = check(ROWS[:2])
    assert result.measure == get_measure("grounding")
    assert result.summaries[0].verdict == "contradicted"


def test_the_measure_of_these_tests_is_sound():
    check_measure(PlainLookup())
