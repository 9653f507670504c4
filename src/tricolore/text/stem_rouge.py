"""The stemmer inside the ROUGE-1.5.5 script, which is not quite Porter's."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files


@cache
def irregular_forms() -> dict[str, str]:
    """WordNet 2.0's irregular forms and their bases; the script looks there before it stems."""
    text = files("tricolore.text").joinpath("data/stem-exceptions.txt").read_text("utf-8")
    return dict(line.split() for line in text.splitlines())


@cache
def _porter() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer

    class RougePorter(PorterStemmer):  # type: ignore[misc]
        """Porter's stemmer with the script's own step 4, where one rule may follow another."""

        def _step4(self, word: str) -> str:
            def long(stem: str) -> bool:
                return bool(self._measure(stem) > 1)

            first = "al ance ence er ic able ible ant ement ou ism ate iti ous ive ize"
            word = self._apply_rule_list(word, [(suffix, "", long) for suffix in first.split()])
            word = self._apply_rule_list(word, [("ment", "", long)])
            last = [("ent", "", long), ("ion", "", lambda s: long(s) and s[-1] in "st")]
            return str(self._apply_rule_list(word, last))

    stemmer = RougePorter(mode=PorterStemmer.MARTIN_EXTENSIONS)
    return stemmer.stem  # type: ignore[no-any-return]


@lru_cache(maxsize=200_000)
def stem_rouge(word: str) -> str:
    """The stem of a word; words of three letters or fewer stay as they are.

    >>> stem_rouge("thought"), stem_rouge("governmental")
    ('think', 'govern')
    """
    if len(word) <= 3:
        return word
    return irregular_forms().get(word) or _porter()(word)
