import dataclasses

import pytest

from tricolore import Measure, get_measure, get_measures
from tricolore.errors import SpecError
from tricolore.registry import composed, describe, entries, split_specs
from tricolore.settings import Policy


@pytest.mark.parametrize("name", sorted(entries()))
def test_every_measure_describes_itself(name):
    made = get_measure(name)
    assert made.name == name == made.label
    assert made.direction in ("higher", "lower", "neither")
    low, high = made.bounds
    assert low < high
    known = {"source", "references", "corpus", "training", "units", "highlights"}
    assert made.needs <= known
    assert made.cost
    # The default models of nli and regressor are on the hub, and judge has none: their own tests
    # have others.
    if name not in ("nli", "judge", "regressor"):
        assert set(made.signature()) >= {"measure", "tricolore", "revision", *made.settings}


@pytest.mark.parametrize("name", sorted(entries()))
def test_a_label_is_a_spec_that_makes_the_same_measure(name):
    made = get_measure(name)
    assert get_measure(made.label) == made


@pytest.mark.parametrize("name", sorted(entries()))
def test_every_preset_can_be_asked_for_and_is_shortest_in_the_label(name):
    for preset in type(get_measure(name)).presets:
        made = get_measure(f"{name}:preset={preset}")
        assert get_measure(made.label) == made
        assert made.label in (name, f"{name}:preset={preset}") or made.label.count("=") == 1


def test_defaults_are_the_first_preset():
    for name in entries():
        made = get_measure(name)
        if made.presets:
            first = next(iter(made.presets))
            assert get_measure(f"{name}:preset={first}") == made


def test_a_setting_overrides_its_preset():
    made = get_measure("coverage:preset=released,matching=exact")
    assert made == get_measure("coverage:matching=exact")


def test_one_list_separates_measures_and_settings():
    assert split_specs("rouge, importance:n=3,weighting=bm25 ,chrf") == [
        "rouge",
        "importance:n=3,weighting=bm25",
        "chrf",
    ]
    labels = [m.label for m in get_measures("rouge-2:stem=true,stop_words=smart,coverage")]
    assert labels == ["rouge-2:stem=true,stop_words=smart", "coverage"]


def test_a_group_passes_its_settings_on_and_nothing_comes_twice():
    labels = [m.label for m in get_measures("rouge:stem=true,rouge-2-stem,rouge-l")]
    assert labels == ["rouge-1:stem=true", "rouge-2:stem=true", "rouge-l:stem=true", "rouge-l"]


def test_the_thesis_names():
    assert get_measure("ROUGE-W-STOP-P") == get_measure("rouge-w:stop_words=smart,value=precision")
    assert get_measure("rouge-1-stem-stop-r") == get_measure(
        "rouge-1:stem=true,stop_words=smart,value=recall"
    )


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("coverge", "did you mean 'coverage'?"),
        ("rouge-5", "there is no measure 'rouge-5'"),
        ("rouge-1-stop-stem", "there is no measure 'rouge-1-stop-stem'"),
        ("coverage:matchin=exact", "did you mean 'matching'?"),
        ("coverage:matching=fuzzy", "must be one of exact, greedy"),
        ("rouge-1:stem=perhaps", "must be true or false"),
        ("importance:n=three", "must be a whole number"),
        ("coverage:preset=draft", "it has: paper, released"),
        ("coverage:exact", "write name=value"),
        ("", "no measure is named"),
        (" , ", "no measure is named"),
    ],
)
def test_what_does_not_fit_is_said(spec, words):
    with pytest.raises(SpecError, match=r"^[^\n]+$") as error:
        get_measures(spec)
    assert words in str(error.value)


def test_a_measure_is_its_settings():
    one = get_measure("coverage:matching=greedy")
    assert one == get_measure("coverage:matching=greedy")
    assert one != get_measure("coverage")
    assert hash(one) == hash(get_measure("coverage:matching=greedy"))
    assert dataclasses.replace(one, matching="exact") == get_measure("coverage")
    assert isinstance(one, Measure)
    assert get_measures([one, "coverage"]) == [one, get_measure("coverage")]


