import pytest

from tricolore import Example, Score, Span, get_measure
from tricolore.errors import CacheError
from tricolore.run.cache import Cache, key, signature_digest

COVERAGE, ROUGE = get_measure("coverage"), get_measure("rouge-1")


def test_what_is_put_is_found_by_another_connection(tmp_path):
    kept = {
        b"a": Score(0.1 + 0.2, {"part": 1 / 3}, (Span("summary", 1, 2),)),
        b"b": Score.missing("empty"),
    }
    with Cache(tmp_path) as cache:
        cache.put(kept)
    with Cache(tmp_path) as cache:
        found = cache.get([b"a", b"b", b"c"])
    assert found.keys() == kept.keys()
    assert found[b"a"] == kept[b"a"]
    assert found[b"b"].problem == "empty"


def test_more_keys_than_one_question_holds(tmp_path):
    kept = {str(i).encode(): Score(float(i)) for i in range(3000)}
    with Cache(tmp_path) as cache:
        cache.put(kept)
        assert cache.get(kept) == kept


def test_a_key_changes_with_whatever_the_value_depends_on():
    def of(made, **texts):
        example = Example(**{"source": "s", "summary": "y", "references": "r", **texts})
        return key(made, signature_digest(made, evidence=False), example)

    assert of(COVERAGE) == of(COVERAGE, references="other"), "coverage never sees references"
    assert of(ROUGE) == of(ROUGE, source="other"), "ROUGE never sees the source"
    different = [
        of(COVERAGE),
        of(COVERAGE, summary="z"),
        of(COVERAGE, source="t"),
        of(COVERAGE, source=["s", ""]),
        of(get_measure("coverage:matching=greedy")),
        of(ROUGE),
        of(ROUGE, references=["r", "r"]),
        of(ROUGE, summary="yr", references=""),
    ]
    assert len(set(different)) == len(different)
    assert signature_digest(ROUGE, evidence=True) != signature_digest(ROUGE, evidence=False)


def test_a_place_that_cannot_hold_a_cache(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CacheError, match="cannot be opened"):
        Cache(tmp_path / "file")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "scores.sqlite").write_text("this is not a database " * 100)
    with pytest.raises(CacheError, match="cannot be opened"):
        Cache(tmp_path / "broken")


def test_four_threads_share_one_cache(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    from tricolore import Run

    def score(start):
        rows = [Example(source=f"s {n % 60}", summary=f"t {n}") for n in range(start, start + 300)]
        return [r.scores["length"].value for r in Run(["length"], cache=cache).score(rows)]

    with Cache(tmp_path) as cache, ThreadPoolExecutor(4) as pool:
        assert list(pool.map(score, [0, 100, 200, 300])) == [[2.0] * 300] * 4
