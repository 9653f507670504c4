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
