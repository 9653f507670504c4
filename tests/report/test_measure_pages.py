"""The docs pages of measures, as Markdown and as HTML."""

from __future__ import annotations

import pytest

from tricolore.errors import SpecError
from tricolore.registry import entries
from tricolore.report.measure_pages import markdown_html, measure_page, page_extract, page_name


@pytest.mark.parametrize("name", sorted(entries()))
def test_every_measure_has_an_extract(name: str) -> None:
    made = markdown_html(page_extract(measure_page(name)))
    assert made.startswith("<p>")
    assert "<h4>Blind to</h4>" in made
    assert "<a" not in made
    assert "Settings</h" not in made


def test_a_page_is_found_by_any_spec() -> None:
    assert page_name("rouge-2:stem=true") == "rouge-2"
    assert measure_page("rouge-2").startswith("# ROUGE")
    with pytest.raises(SpecError, match="did you mean 'chrf'"):
        measure_page("chrff")


def test_markdown_is_html_without_tags_and_links_of_others() -> None:
    text = "*a* `b`\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) ![i](http://a/b.png)"
    made = markdown_html(text)
    assert "<em>a</em> <code>b</code>" in made
    assert "&lt;script&gt;" in made
    for word in ("<script", "<a", "<img", 'javascript:alert(1)"', "src="):
        assert word not in made


def test_tables_and_formulas_of_a_page() -> None:
    made = markdown_html("    a = b\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n")
    assert "<pre><code>a = b" in made
    assert "<td>1</td>" in made


def test_a_page_without_sections_is_its_own_extract() -> None:
    assert page_extract("Only a docstring.") == "Only a docstring."
    assert page_extract("") == ""
