"""What a file can hold that cannot be used: a single value, or all of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UnusableValue:
    """Stands for a value in its row; it does no harm unless its column is used.

    >>> f"the column 'summary' is {UnusableValue('given more than once')}"
    "the column 'summary' is given more than once"
    """

    words: str

    def __str__(self) -> str:
        return self.words


REPEATED = UnusableValue("given more than once")
NOT_UTF_8 = UnusableValue("bytes that are not UTF-8")
TOO_MANY_DIGITS = UnusableValue("a number with too many digits")


class UnusableFileError(Exception):
    """Why a whole file cannot be read; its name is put before the words.

    `hint` and `argument` are those of the `ReadError` that it becomes.
    """

    def __init__(self, words: str, hint: str = "", *, argument: str = "") -> None:
        super().__init__(words)
        self.hint = hint
        self.argument = argument


def too_long(what: str, max_size: int) -> str:
    """The words for a row that is longer than allowed.

    >>> too_long("line 3", 64_000_000)
    'line 3 is longer than 64 MB, the limit of a row (max_row_mb)'
    """
    return f"{what} is longer than {max_size / 1e6:g} MB, the limit of a row (max_row_mb)"
