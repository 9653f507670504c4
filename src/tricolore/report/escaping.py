"""Text inside Markdown and LaTeX: it is shown as it is, and none of it is taken for markup."""

from __future__ import annotations

import re

from tricolore.text.printable import MARKS, printable

_SPACE = "\t\n\x0b\x0c\r\x85\u2028\u2029"

# What begins something anywhere in a line of GitHub's Markdown. A word may have an underscore
# inside, an ampersand matters only before a name or a number, and a URL becomes a link by itself.
_MARKDOWN = re.compile(r"[\\`*\[<|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|&(?=[#\w])|:(?=//)")
_WEB = re.compile(r"(?<=www)\.", re.IGNORECASE)
_BLOCK = re.compile(r"^(\d*)([>=+.)-])")

_TEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "→": r"$\rightarrow$",
    "∞": r"$\infty$",
    "−": "$-$",
    "±": r"$\pm$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "–": "--",
    "…": r"\dots{}",
}
_TEX |= {letter: f"\\{letter}" for letter in "&%$#_{}"}
_TEX |= dict.fromkeys(MARKS, "?")
_LIGATURE = re.compile(r"([-',])(?=\1)")

LATEX_NEEDS = (
    r"Needs \usepackage{booktabs} and \usepackage[T1]{fontenc}. Scripts other than Latin need "
    r"XeLaTeX or LuaLaTeX, with fontspec instead of fontenc."
)
"""What a document needs for our tables."""


def in_markdown(text: str) -> str:
    r"""A text for a cell of a Markdown table.

    >>> in_markdown("a|b <i> [x](y) mix_a"), in_markdown("_a_ & &amp;")
    ('a\\|b \\<i> \\[x](y) mix_a', '\\_a\\_ & \\&amp;')
    """
    escaped = _MARKDOWN.sub(r"\\\g<0>", _one_line(text))
    return _WEB.sub(r"\\.", escaped)


def markdown_paragraph(text: str) -> str:
    r"""A text for a paragraph or a heading of its own.

    >>> markdown_paragraph("# 1"), markdown_paragraph("1. a"), markdown_paragraph("- a")
    ('\\# 1', '1\\. a', '\\- a')
    """
    return paragraph_of(in_markdown(text))


def paragraph_of(escaped: str) -> str:
    r"""A paragraph of text that `in_markdown` has escaped, perhaps with bold pieces.

    >>> paragraph_of("# **1** ")
    '\\# **1**'
    """
    return _BLOCK.sub(r"\1\\\2", escaped.strip().replace("#", "\\#"))


def in_latex(text: str) -> str:
    r"""A text for LaTeX, for example in a cell of a table.

    >>> in_latex("50 % of a_b"), in_latex("[x] -- ^"), in_latex("a\nb")
    ('50 \\% of a\\_b', '{}[x] -{}- \\textasciicircum{}', 'a b')
    """
    unjoined = _LIGATURE.sub("\\1\0", _one_line(text).strip())
    escaped = "".join(_TEX.get(letter, letter) for letter in unjoined).replace("\0", "{}")
    # After the end of a row, a bracket or a star would be an argument.
    return "{}" + escaped if escaped[:1] in ("[", "*") else escaped


def _one_line(text: str) -> str:
    """The text in one line, without characters that cannot be shown."""
    return printable(text.translate(dict.fromkeys(map(ord, _SPACE), " ")))
