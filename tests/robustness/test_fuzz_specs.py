"""Specs made of real names, settings and junk: one clear error, or a measure that prints itself.

`TRICOLORE_FUZZ=20000 pytest tests/robustness/test_fuzz_specs.py` tries more of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tricolore.errors import TricoloreError
from tricolore.perturb.kinds import KINDS, get_perturbations
from tricolore.registry import GROUPS, composed, describe, entries, get_measure, get_measures

MadeT = TypeVar("MadeT")
EXAMPLES = int(os.environ.get("TRICOLORE_FUZZ", "300"))
NAMES = sorted({*entries(), *composed(), *GROUPS, "rouge-w-stem-stop-p", "ROUGE_L", "rouge"})
SETTINGS = sorted(
    {setting.name for name in (*entries(), "sum") for setting in describe(name).settings}
    | {"preset", "scaling", "target"}
)
CHOICES = sorted(
    {
        choice
        for name in entries()
        for setting in describe(name).settings
        for choice in (*setting.choices, str(setting.default))
    }
)
ODD_VALUES = (
    *("", "true", "FALSE", "0", "-1", "1", "2.5", "nan", "inf", "-inf", "1e999", "1e-999", "1e308"),
    *(
        "9" * 19,
        "9" * 400,
        "9" * 5000,
        "٣",
        "1_0",
        "0x1",
        "a-b",
        "a+rouge-1",
        "(x)",
        "x=y",
        "/no/x",
    ),
    *(
        "\x00",
        "\x1b[31m",
        "a\nb",
        "\ud800",
        "é",
        "\u2028",
        "..",
        "~",
        "%s",
        "{0}",
        "0..20",
        "bounds",
    ),
)
FACTORS = ("", "-", "+", "2*", "0*", "-0.5*", "1e5*", "1e308*", "1e999*", ".5*", "*", "1e-320*")

values = st.sampled_from([*CHOICES, *ODD_VALUES]) | st.text(max_size=5)
pairs = st.tuples(st.sampled_from(SETTINGS) | st.text(max_size=4), values).map("=".join)
named = st.tuples(
    st.sampled_from(NAMES) | st.text(max_size=6),
    st.sampled_from(["", ":", ":", " : "]),
    st.lists(pairs, max_size=3).map(",".join),
).map("".join)
terms = st.tuples(st.sampled_from(FACTORS), named).map("".join)


def attempt(make: Callable[[str], list[MadeT]], spec: str) -> tuple[list[MadeT], str]:
    """What a spec makes, or the one clear error."""
    try:
        return make(spec), ""
    except TricoloreError as error:
        return [], str(error)


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    joined = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        joined.map("+".join),
        joined.map("-".join),
        joined.map(",".join),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"avg:{text}"),
        inner.map(lambda text: f"sum:{text},scaling=none"),
        st.tuples(inner, st.sampled_from(list("()+-*,:= \t\n"))).map("".join),
    )


specs = st.recursive(terms, grown, max_leaves=6)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(specs)
@example("(" * 5000)
@example("(" * 5000 + "rouge-1" + ")" * 5000)
@example("sum:" * 3000 + "rouge-1")
@example("avg:(" * 300 + "rouge-1" + ")" * 300)
@example("a" * 10_000_000)
@example("rouge-1:stem=" + "x" * 99_000)
@example("rouge-1," * 3000)
@example("1e308*rouge-1+1e308*rouge-2")
@example("rouge-w:weight=nan")
@example("novelty:n=" + "9" * 400)
@example("estime:layer=" + "9" * 5000)
@example("rouge-1:stem=true,stem=false")
def test_a_spec_is_one_clear_error_or_prints_itself(spec: str) -> None:
    measures, problem = attempt(get_measures, spec)
    assert len(problem) < 2000
    for measure in measures:
        assert get_measure(measure.label) == measure
        assert get_measure(measure.label).label == measure.label
        assert measure.label.isprintable()


damages = st.lists(
    st.tuples(
        st.sampled_from(sorted(KINDS)) | st.text(max_size=4),
        st.sampled_from(["", ":"]),
        st.lists(
            st.tuples(st.sampled_from(["seed", "copy", "pos", "only", "model"]), values).map(
                "=".join
            ),
            max_size=3,
        ).map(",".join),
    ).map("".join),
    min_size=1,
    max_size=3,
).map(",".join)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(damages)
def test_a_spec_of_damage_is_one_clear_error_or_prints_itself(spec: str) -> None:
    made, problem = attempt(get_perturbations, spec)
    assert len(problem) < 2000
    for one in made:
        [again] = get_perturbations(one.label, seed=one.seed)
        assert again.label == one.label
