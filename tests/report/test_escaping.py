"""Markdown and LaTeX with hostile text, read by a real Markdown parser and by a real LaTeX."""

import io
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tricolore.report.escaping import in_latex, in_markdown, markdown_paragraph
from tricolore.report.result_table import Number, ResultTable
from tricolore.report.statistics import write
from tricolore.report.terminal import SafeConsole
from tricolore.text.printable import printable

MARKDOWN = MarkdownIt("gfm-like", {"html": True, "linkify": False}).enable("table")
SIGNS = "\\`*_{}[]<>()#+-.!|~$&:;=\"'/^%@ \t\n\r1ab"
TEXTS = st.text(st.sampled_from(SIGNS)) | st.text(
    st.characters(codec=None, exclude_categories=()), max_size=30
)
HOSTILE = [
    "a|b",
    "a\\|b",
    "\\",
    "a\nb\r\nc\td",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!-- x",
    "[x](javascript:alert(1))",
    "![x](http://y/z.png)",
    "[x]: http://y",
    "`code`",
    "``a`b",
    "**b** __b__ _i_ a_b_c ~~s~~",
    "# heading",
    "- item",
    "+ item",
    "1. item",
    "1) item",
    "=====",
    "---",
    "> quote",
    "&lt;b&gt; &#60; & &",
    "<http://x.y> https://x.y www.x.y",
    "$x$ \x1b]0;title\x07",
    "title #",
    "    code",
    "$$\\frac{$$",
]


class Page(HTMLParser):
    """The elements of a page, and the text in each."""

    def __init__(self, page):
        super().__init__()
        self.elements, self.texts, self.open = set(), [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.add(tag)
        if tag in ("td", "th", "p", "h3"):
            self.texts.append("")

    def handle_data(self, data):
        if self.texts:
            self.texts[-1] += data


def words(text):
    """The text as a reader sees it: spaces and line breaks are all the same."""
    spaces = str.maketrans(dict.fromkeys("\t\n\x0b\x0c\r\x85\u2028\u2029", " "))
    return " ".join(printable(text.translate(spaces)).split())


def shown(page):
    return [" ".join(text.split()) for text in page.texts]


@given(TEXTS, TEXTS, TEXTS)
@example("\\", "\\|", "|")
@example("a", "a\\", "_a")
def test_cells_of_markdown_are_text(header, cell, last):
    table = ResultTable(["system", header, last])
    table.add(cell, Number(0.5, is_marked=True), last)
    page = Page(MARKDOWN.render(table.markdown()))
    assert page.elements <= {"table", "thead", "tbody", "tr", "th", "td", "strong"}
    assert shown(page) == ["system", words(header), words(last), words(cell), "0.500", words(last)]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_a_cell_a_title_and_a_note(text):
    table = ResultTable(["a"], notes=[text, "end"])
    table.add(text)
    page = Page(MARKDOWN.render(f"### {markdown_paragraph(text)}\n\n{table.markdown()}"))
    assert page.elements == {"table", "thead", "tbody", "tr", "th", "td", "p", "h3"}
    assert shown(page) == [words(text), "a", words(text), words(text), "end"]


@given(TEXTS)
def test_paragraphs_of_markdown_are_text(text):
    page = Page(MARKDOWN.render(f"a\n\n{markdown_paragraph(text)}\n\nb"))
    assert page.elements == {"p"}
    assert [text for text in shown(page) if text] == [t for t in ("a", words(text), "b") if t]


def test_addresses_and_formulas_of_github_are_text():
    # GitHub makes links and formulas of these by itself.
    assert in_markdown("$x$") == "\\$x\\$"
    assert in_markdown("https://x.y www.x.y") == "https\\://x.y www\\.x.y"


def test_what_is_harmless_stays_readable():
    for text in ("rouge-2:stem=true", "mix_a", "x + y", "gpt-4o (2024)", "50 %", "a & b"):
        assert in_markdown(text) == text


LATEX = shutil.which("pdflatex")
needs_latex = pytest.mark.skipif(
    not LATEX, reason="pdflatex is not installed: apt-get install texlive-latex-base"
)
# The rules of booktabs, which is not in Debian's texlive-latex-base, with their optional argument.
BOOKTABS = r"""
\def\@rule[#1]{\hrule height #1\relax\ifnum0=`{\fi}}
\def\toprule{\noalign{\ifnum0=`}\fi\@ifnextchar[{\@rule}{\@rule[1pt]}}
\let\midrule\toprule \let\bottomrule\toprule
"""


def compiled(body, folder):
    (folder / "booktabs.sty").write_text(BOOKTABS)
    head = "\\documentclass{article}\\usepackage{booktabs}\\usepackage[T1]{fontenc}"
    page = f"{head}\\begin{{document}}\n{body}\n\\end{{document}}\n"
    (folder / "x.tex").write_text(page, encoding="utf-8")
    options = ["-interaction=nonstopmode", "-halt-on-error", "-draftmode", "-no-shell-escape"]
    done = subprocess.run([LATEX, *options, "x.tex"], cwd=folder, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stdout.decode("latin-1")[-1500:]


LATIN = "".join(map(chr, [*range(0xA1, 0xAD), *range(0xAE, 0x17F)])).translate(
    dict.fromkeys(map(ord, "ĦħĿŀŉŦŧĸ"), "")  # the T1 encoding lacks these
)
ATTACKS = [
    *HOSTILE,
    *map(chr, range(0x80)),
    *LATIN,
    r"\input{/etc/passwd}",
    r"\end{tabular}",
    "a & b \\\\ c",
    "[2pt] x",
    "*x",
    "50 % of $5 #1 a_b {c} ^d ~e",
    "}{",
    "^^41",
    "a\n\nb",
    "“quoted” ‘single’ \"straight\" `grave` — – - -- --- << >> ,, ''",
    "ρ τ ↑ ↓ → ± − ∞ … ␛ � €",
]


@needs_latex
def test_latex_compiles(tmp_path):
    table = ResultTable(["[2pt] a & b", "\\", "^"], notes=ATTACKS)
    for text in ATTACKS:
        table.add(text, text, Number(-0.5, 0.25, 0.75, is_marked=True))
    out = SafeConsole(io.StringIO())
    write(out, [(f"{title}\nx", table) for title in ("}", "a%b")], "latex")
    compiled(out.file.getvalue(), tmp_path)


@needs_latex
@pytest.mark.slow
def test_any_ascii_text_compiles(tmp_path):
    """One file with many random cells, as a run of LaTeX takes a second."""
    rows = []

    @given(st.text(st.characters(max_codepoint=0x7F), max_size=20))
    def add(text):
        rows.append(text)

    add()
    table = ResultTable(["a", "b"])
    for text in rows:
        table.add(text, text)
    compiled(table.latex(), tmp_path)


@needs_latex
@pytest.mark.parametrize("row", ["[x] & y", "a ^ b & c", "a # b & c", "a & b & c & d"])
def test_that_latex_would_notice(tmp_path, row):
    lines = ["\\begin{tabular}{lr}", "\\toprule", f"{row} \\\\", "\\end{tabular}"]
    with pytest.raises(AssertionError):
        compiled("\n".join(lines), tmp_path)


def test_one_line_of_latex_is_one_cell():
    for text in ATTACKS:
        escaped = in_latex(text)
        assert escaped.isprintable()
        assert escaped.replace("\\{", "").count("{") == escaped.replace("\\}", "").count("}")
