import pytest

from tricolore import Example, Run, get_measure
from tricolore.errors import SpecError
from tricolore.run.sweep import plan
from tricolore.run.table import score_table

EXAMPLES = [
    Example(
        source="The council voted on Monday to close the old bridge. Engineers had warned.",
        summary=summary,
        references="The bridge is closed.",
        doc_id="d",
        system=str(at),
        human={"q": at},
    )
    for at, summary in enumerate(["The council closed the bridge.", "Monday warned the engineers."])
]


def labels(spec):
    return [point.label for point in plan(spec).points]


def test_ranges_and_choices():
    assert labels("chrf:beta=1..3") == ["beta=1", "beta=2", "beta=3"]
    assert labels("chrf:beta=1..5..2|9") == ["beta=1", "beta=3", "beta=5", "beta=9"]
    # every combination; what is said once is no part of the label
    assert labels("rouge-1:stem=true|false,value=f1|recall,stop_words=smart") == [
        "stem=true,value=f1",
        "stem=true,value=recall",
        "stem=false,value=f1",
        "stem=false,value=recall",
    ]


def test_several_measures():
    sweep = plan("chrf:beta=1..2,rouge-1")
    assert [(point.series, point.label) for point in sweep.points] == [
        ("chrf", "beta=1"),
        ("chrf", "beta=2"),
        ("rouge-1", ""),
    ]
    assert [measure.label for measure in sweep.measures] == ["chrf:beta=1", "chrf", "rouge-1"]


def test_a_setting_that_is_not_there():
    with pytest.raises(SpecError, match="no setting 'layr'"):
        plan("estime:layr=1..2")
    with pytest.raises(SpecError, match=r"the range 5\.\.2 holds nothing"):
        plan("chrf:beta=5..2")
    with pytest.raises(SpecError, match="nothing is swept in 'rouge-1'"):
        plan("rouge-1")


def test_layers_of_estime_come_from_one_measure():
    sweep = plan("estime:layer=1..3,similarity=product|cosine")
    assert [measure.label for measure in sweep.measures] == [
        "estime:layer=1,layers=1+2+3",
        "estime:layer=1,layers=1+2+3,similarity=cosine",
    ]
    assert sweep.points[0].column == "estime:layer=1,layers=1+2+3.alarms_l1"
    # a rate a layer is not among the parts, nor is a layer counted from the top
    assert len(plan("estime:layer=1..3,value=alarms_per_checked").measures) == 3
    assert len(plan("estime:layer=-1|default").measures) == 2


@pytest.mark.parametrize("value", ["alarms", "soft"])
def test_together_they_have_the_values_that_each_has_alone(value):
    sweep = plan(f"estime:layer=2..3,value={value}")
    together = score_table(Run(sweep.measures), EXAMPLES).table
    for point, layer in zip(sweep.points, (2, 3), strict=True):
        alone = get_measure(f"estime:layer={layer},value={value}").score(EXAMPLES)
        assert together.values[point.column].tolist() == pytest.approx([s.value for s in alone])
        assert together.lower(point.column) == (value == "alarms")


@pytest.mark.parametrize(
    ("spec", "series", "columns"),
    [
        ("importance:k=0.5..1.5..0.5,n=2", "importance:n=2", "n=2,k=0.5 n=2,k=1.0 n=2,k=1.5"),
        ("avg:rouge-1+chrf,scaling=bounds|none", "avg:rouge-1+chrf", ",scaling=bounds -"),
        ("rouge-1:stem=true|false+chrf", "rouge-1+chrf", "rouge-1:stem=true+chrf rouge-1+chrf"),
    ],
)
def test_fractions_and_sums(spec, series, columns):
    points = plan(spec).points
    assert {point.series for point in points} == {series}
    for point, words in zip(points, columns.split(), strict=True):
        assert point.column == series if words == "-" else words in point.column


def test_the_bounds_of_a_scaling_are_no_range():
    assert labels("avg:density+length,scaling=0..9|none") == ["scaling=0..9", "scaling=none"]
    points = plan("rouge-1:stem=true|false+density,scaling=0..9").points
    assert [point.label for point in points] == ["stem=true", "stem=false"]
    assert points[1].column == "rouge-1+density,scaling=0..9"


def test_a_setting_that_two_terms_have():
    points = plan("rouge-1:stem=true|false+rouge-2:stem=true|false,value=recall").points
    assert [point.label for point in points][:2] == [
        "stem=true,stem 2=true",
        "stem=true,stem 2=false",
    ]
    assert points[1].column == "rouge-1:stem=true+rouge-2:value=recall"
    assert points[0].series == "rouge-1+rouge-2:value=recall"


def test_several_settings_that_follow_each_other():
    points = plan("estime:pos=NN+VB|CD,layer=1..2").points
    assert {point.series for point in points} == {"estime"}
    assert points[-1].settings == {"pos": "CD", "layer": "2"}


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("rouge-1:weight=1..1000000000", "the range 1..1000000000 holds more than 1000 values"),
        ("rouge-1:weight=1..100,stem=true|false|1..20", "stands for 2200 settings"),
    ],
)
def test_a_sweep_without_end_is_not_begun(spec, problem):
    with pytest.raises(SpecError, match=problem):
        plan(spec)