@pytest.mark.parametrize("name", sorted(entries()))
def test_a_description_is_what_the_measure_says(name):
    made, info = get_measure(name), describe(name)
    assert (info.name, info.direction, info.bounds) == (name, made.direction, made.bounds)
    assert set(info.needs) == made.needs
    assert set(info.reads) == made.reads
    assert (info.cost, info.extra) == (made.cost, made.extra)
    assert tuple(info.parts) == made.part_names
    assert info.summary.endswith(".")
    settings = dict(made.settings)
    if name.startswith("rouge"):
        del settings["variant"]  # it is in the name
    assert {one.name: one.default for one in info.settings} == settings
    assert info.is_complete


@pytest.mark.parametrize("name", sorted(composed()))
def test_composed_and_trained_measures_are_described_without_their_terms(name):
    info = describe(name)
    assert not info.is_complete
    assert info.summary
    assert info.cost
    assert all(one.help for one in info.settings)


def test_a_description_of_a_sum_knows_its_terms():
    info = describe("avg:rouge-1+redundancy,scaling=0..1/1..0")
    assert (info.needs, info.direction, info.bounds) == (("references",), "higher", (0, 1))
    assert tuple(info.parts) == ("rouge-1", "redundancy")
    assert describe("estime").parts["soft"] == "higher"
    assert describe("estime:value=soft").direction == "higher"


def test_what_cannot_be_described():
    with pytest.raises(SpecError, match="did you mean 'estime'"):
        describe("estim")
    with pytest.raises(SpecError, match="'rouge' names 3 measures"):
        describe("rouge")


CLOSED = Policy(files=False, models=frozenset({"embedded"}))


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("importance:corpus=/etc/passwd", "importance: corpus=/etc/passwd is not allowed here"),
        ("importance:tokenizer=gpt2,tokenizer_file=x.json", "tokenizer_file=x.json is not allowed"),
        (
            "bert-score:model=embedded,idf=x.txt",
            "idf=x.txt is not allowed here, for it names",
        ),
        ("bert-score:model=embedded,baseline=x", "baseline=x is not allowed here"),
        ("estime:model=bert-large", "estime: model=bert-large is not allowed here"),
        ("estime:raw_model=bert-large", "raw_model=bert-large is not allowed here"),
        ("mix:directory=m", "mix: directory=m is not allowed here"),
        # Inside sums and groups, by a preset, and by default.
        ("avg:density+2*(length-estime:model=a/b)", "estime: model=a/b is not allowed here"),
        ("length,density+importance:corpus=x", "importance: corpus=x is not allowed here"),
        ("bert-score:preset=released", "model=roberta-large is not allowed here"),
        ("sbert", "sbert: model=all-MiniLM-L6-v2 is not allowed here"),
    ],
)
def test_a_policy_refuses_files_and_models(spec, words):
    with pytest.raises(SpecError) as error:
        get_measures(spec, CLOSED)
    assert words in str(error.value)
    if "model=" in words:
        assert "the models are: embedded" in str(error.value)


def test_a_policy_allows_the_rest():
    specs = "rouge,importance:corpus=background,estime,sbert:model=embedded,avg:density+blanc-help"
    assert get_measures(specs, CLOSED) == get_measures(specs)
    assert get_measures([get_measure("sbert")], CLOSED) == [get_measure("sbert")]
    assert get_measure("estime:model=some/hub", Policy(files=False)).model == "some/hub"


@pytest.mark.parametrize("model", ["/models/a", "./a", "../a", "~/a"])
def test_without_files_a_model_is_no_path(model):
    with pytest.raises(SpecError, match="is not allowed here, for it names a model"):
        get_measure(f"estime:model={model}", Policy(files=False))


def test_without_files_a_model_is_no_directory_that_is_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    with pytest.raises(SpecError, match="is not allowed here"):
        get_measure("estime:model=mine", Policy(files=False))
