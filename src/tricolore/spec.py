"""How specs are written: lists of them, and the terms of sums and differences.

A list of specs is separated by commas, and so are the settings of one. A sum is written with
`+` and `-`. Both signs may also be inside a name (`rouge-1`) or a setting (`model=bert-base`),
so a sign counts where the name of a measure follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

_NUMBER = re.compile(r"\s*(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)\s*\*\s*", re.IGNORECASE)
_LAST_KEY = re.compile(r"[:,]\s*([\w-]+)\s*=[^,]*$")

TakesText = Callable[[str, str], bool]
"""Whether a setting of a measure is free text, such as a path."""


class TermError(ValueError):
    """A sum that cannot be read, and why."""


@dataclass(frozen=True)
class Term:
    """One measure of a sum, as it is written, and what it is multiplied by."""

    weight: float
    spec: str


def split_specs(specs: str) -> list[str]:
    """Cut a comma-separated list into single specs; brackets keep together what is in them.

    >>> split_specs("rouge,importance:n=3,weighting=bm25,chrf")
    ['rouge', 'importance:n=3,weighting=bm25', 'chrf']
    """
    found: list[str] = []
    for piece in filter(None, (piece.strip() for piece in _outside_brackets(specs))):
        is_setting = "=" in piece and not set(":(") & set(piece.partition("=")[0])
        if is_setting and found:
            found[-1] += ("," if ":" in found[-1] else ":") + piece
        else:
            found.append(piece)
    return found


def _outside_brackets(text: str) -> list[str]:
    """Cut at the commas that are in no brackets."""
    pieces, depth = [""], 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth <= 0:
            pieces.append("")
        else:
            pieces[-1] += sign
    return pieces


def split_terms(spec: str, known: Collection[str], takes_text: TakesText) -> list[Term]:
    """The terms of a sum; a spec that is none is one term of weight 1.

    >>> split_terms("3*rouge-1:stem=true-estime", {"rouge-1", "estime"}, lambda name, key: False)
    [Term(weight=3.0, spec='rouge-1:stem=true'), Term(weight=-1.0, spec='estime')]
    """
    return _Reader(spec, known, takes_text).terms()


def join_terms(terms: Collection[Term], known: Collection[str], takes_text: TakesText) -> str:
    """The shortest way to write a sum: `split_terms` gives the same terms again."""

    def write(term: Term, first: bool) -> str:
        sign = "-" if term.weight < 0 else "" if first else "+"
        factor = "" if abs(term.weight) == 1 else f"{_number(abs(term.weight))}*"
        probe = split_terms(f"{term.spec}-a+a", {*known, "a"}, takes_text)
        plain = [t.spec for t in probe] == [term.spec, "a", "a"]
        return sign + factor + (term.spec if plain else f"({term.spec})")

    return "".join(write(term, not at) for at, term in enumerate(terms))


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


class _Reader:
    """Reads a sum from left to right."""

    def __init__(self, spec: str, known: Collection[str], takes_text: TakesText) -> None:
        self.spec = spec
        self.plain = spec.lower().replace("_", "-")
        self.known = known
        self.takes_text = takes_text
        self.at = 0

    def terms(self) -> list[Term]:
        found = [self._term(self._sign() or 1.0)]
        while self.at < len(self.spec):
            sign = self._sign()
            if sign is None:
                raise TermError(
                    f"'{self.spec[self.at :]}' in '{self.spec}' is not understood: + or - is wanted"
                )
            found.append(self._term(sign))
        return found

    def _blanks(self) -> None:
        while self.spec[self.at : self.at + 1].isspace():
            self.at += 1

    def _sign(self) -> float | None:
        self._blanks()
        sign = {"+": 1.0, "-": -1.0}.get(self.spec[self.at : self.at + 1])
        self.at += sign is not None
        return sign

    def _term(self, weight: float) -> Term:
        if factor := _NUMBER.match(self.spec, self.at):
            weight *= float(factor[1])
            self.at = factor.end()
        self._blanks()
        if self.spec.startswith("(", self.at):
            spec = self._in_brackets()
        else:
            start = self.at
            name = self._name(start)
            self.at = start + len(name)
            if self.spec.startswith(":", self.at):
                self._settings(name)
            spec = self.spec[start : self.at].strip()
        self._blanks()
        if not spec:
            raise TermError(f"a measure is missing in '{self.spec}'")
        return Term(weight, spec)

    def _in_brackets(self) -> str:
        start, depth = self.at, 0
        while self.at < len(self.spec):
            depth += {"(": 1, ")": -1}.get(self.spec[self.at], 0)
            self.at += 1
            if not depth:
                return self.spec[start + 1 : self.at - 1].strip()
        raise TermError(f"a bracket is not closed in '{self.spec}'")

    def _name(self, start: int) -> str:
        """The longest known name that is here; or up to the next sign that must be one."""
        ends = re.compile(r"\s*(?:$|[:+-]|\))")
        here = [
            name
            for name in self.known
            if self.plain.startswith(name, start) and ends.match(self.plain, start + len(name))
        ]
        # `importance-estimee`: that a sign follows is sure only where a name follows the sign.
        sure = [name for name in here if self._ends_at(start + len(name))]
        if sure:
            return max(sure, key=len)
        return re.split("[:+]", self.spec[start:], maxsplit=1)[0]

    def _ends_at(self, at: int) -> bool:
        rest = self.spec[at:].lstrip()
        return not rest.startswith("-") or self._starts_term(len(self.spec) - len(rest) + 1)

    def _settings(self, name: str) -> None:
        """Go to the sign that ends these settings, or to the end."""
        start, depth = self.at, 0
        name = name.strip().lower().replace("_", "-")
        while self.at < len(self.spec):
            sign = self.spec[self.at]
            depth += {"(": 1, ")": -1}.get(sign, 0)
            if not depth and sign in "+-" and self._starts_term(self.at + 1):
                spaced = self.spec[self.at - 1].isspace()
                if sign == "+" or spaced or not self._in_text(name, start):
                    return
            self.at += 1

    def _in_text(self, name: str, start: int) -> bool:
        """Whether this is inside a setting that is free text."""
        key = _LAST_KEY.search(self.spec, start, self.at)
        return key is not None and self.takes_text(name, key[1].lower().replace("-", "_"))

    def _starts_term(self, at: int) -> bool:
        """Whether a measure, with or without a factor, begins here."""
        if factor := _NUMBER.match(self.spec, at):
            at = factor.end()
        rest = self.plain[at:].lstrip()
        if rest.startswith("("):
            return True
        return any(
            rest.startswith(name) and re.match(r"\s*(?:$|[:+)-])", rest[len(name) :])
            for name in self.known
        )
