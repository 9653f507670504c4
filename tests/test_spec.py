from __future__ import annotations

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.errors import SpecError
from tricolore.registry import NAMES, get_measure
from tricolore.spec import Spec, Term, parse_specs, plain_name, split_specs

KNOWN = {"rouge-1", "rouge-l", "rouge-l-stem", "rouge-lsum", "density", "length", "estime"}


class Known(set[str]):
    """Some names; `model` is free text."""

    def takes_text(self, name: str, setting: str) -> bool:
        return setting == "model"


NAMES_HERE = Known(KNOWN)


def read(spec: str) -> list[tuple[float, str]]:
    """The terms as they are written, in our own spelling."""
    parsed = Spec.parse(spec, NAMES_HERE)
    return [(t.weight, str(t.spec)) for t in parsed.terms] or [(1, str(parsed))]


@pytest.mark.parametrize(
    ("spec", "terms"),
    [
        ("density", [(1, "density")]),
        ("rouge-1", [(1, "rouge-1")]),
        ("density+length", [(1, "density"), (1, "length")]),
        ("density - length", [(1, "density"), (-1, "length")]),
        # A - inside a name: the longest known name is meant.
        ("rouge-l-length", [(1, "rouge-l"), (-1, "length")]),
        ("rouge-l-stem-rouge-lsum", [(1, "rouge-l-stem"), (-1, "rouge-lsum")]),
        ("ROUGE_1-Density", [(1, "rouge-1"), (-1, "density")]),
        # The weight that the BLANC paper tries, section 5.
        ("3*density+rouge-lsum", [(3, "density"), (1, "rouge-lsum")]),
        ("-0.5 * density+1e-3*length", [(-0.5, "density"), (0.001, "length")]),
        # Settings belong to the term that they stand behind.
        ("rouge-1:stem=true+density", [(1, "rouge-1:stem=true"), (1, "density")]),
        ("rouge-1:a=1,b=2-length:c=d", [(1, "rouge-1:a=1,b=2"), (-1, "length:c=d")]),
        ("rouge-1:a=-1e-5-length", [(1, "rouge-1:a=-1e-5"), (-1, "length")]),
        # In text, a - is a letter; a + before a measure is not, nor is a - between blanks.
        ("estime:model=my-length", [(1, "estime:model=my-length")]),
        ("estime:model=my-length,a=1-length", [(1, "estime:model=my-length,a=1"), (-1, "length")]),
        ("estime:model=C:/my-length", [(1, "estime:model=C:/my-length")]),
        ("estime:model=my - length", [(1, "estime:model=my"), (-1, "length")]),
        ("estime:model=a+b+length", [(1, "estime:model=a+b"), (1, "length")]),
        ("(estime:model=a+length)-length", [(1, "estime:model=a+length"), (-1, "length")]),
        ("2*(density-length)+estime", [(2, "density-length"), (1, "estime")]),
        # Nothing that we know: left as it is, for a good message.
        ("density-foo", [(1, "density-foo")]),
        ("foo-density", [(1, "foo-density")]),
        ("foo+density", [(1, "foo"), (1, "density")]),
    ],
)
def test_where_the_signs_are(spec: str, terms: list[tuple[float, str]]) -> None:
    assert read(spec) == terms


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("density+", r"a measure is missing in 'density\+'"),
        ("density++length", "a measure is missing"),
        ("(density+length", "a bracket is not closed"),
        ("density)", r"'\)' in 'density\)' is not understood: \+ or - is wanted"),
        ("(density)length", "'length' in .* is not understood"),
        ("density:stem", "'stem' in 'density:stem' is not a setting: write name=value"),
        ("(density,length)+estime", "names 2 measures; in a sum, name each: density\\+length"),
        ("1e999*density+length", "the factor 1e999 in .* is too large"),
        ("(" * 5000 + "density" + ")" * 5000, "more than 20 sums or brackets inside each other"),
        ("avg:" * 5000 + "density", "more than 20 sums or brackets inside each other"),
        ("density-(" * 5000 + "length" + ")" * 5000, "more than 20 sums or brackets"),
    ],
)
def test_what_is_not_understood(spec: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        read(spec)


def test_a_longer_name_comes_before_a_difference() -> None:
    known = Known({*KNOWN, "density-length"})
    assert Spec.parse("density-length", known) == Spec("density-length")


def test_a_spec_has_a_name_settings_and_terms() -> None:
    assert Spec.parse("AVG: 2*rouge_1:a=1, b-c=x - (density+length, scaling=0..9)", NAMES_HERE) == (
        Spec(
            "avg",
            {},
            (
                Term(2, Spec("rouge-1", {"a": "1", "b_c": "x"})),
                Term(
                    -1,
                    Spec(
                        "sum",
                        {"scaling": "0..9"},
                        (Term(1, Spec("density")), Term(1, Spec("length"))),
                    ),
                ),
            ),
        )
    )


# A sum is never meant by these; only text may hold a name behind a -.
VALUES = st.sampled_from(["1", "x", "true", "-1", "1e-07", "NN+VB", "0..5", "a|b", ""])
TEXTS = st.sampled_from(["q", "a/b-length", "C:/my-rouge-1", "a-b+c", "a(1)"])
SETTINGS = st.fixed_dictionaries({}, optional={"a": VALUES, "model": TEXTS, "b_c": VALUES})
SINGLE = st.builds(Spec, st.sampled_from(sorted(KNOWN)), SETTINGS)
WEIGHTS = st.sampled_from([1.0, -1.0, 3.0, -0.5, 0.1, 1e-07, 1e300])


def sums(specs: st.SearchStrategy[Spec]) -> st.SearchStrategy[Spec]:
    terms = st.lists(st.builds(Term, WEIGHTS, specs), min_size=1, max_size=4).map(tuple)
    scaling = st.sampled_from([{}, {"scaling": "bounds"}, {"scaling": "0..20/none"}])
    return st.builds(Spec, st.sampled_from(["sum", "avg"]), scaling, terms)


SPECS = st.recursive(SINGLE, sums, max_leaves=8)


@given(SPECS)
def test_what_is_printed_is_parsed_to_the_same(spec: Spec) -> None:
    assert Spec.parse(str(spec), NAMES_HERE) == spec


@given(st.lists(SPECS, min_size=1, max_size=3))
def test_lists_too(specs: list[Spec]) -> None:
    assert parse_specs(",".join(map(str, specs)), NAMES_HERE) == specs


def test_commas_separate_sums_as_well() -> None:
    assert split_specs("density+length,rouge-1:a=1,b=2+density,(estime:model=a,b=2)+length,x") == [
        "density+length",
        "rouge-1:a=1,b=2+density",
        "(estime:model=a,b=2)+length",
        "x",
    ]
    assert split_specs("avg:density+length,scaling=0..20/none,x") == [
        "avg:density+length,scaling=0..20/none",
        "x",
    ]


@given(st.text(alphabet="rouge-1lp:+(),=*.3 sum", max_size=30))
def test_any_text_is_a_list_of_specs_or_a_spec_error(text: str) -> None:
    try:
        found = parse_specs(text, NAMES)
    except SpecError:
        return
    for spec in found:
        assert spec.name == plain_name(spec.name)
        assert all(math.isfinite(term.weight) for term in spec.terms)


def test_a_long_spec_is_read_in_a_moment() -> None:
    before = time.process_time()
    spec = Spec.parse("+".join(["density"] * 5000), NAMES)
    assert len(spec.terms) == 5000
    assert time.process_time() - before < 5


def test_the_label_of_a_measure_is_its_spec() -> None:
    made = get_measure("avg:(density-length)+rouge-1-stem,scaling=0..9/none")
    assert made.spec == Spec.parse(made.label, NAMES)
    assert str(made.spec) == "avg:(density-length)+rouge-1:stem=true,scaling=0..9/none"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("density\x00", r"the control character U\+0000"),
        ("density:stem=\x1b]0;title\x07", r"the control character U\+001B"),
        ("density:stem=\ud800", r"the control character U\+D800"),
        ("estime:model=a\nb", "'model' has a tab or a line end in its value"),
        ("density:stem=true,stem=false", "stem is given twice in 'density:stem=true,stem=false'"),
        ("density," * 20_000, "a spec has 160,000 characters; 100,000 are allowed"),
        ("(" * 5000, r"a bracket is not closed in '\({200}…'"),
    ],
)
def test_what_no_spec_may_have(spec: str, words: str) -> None:
    with pytest.raises(SpecError, match=words) as caught:
        parse_specs(spec, NAMES_HERE)
    assert len(str(caught.value)) < 600


def test_line_ends_between_specs_are_blanks() -> None:
    assert [str(spec) for spec in parse_specs("\n density,\n\tlength\r\n", NAMES_HERE)] == [
        "density",
        "length",
    ]


def test_a_huge_factor_is_written_in_short() -> None:
    parsed = Spec.parse("1e300*density+100000*length", NAMES_HERE)
    assert str(parsed) == "1e+300*density+100000*length"
    assert Spec.parse(str(parsed), NAMES_HERE) == parsed
