from concurrent.futures import ThreadPoolExecutor

import pytest

from tricolore import memo


def test_asked_once_and_bounded_by_length(monkeypatch):
    monkeypatch.setattr(memo, "LIMIT", 1000)
    calls = []

    @memo.remembered
    def shout(text, mark="!"):
        calls.append(text)
        return text.upper() + mark

    assert shout("a") == shout("a") == "A!"
    assert shout("a", "?") == "A?"
    assert calls == ["a", "a"]
    # each entry counts its text and a hundred more: nine of one letter fit into a thousand
    for letter in "bcdefghijk":
        shout(letter)
    shout("k")
    assert len(calls) == 12
    shout("a")
    assert calls[-1] == "a", "the oldest is out"
    shout("x" * 5000)
    shout("x" * 5000)
    assert calls.count("x" * 5000) == 1, "one text is kept, whatever its size"


def test_forgetting():
    calls = []

    @memo.remembered
    def note(text):
        calls.append(text)

    note("a")
    memo.forget()
    note("a")
    assert calls == ["a", "a"]


def test_an_error_is_not_remembered():
    @memo.remembered
    def fail(text):
        raise KeyError(text)

    for _ in range(2):
        with pytest.raises(KeyError, match="a"):
            fail("a")


def test_four_threads_get_right_results_from_a_memory_that_is_always_full():
    small = memo.Memo(limit=20, size_of=lambda key, found: 1)

    def ask(start):
        return all(small.get(n % 50, lambda n=n: n % 50) == n % 50 for n in range(start, 20_000))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(4)))
    assert len(small.kept) <= 20


def test_an_error_within_a_remembered_function_keeps_its_key_error():
    """A KeyError of the function itself must not be taken for a missing entry twice."""
    calls = []

    @memo.remembered
    def look_up(text):
        calls.append(text)
        return {}[text]

    with pytest.raises(KeyError):
        look_up("a")
    assert calls == ["a"]


def test_many_at_once_compute_only_what_is_missing():
    small = memo.Memo(limit=3, size_of=lambda key, found: 1)
    asked = []

    def squares(missing):
        asked.append(missing)
        return [n * n for n in missing]

    assert small.get_many([1, 2, 1], squares) == {1: 1, 2: 4}
    assert small.get_many([2, 3, 4], squares) == {2: 4, 3: 9, 4: 16}
    assert small.get_many([2, 4], squares) == {2: 4, 4: 16}
    assert asked == [[1, 2], [3, 4]]  # each once, and nothing where all is known
    assert small.kept == {2: 4, 3: 9, 4: 16}  # the oldest went
    assert list(small.get_many(range(9), squares).values()) == [n * n for n in [2, 3, 4]] + [
        n * n for n in [0, 1, 5, 6, 7, 8]
    ]  # all are found, though fewer are kept


def test_threads_that_ask_for_many_get_right_results_from_a_memory_that_is_always_full():
    small = memo.Memo(limit=5, size_of=lambda key, found: 1)

    def ask(start):
        for at in range(start, 4_000):
            keys = [(at + step) % 30 for step in range(8)]
            if small.get_many(keys, lambda missing: [-n for n in missing]) != {n: -n for n in keys}:
                return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(4)))
    assert len(small.kept) <= 5
