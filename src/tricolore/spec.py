"""Specs: the text by which measures, perturbations and their settings are named.

`name:setting=value,…` names one thing with its settings. Commas also separate the specs of a
list. A weighted sum of measures is written with `+` and `-`; `avg:` or `sum:` may stand in front,
and `,scaling=…` behind. Brackets keep together what is in them. Both signs may also be inside a
name (`rouge-1`) or a setting (`model=bert-base`), so a sign counts where a known name follows.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from tricolore.errors import SpecError

SUMS = ("sum", "avg")
"""The names of specs that have terms."""
_DEEPEST = 20
"""The deepest nesting of sums."""
_LONGEST = 100_000
"""The most characters of a list of specs."""
_SHOWN = 200
"""The most characters of a spec that an error repeats."""

_NUMBER = re.compile(r"\s*(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+)\s*\*\s*", re.IGNORECASE)
_LAST_KEY = re.compile(r"[:,]\s*([\w-]+)\s*=[^,]*$")
_SCALING = re.compile(r"[,:]\s*scaling\s*=([^,:()]*)$")
_NAME_ENDS = re.compile(r"\s*(?:$|[:+)-])")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Characters that no name has; some of them change a terminal. Tabs and line ends are blanks."""
_LINE_END = re.compile("[\t\n\r]")
_IS_NO_TEXT = re.compile(r"true|false|-?\d+(\.\d*)?(e[+-]?\d+)?", re.IGNORECASE)


class Names(Protocol):
    """What the parser must know about names and settings."""

    def __contains__(self, name: object) -> bool:
        """Whether this is a known name."""

    def takes_text(self, name: str, setting: str) -> bool:
        """Whether a setting is free text, such as a path, in which a - is part of the text."""


class NoNames:
    """Without sums, the parser needs to know no names."""

    def __contains__(self, name: object) -> bool:
        return False

    def takes_text(self, name: str, setting: str) -> bool:
        """Knows no names and no settings."""
        return False


@dataclass(frozen=True)
class Spec:
    """A name and its settings as they are written; a sum or an average also has terms.

    >>> spec = parse_spec("chrf:beta=1,lowercase=true")
    >>> spec
    Spec(name='chrf', settings={'beta': '1', 'lowercase': 'true'}, terms=())
    >>> str(spec)
    'chrf:beta=1,lowercase=true'
    """

    name: str
    settings: Mapping[str, str] = field(default_factory=dict)
    terms: tuple[Term, ...] = ()

    @staticmethod
    def parse(text: str, names: Names) -> Spec:
        """Parse a text as one spec."""
        found = parse_specs(text, names)
        if len(found) != 1:
            raise SpecError(f"{shown(text)} is {len(found)} specs where one is wanted")
        return found[0]

    def __str__(self) -> str:
        settings = ",".join(f"{key}={value}" for key, value in self.settings.items())
        if not self.terms:
            return f"{self.name}:{settings}" if settings else self.name
        # A sum is recognized by its signs; a single term by its factor.
        is_plain = self.name == "sum" and not (len(self.terms) == 1 and self.terms[0].weight == 1)
        written = ("" if is_plain else f"{self.name}:") + write_terms(self.terms)
        return f"{written},{settings}" if settings else written

    def with_setting(self, name: str, value: str | None) -> Spec:
        """This spec with another value of a setting, in the same position; without it if None."""
        changed = {**self.settings, name: value}
        kept = {key: text for key, text in changed.items() if text is not None}
        return Spec(self.name, kept, self.terms)


@dataclass(frozen=True)
class Term:
    """One measure of a sum and what it is multiplied by."""

    weight: float
    spec: Spec


def parse_spec(text: str, names: Names | None = None) -> Spec:
    """Parse a text as one spec; without names it is never a sum."""
    return Spec.parse(text, names or NoNames())


def parse_specs(text: str, names: Names) -> list[Spec]:
    """The specs of a list that is separated by commas."""
    if len(text) > _LONGEST:
        raise SpecError(f"a spec has {len(text):,} characters; {_LONGEST:,} are allowed")
    if found := _CONTROL.search(text):
        raise SpecError(f"{shown(text)} has the control character U+{ord(found[0]):04X}")
    return _parse_list(text, names, 0)


