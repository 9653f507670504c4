"""What the use cases share."""

import json

import pytest

from tricolore import Cache, SpecError, TricoloreError, evaluate
from tricolore.api.running import specs_of


def test_a_run_that_is_stopped_says_so_wherever_it_is(tmp_path, caplog):
    from tricolore.api.running import opened_cache

    for place, words in ((str(tmp_path / "kept"), ["goes on where it was"]), ("off", [])):
        caplog.clear()
        with pytest.raises(KeyboardInterrupt), opened_cache(place):
            raise KeyboardInterrupt
        assert [record.message.partition("command ")[2] for record in caplog.records] == words


# Fragment coverage by hand: the words of the summary that are in the source, over all of them.
ROWS = [
    {"document": "a b c d", "generated": "a b", "model": "x", "id": "1"},
    {"document": "a b c d", "generated": "a z y w", "model": "y", "id": "1"},
    {"document": "e f g h", "generated": "e f g q", "model": "x", "id": "2"},
    {"document": "e f g h", "generated": "", "model": "y", "id": "2"},
]


def test_nothing_to_score(tmp_path):
    for nothing in ([], [{"document": "a", "generated": 5}]):
        with pytest.raises(TricoloreError, match=r"no rows|not a single row"):
            evaluate(nothing, "coverage", output=tmp_path / "s.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert evaluate(ROWS, "coverage", cache="user").summary.cache_line == ""
    assert (tmp_path / "tricolore").is_dir()
    again = evaluate(ROWS, "coverage", cache=tmp_path / "tricolore")
    assert again.summary.cache_line == "4 scores from the cache, 0 computed."
    with Cache(tmp_path / "mine") as cache:
        evaluate(ROWS, "coverage", cache=cache)
        assert evaluate(ROWS, "coverage", cache=cache).summary.reused == 4  # it is still open
    assert evaluate(ROWS, "coverage", cache="off").summary.reused == 0


@pytest.mark.slow
def test_the_total_is_known_once_the_file_is_read(tmp_path):
    rows = [{"source": "a b", "summary": "a" * 50} for _ in range(3000)]
    (tmp_path / "x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = []
    evaluate(tmp_path / "x.jsonl", "length", progress=lambda *known: told.append(known))
    assert len(told) == 3000
    assert told[-1] == (3000, 3000)
    estimates = [total for _, total in told]
    assert all(2500 < total < 3500 for total in estimates[1000:])
    told.clear()
    evaluate(rows[:3], "length", progress=lambda *known: told.append(known))
    assert told == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("given", [[3], [["length"]], [None], b"length"])
def test_what_is_no_measure(given):
    with pytest.raises(SpecError, match="is not a measure; give a spec"):
        specs_of(given)
