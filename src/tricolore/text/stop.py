"""Lists of English stop words and function words."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal

StopList = Literal["smart", "nltk"]
"""Which words are left out.

smart  the list that ROUGE-1.5.5 leaves out: SMART's, and the names of months, days and agencies
nltk   the English list of NLTK (179 words)
"""


@cache
def stop_words(name: StopList) -> frozenset[str]:
    """The words of a stop list, in lower case.

    >>> "the" in stop_words("smart"), "reuters" in stop_words("smart")
    (True, True)
    """
    text = files("tricolore.text").joinpath(f"data/stop-{name}.txt").read_text("utf-8")
    return frozenset(text.split())


@cache
def function_words() -> frozenset[str]:
    """Words and punctuation that are more than 1 in 1000 of English news, in lower case.

    tools/function_words.py makes the list, as METEOR 1.5 defines function words.

    >>> [word in function_words() for word in ("the", "would", ",", "bridge")]
    [True, True, True, False]
    """
    text = files("tricolore.text").joinpath("data/function-words.txt").read_text("utf-8")
    return frozenset(text.split())
