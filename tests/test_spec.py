from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tricolore.spec import Term, TermError, join_terms, split_specs, split_terms

KNOWN = {"rouge-1", "rouge-l", "rouge-l-stem", "rouge-lsum", "density", "length", "estime"}


def text(name: str, key: str) -> bool:
    return key == "model"


def read(spec: str) -> list[tuple[float, str]]:
    return [(term.weight, term.spec) for term in split_terms(spec, KNOWN, text)]


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
        ("ROUGE_1-Density", [(1, "ROUGE_1"), (-1, "Density")]),
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
    ],
)
def test_what_is_not_understood(spec: str, words: str) -> None:
    with pytest.raises(TermError, match=words):
        read(spec)


def test_a_longer_name_comes_before_a_difference() -> None:
    known = {*KNOWN, "density-length"}
    assert split_terms("density-length", known, text) == [Term(1, "density-length")]


SPECS = st.sampled_from(
    ["density", "rouge-1:a=1,b=x", "estime:model=q", "estime:model=a-length", "density+length"]
)
WEIGHTS = st.sampled_from([1.0, -1.0, 3.0, -0.5, 0.1, 1e-07])


@given(st.lists(st.builds(Term, WEIGHTS, SPECS), min_size=1, max_size=5))
def test_what_is_joined_comes_apart_again(terms: list[Term]) -> None:
    assert split_terms(join_terms(terms, KNOWN, text), KNOWN, text) == terms


def test_commas_separate_sums_as_well() -> None:
    assert split_specs("density+length,rouge-1:a=1,b=2+density,(estime:model=a,b=2)+length,x") == [
        "density+length",
        "rouge-1:a=1,b=2+density",
        "(estime:model=a,b=2)+length",
        "x",
    ]
    assert split_specs("avg:density+length,scaling=0..20/range,x") == [
        "avg:density+length,scaling=0..20/range",
        "x",
    ]