def shown(text: object) -> str:
    """Given words as an error repeats them: in quotation marks, and not at any length.

    >>> shown("rouge-1"), len(shown("x" * 5000))
    ("'rouge-1'", 203)
    """
    words = str(text)
    return f"'{words if len(words) <= _SHOWN else words[:_SHOWN] + '…'}'"


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


def write_terms(terms: Iterable[Term]) -> str:
    """A sum as it is written, without its name and scaling."""
    terms = list(terms)
    followed_by_minus = [term.weight < 0 for term in terms[1:]] + [False]
    pieces = []
    for at, (term, minus) in enumerate(zip(terms, followed_by_minus, strict=True)):
        sign = "-" if term.weight < 0 else "+" if at else ""
        factor = "" if abs(term.weight) == 1 else f"{_write_number(abs(term.weight))}*"
        written = f"({term.spec})" if _needs_brackets(term.spec, minus) else str(term.spec)
        pieces.append(sign + factor + written)
    return "".join(pieces)


def plain_name(name: str) -> str:
    """A name as we write it, however it was typed.

    >>> plain_name(" ROUGE_L")
    'rouge-l'
    """
    return name.strip().lower().replace("_", "-")


def _needs_brackets(spec: Spec, followed_by_minus: bool) -> bool:
    if spec.terms:
        return True
    values = list(spec.settings.values())
    if any(set("+-()") & set(value) and not _IS_NO_TEXT.fullmatch(value) for value in values):
        return True
    # A - may belong to the last value, if that is a path or the name of a model.
    return followed_by_minus and bool(values) and not _IS_NO_TEXT.fullmatch(values[-1])


def _write_number(value: float) -> str:
    return str(int(value)) if value == int(value) and value < 1e15 else repr(value)


def _outside_brackets(text: str) -> list[str]:
    """Split at the commas that are outside brackets."""
    pieces, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth <= 0:
            pieces.append(text[start:at])
            start = at + 1
    return [*pieces, text[start:]]


def _parse_list(text: str, names: Names, depth: int) -> list[Spec]:
    if depth > _DEEPEST:
        raise SpecError(f"a spec has more than {_DEEPEST} sums or brackets inside each other")
    return [spec for single in split_specs(text) for spec in _parse_one(single, names, depth)]


def _parse_one(text: str, names: Names, depth: int) -> list[Spec]:
    """Parse a text without commas outside brackets; it is several specs only inside brackets."""
    head, colon, rest = text.partition(":")
    name = plain_name(head)
    if name in SUMS:
        return [_parse_sum(name, rest if colon else "", names, depth)]
    pieces = _Reader(_SCALING.sub("", text), names).terms()
    if len(pieces) > 1 or pieces[0].weight != 1:
        return [_parse_sum("sum", text, names, depth)]
    if pieces[0].in_brackets:
        return _parse_list(pieces[0].text, names, depth + 1)
    settings: dict[str, str] = {}
    for pair in filter(str.strip, rest.split(",")):
        key, value = _parse_pair(text, pair)
        if key in settings:
            raise SpecError(f"{key} is given twice in {shown(text)}")
        settings[key] = value
    return [Spec(name, settings)]


def _parse_sum(name: str, text: str, names: Names, depth: int) -> Spec:
    """A sum or an average. `scaling` is never a setting of a term, so it may stand last."""
    of, settings = text, {}
    if found := _SCALING.search(text):
        of, settings = text[: found.start()], {"scaling": found[1].strip()}
    if not of.strip():
        return Spec(name, settings)
    terms = []
    for piece in _Reader(of, names).terms():
        specs = _parse_list(piece.text, names, depth + 1)
        if len(specs) != 1:
            raise SpecError(
                f"{shown(piece.text)} names {len(specs)} measures; in a sum, name each: "
                + "+".join(map(str, specs[:20]))
            )
        terms.append(Term(piece.weight, specs[0]))
    return Spec(name, settings, tuple(terms))


def _parse_pair(spec: str, pair: str) -> tuple[str, str]:
    key, equals, value = pair.partition("=")
    if not equals:
        raise SpecError(f"{shown(pair)} in {shown(spec)} is not a setting: write name=value")
    if _LINE_END.search(value.strip()):
        raise SpecError(f"{shown(key.strip())} has a tab or a line end in its value")
    return key.strip().replace("-", "_"), value.strip()


