"""Templates and the files that pages share."""

from __future__ import annotations

import pytest

from tricolore import Example, Score, Span
from tricolore.report.pages import page_file, painted_pieces, templates
from tricolore.report.painting import painted

EXAMPLE = Example(source="It has 420 jobs.", summary="It has <b>4,200</b> jobs.")
SPAN = Span("summary", 10, 15, kind="fault", item="number", label='not "there"')


def page(template):
    made = painted(EXAMPLE, "grounding", Score(0.5, evidence=(SPAN,)))
    macros = '{% import "macros.html.j2" as macros %}'
    return templates().from_string(macros + template).render(example=EXAMPLE, painting=made)


def test_a_text_is_painted_and_escaped():
    found = page("{{ macros.painted_text(example.summary, painting) }}")
    assert found == (
        '<p class="text" dir="auto" tabindex="0">It has &lt;b&gt;'
        '<mark class="fault shade-4" title="number: not &#34;there&#34;">4,200</mark>'
        "&lt;/b&gt; jobs.</p>"
    )


def test_the_legend_says_what_a_colour_means():
    found = page("{{ macros.legend(painting) }}")
    assert "number that the source does not have" in found


def test_pieces_join_to_the_text_with_visible_controls():
    pieces = list(painted_pieces("a\x1bb\nc", None))
    assert "".join(piece.words for piece in pieces) == "a␛b\nc"


def test_a_name_that_a_template_does_not_get_is_an_error():
    with pytest.raises(Exception, match="undefined"):
        templates().from_string("{{ nothing.here }}").render()


def test_files():
    assert "tricolore.paint" in page_file("evidence.js")
    assert "mark" in page_file("style.css")
