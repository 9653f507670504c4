"""The script of a text, and whether it looks like English: for warnings, not for decisions."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from tricolore.memo import remembered

FEWEST_WORDS = 20
"""Texts with fewer words are too short to recognize their language."""
LEAST_SHARE, LONG, LEAST_SHARE_OF_LONG = 0.085, 100, 0.13
"""The share of function words from which on a text looks English. Headlines have few, but a text of
100 words is no headline. News in English has 0.25 to 0.5, in other languages up to 0.1."""

# Frequent in any English prose. Other languages in Latin script have some of the short ones too.
_FUNCTION_WORDS = frozenset(
    "the and of to that with by from this these those have has had were been be being which would "
    "could should will their they them his her him she he its it for as is was are not but who "
    "when where what there than then after before about into over out up more most other some any "
    "only also your you we our us my said says because while during against between through if or "
    "on in an a how new one two first year years can may all no so just do did does off down why "
    "back being since until under still too very such each own".split()
)
_WORD = re.compile(r"[^\W\d_]+")
_NO_SPACES = frozenset(
    {"Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"}
)
_NAMES = {"Cjk": "Han"}


@remembered
def main_script(text: str) -> str:
    """The script of most letters of a text, such as Latin, Greek or Han; empty without letters.

    >>> main_script("Γειά σου, world"), main_script("你好"), main_script("42!")
    ('Greek', 'Han', '')
    """
    scripts: Counter[str] = Counter()
    for letter, count in Counter(text).items():
        if letter.isalpha():
            name = unicodedata.name(letter, "").removeprefix("FULLWIDTH ").partition(" ")[0]
            scripts[_NAMES.get(name.title(), name.title())] += count
    return max(scripts, key=lambda script: scripts[script], default="")


def has_spaces(text: str) -> bool:
    """Whether the words of a text are separated by spaces, judged by the script.

    >>> has_spaces("a cat"), has_spaces("猫が座った")
    (True, False)
    """
    return main_script(text) not in _NO_SPACES


@remembered
def looks_english(text: str) -> bool:
    """Whether a text may be English: by its script, and by its function words if it is long.

    >>> looks_english("Police kill the gunman"), looks_english("Η αστυνομία")
    (True, False)
    """
    if main_script(text) not in ("Latin", ""):
        return False
    words = len(text.split())
    if words < FEWEST_WORDS:
        return True
    return english_share(text) >= (LEAST_SHARE if words < LONG else LEAST_SHARE_OF_LONG)


def english_share(text: str) -> float:
    """The share of the words of a text that are function words of English."""
    found = [word.lower() for word in _WORD.findall(text)]
    return sum(word in _FUNCTION_WORDS for word in found) / max(1, len(found))
