"""What strangers may name: no file, and no model that is not on the list."""

from __future__ import annotations

import sys
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tricolore.errors import SpecError, TricoloreError
from tricolore.models import model
from tricolore.perturb.kinds import KINDS, get_perturbation
from tricolore.registry import GROUPS, composed, entries, get_measure
from tricolore.settings import describe_settings
from tricolore.web.catalogue import Catalogue, finite

CATALOGUE = Catalogue()


@pytest.mark.parametrize(
    "spec",
    [
        "importance:corpus=/etc/passwd",
        "importance:tokenizer=gpt2,tokenizer_file=/etc/passwd",
        "bert-score:idf=idf.json",
        "estime:model=/tmp",
        "estime:model=.",
        "estime:model=bert-base-cased",
        "grounding:model_revision=abc",
        "mix:directory=x",
        "sum-qe:directory=x",
        "length+estime:model=other",
        "avg:2*chrf+importance:corpus=x",
    ],
)
def test_specs_that_name_files_or_models_are_refused(spec):
    with pytest.raises(SpecError, match="is not allowed here"):
        CATALOGUE.measures([spec])


def test_specs_that_do_not_are_fine():
    specs = ["importance:corpus=background", "bert-score:idf=none", "estime:model=embedded"]
    assert [m.label for m in CATALOGUE.measures(specs)]


def test_an_operator_can_allow_more(tmp_path):
    with pytest.raises(TricoloreError, match="cannot be offered") as caught:
        Catalogue(["no-such/model"])
    assert caught.value.argument == "model"
    (tmp_path / "model").mkdir()
    catalogue = Catalogue([str(tmp_path / "model")])
    [measure] = catalogue.measures([f"estime:model={tmp_path / 'model'}"])
    assert measure.model == str(tmp_path / "model")
    [estime] = [one for one in catalogue.measures_json() if one["name"] == "estime"]
    choices = {setting["name"]: setting["choices"] for setting in estime["settings"]}
    assert choices["model"] == ["embedded", str(tmp_path / "model")]
    assert "model_revision" not in choices


def test_a_model_that_is_not_installed_is_known_before_any_work():
    catalogue = Catalogue()
    catalogue._missing["embedded"] = "the model embedded"
    with pytest.raises(SpecError, match="estime is not available on this server: the model"):
        catalogue.measures(["estime"])
    found = {one["name"]: one for one in catalogue.measures_json()}
    assert found["estime"]["why_not"] == "the model embedded is not installed"
    assert not found["estime"]["is_available"]
    assert found["rouge-1"]["is_available"]
    damage = {one["kind"]: one for one in catalogue.perturbations_json()}
    assert not damage["subtle-errors"]["is_available"]
    assert "estime" not in [measure.name for measure in catalogue.to_warm(None)]


def test_a_model_that_a_worker_cannot_load_is_not_offered():
    catalogue = Catalogue()
    catalogue.note_not_warm({"summaqa": "it has no head\nmore"})
    with pytest.raises(SpecError, match="summaqa is not available on this server: it has no head"):
        catalogue.measures(["summaqa"])
    assert catalogue.measures(["estime"]), "another kind of model"
    catalogue.note_not_warm({})
    assert catalogue.measures(["summaqa"])


def test_what_is_warmed():
    labels = [measure.label for measure in CATALOGUE.to_warm(None)]
    assert {"grounding", "sbert", "supert"} & set(labels)
    assert {"blanc-help", "estime"} & set(labels)
    assert len(labels) < 6, "one measure per model"
    assert [m.label for m in CATALOGUE.to_warm(["length+novelty"])] == ["length", "novelty"]
    assert CATALOGUE.to_warm([]) == []


def test_numbers_that_json_does_not_have():
    assert finite({"a": [float("nan"), 1.5, (float("inf"),)], "b": None, "c": {1}}) == {
        "a": [None, 1.5, [None]],
        "b": None,
        "c": "{1}",
    }


NAMES = sorted({*entries(), *composed(), *GROUPS, *KINDS} - {"gated", "mortal"})
SETTINGS = sorted(
    {
        s.name
        for e in (*entries().values(), *composed().values())
        for s in describe_settings(e.load())
    }
)
PATHS = ["/etc/passwd", "~/.ssh/id_rsa", "../x", "C:\\x", "file:///etc/passwd", "bert-base", "main"]
WORDS = st.sampled_from([*NAMES, *SETTINGS, *PATHS, *":=,+-*()", "avg:", "sum:", "1e9", "true"])
SPECS = st.one_of(
    st.lists(WORDS, max_size=12).map("".join),
    st.tuples(st.sampled_from(NAMES), st.sampled_from(SETTINGS), st.sampled_from(PATHS)).map(
        lambda parts: f"{parts[0]}:{parts[1]}={parts[2]}"
    ),
    st.text(max_size=40),
)
_opened: list[str] = []
_is_watching = False


def _audit(event, arguments):
    if _is_watching and event in ("open", "os.listdir", "os.scandir", "socket.connect"):
        _opened.append(f"{event} {arguments[0]}")


@pytest.fixture(scope="module")
def watched():
    """Everything is imported before; then files that are opened are noted."""
    for name in {*entries(), *composed()}:
        (entries().get(name) or composed()[name]).load()
    for kind in KINDS:
        get_perturbation(kind)
    for name in entries():
        CATALOGUE.why_not(get_measure(name))
    sys.addaudithook(_audit)


@settings(
    max_examples=1500,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(specs=st.lists(SPECS, min_size=1, max_size=3))
def test_fuzzed_specs_open_no_file_and_load_no_model(watched, specs):
    global _is_watching
    models = set(model._slots)
    _opened.clear()
    _is_watching = True
    try:
        with suppress(TricoloreError):
            CATALOGUE.measures(specs)
        with suppress(TricoloreError, ValueError):
            get_perturbation(specs[0], policy=CATALOGUE.policy)
    finally:
        _is_watching = False
    assert _opened == []
    assert set(model._slots) == models


def test_the_audit_hook_would_notice(watched, tmp_path):
    global _is_watching
    (tmp_path / "corpus").write_text("x")
    _opened.clear()
    _is_watching = True
    try:
        with pytest.raises(TricoloreError, match="corpus"):
            get_measure(f"importance:corpus={tmp_path / 'corpus'}").prepare()
    finally:
        _is_watching = False
    assert [line for line in _opened if "corpus" in line]
