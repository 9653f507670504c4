"""What a judge's replies say: read strictly, and weighted by the probabilities of tokens.

Liu et al. (2023), "G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment", section 2.3.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tricolore.errors import TricoloreError
from tricolore.models.chat_protocol import ChatReply
from tricolore.text.printable import printable

ReplyChoices = Mapping[str, float]
"""The replies that are allowed, and their values."""


def expected_score(probabilities: Mapping[str, float], choices: ReplyChoices) -> float:
    """G-Eval's score by its definition (eq. 1): Σ p(s)·s, over the tokens that are scores.

    The probabilities are divided by their sum, since other tokens have some, too.

    >>> expected_score({"4": 0.6, "5": 0.2}, {"4": 4.0, "5": 5.0})
    4.25
    """
    total = sum(probabilities.values())
    return sum(p * choices[s] for s, p in probabilities.items()) / total


class ReplyError(TricoloreError):
    """A reply that is not one of those that are allowed."""

    def __init__(self, reply: ChatReply, expected: str) -> None:
        shown = printable(" ".join(reply.text[:80].split()))
        given = f"'{shown[:60]}{'…' if len(shown) > 60 else ''}'" if shown else "empty"
        cut = ", cut off by max_reply" if reply.is_cut else ""
        super().__init__(f"the reply is not {expected}: it is {given}{cut}")


@dataclass(frozen=True)
class Judgement:
    """The value that a judge gives, and how it was found."""

    value: float
    replies: tuple[str, ...]
    """The allowed replies that were given."""
    probabilities: Mapping[str, float]
    """The probability of each allowed reply; empty if the value is the mean of samples."""

    @property
    def choice_mass(self) -> float:
        """The probability of all allowed replies together; NaN for samples."""
        return sum(self.probabilities.values()) if self.probabilities else math.nan

    @property
    def words(self) -> str:
        """How the value was found, for readers."""
        if not self.probabilities:
            return f"mean of {len(self.replies)} samples: {', '.join(self.replies)}"
        listed = ", ".join(f"{s} {p:.3f}" for s, p in self.probabilities.items())
        return f"expectation over probabilities: {listed}"


def read_choice(reply: ChatReply, choices: ReplyChoices, expected: str) -> str:
    """The choice that a reply is; `ReplyError` if it is anything else, or has more words.

    A reply that was cut off is none: it would have gone on.

    >>> read_choice(ChatReply(" 4\\n"), {"4": 4.0}, "a number from 1 to 5")
    '4'
    """
    found = reply.text.strip()
    if found not in choices or reply.is_cut:
        raise ReplyError(reply, expected)
    return found


def from_probabilities(reply: ChatReply, choice: str, choices: ReplyChoices) -> Judgement | None:
    """The expectation over the tokens where the choice is; None if the server does not tell.

    The choice must be one token: if it is several, the first does not say which one it will be.
    """
    for token in reply.tokens:
        if not token.token.strip():
            continue  # a space or a line break before the choice
        if token.token.strip() != choice:
            return None
        found = dict.fromkeys(choices, 0.0)
        for text, logarithm in token.likeliest:
            if text.strip() in choices:
                found[text.strip()] += math.exp(logarithm)
        if not found[choice]:
            return None
        return Judgement(expected_score(found, choices), (choice,), found)
    return None


def from_samples(replies: Sequence[str], choices: ReplyChoices) -> Judgement:
    """The mean of several replies."""
    return Judgement(sum(choices[r] for r in replies) / len(replies), tuple(replies), {})


def has_prefixes(choices: ReplyChoices) -> bool:
    """Whether a choice begins with another: then its first token does not tell them apart.

    >>> has_prefixes({"1": 1.0, "10": 10.0}), has_prefixes({"1": 1.0, "2": 2.0})
    (True, False)
    """
    return any(a != b and a.startswith(b) for a in choices for b in choices)