@dataclass(frozen=True)
class _Piece:
    """A term as it is written."""

    weight: float
    text: str
    in_brackets: bool


class _Reader:
    """Cuts a sum into terms, from left to right; any other spec is one term of weight 1."""

    def __init__(self, text: str, names: Names) -> None:
        self.text = text
        self.plain = text.lower().replace("_", "-")
        self.names = names
        self.at = 0

    def terms(self) -> list[_Piece]:
        found = [self._term(self._sign() or 1.0)]
        while self.at < len(self.text):
            sign = self._sign()
            if sign is None:
                raise SpecError(
                    f"{shown(self.text[self.at :])} in {shown(self.text)} is not understood: "
                    "+ or - is wanted"
                )
            found.append(self._term(sign))
        return found

    def _skip_blanks(self) -> None:
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1

    def _sign(self) -> float | None:
        self._skip_blanks()
        sign = {"+": 1.0, "-": -1.0}.get(self.text[self.at : self.at + 1])
        self.at += sign is not None
        return sign

    def _term(self, weight: float) -> _Piece:
        if factor := _NUMBER.match(self.text, self.at):
            weight *= float(factor[1])
            if not math.isfinite(weight):
                raise SpecError(f"the factor {factor[1][:20]} in {shown(self.text)} is too large")
            self.at = factor.end()
        self._skip_blanks()
        in_brackets = self.text.startswith("(", self.at)
        text = self._in_brackets() if in_brackets else self._single()
        self._skip_blanks()
        if not text:
            raise SpecError(f"a measure is missing in {shown(self.text)}")
        return _Piece(weight, text, in_brackets)

    def _single(self) -> str:
        start = self.at
        name = self._name(start)
        self.at = start + len(name)
        if self.text.startswith(":", self.at):
            self._settings(plain_name(name))
        return self.text[start : self.at].strip()

    def _in_brackets(self) -> str:
        start, depth = self.at, 0
        while self.at < len(self.text):
            depth += {"(": 1, ")": -1}.get(self.text[self.at], 0)
            self.at += 1
            if not depth:
                return self.text[start + 1 : self.at - 1].strip()
        raise SpecError(f"a bracket is not closed in {shown(self.text)}")

    def _name(self, start: int) -> str:
        """The longest known name at this position, or the text up to the next certain sign."""
        # `importance-estimee`: a - is certainly a sign only if a name follows it.
        for end in reversed(self._name_ends(start)):
            if self._ends_at(end):
                return self.text[start:end]
        return re.split("[:+]", self.text[start:], maxsplit=1)[0]

    def _name_ends(self, start: int) -> list[int]:
        """The ends of the known names that begin here, the shortest first."""
        # No name is longer than this, so that the time stays linear in the text.
        longest = min(start + 100, len(self.plain))
        ends = []
        for end in range(start + 1, longest + 1):
            if _NAME_ENDS.match(self.plain, end) and self.plain[start:end] in self.names:
                ends.append(end)
            if self.plain[end : end + 1] in set(":+(),"):
                break
        return ends

    def _ends_at(self, at: int) -> bool:
        rest = self.text[at:].lstrip()
        return not rest.startswith("-") or self._starts_term(len(self.text) - len(rest) + 1)

    def _settings(self, name: str) -> None:
        """Go to the sign that ends these settings, or to the end."""
        start, depth = self.at, 0
        while self.at < len(self.text):
            sign = self.text[self.at]
            depth += {"(": 1, ")": -1}.get(sign, 0)
            if not depth and sign in "+-" and self._starts_term(self.at + 1):
                spaced = self.text[self.at - 1].isspace()
                if sign == "+" or spaced or not self._in_text(name, start):
                    return
            self.at += 1

    def _in_text(self, name: str, start: int) -> bool:
        """Whether this is inside a setting that is free text."""
        key = _LAST_KEY.search(self.text, start, self.at)
        return key is not None and self.names.takes_text(name, key[1].lower().replace("-", "_"))

    def _starts_term(self, at: int) -> bool:
        """Whether a measure, with or without a factor, begins here."""
        if factor := _NUMBER.match(self.text, at):
            at = factor.end()
        while self.text[at : at + 1].isspace():
            at += 1
        return self.text.startswith("(", at) or bool(self._name_ends(at))
