import json
from pathlib import Path

import pytest

from tricolore import Cache, get_measure
from tricolore.api.inputs import inputs_of, named_files
from tricolore.data.examples import ExampleFile


@pytest.fixture(autouse=True)
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b", "c-d", "news.corpus"):
        Path(name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("specs", "files"),
    [
        ("length,rouge-1:stem=true", []),
        ("importance:corpus=news.corpus,n=3,length", ["news.corpus"]),
        ("0.5*estime:model=a+(bert-score:model=c-d)", ["a", "c-d"]),
        ("estime:model=a|b|roberta-base", ["a", "b"]),
        ("mix:of=length,model=b", ["b"]),
        ("estime:model=(((", []),
        ("sum-qe:model=,model_revision=", []),
        (f"estime:model={'x' * 5000}", []),
    ],
)
def test_files_that_specs_name(specs, files):
    assert named_files(specs) == [Path(file) for file in files]


def test_what_trained_measures_are_made_of(there):
    for name, of in {"one": "mix:directory=two,length", "two": "mix:directory=one"}.items():
        Path(name).mkdir()
        Path(name, "card.json").write_text(json.dumps({"settings": {"of": of, "epochs": 3}}))
    assert named_files("mix:directory=one") == [Path("one"), Path("two")]
    for broken in ("[]", "{", '{"settings": 5}', "[" * 100_000):
        Path("two", "card.json").write_text(broken)
        assert named_files("mix:directory=one") == [Path("one"), Path("two")]


def test_all_that_is_read(there):
    Path("x.jsonl").write_text('{"source": "s", "summary": "t"}')
    measure = get_measure("importance:corpus=news.corpus")
    with ExampleFile("x.jsonl") as file:
        assert inputs_of(file) == [Path("x.jsonl")]
    assert inputs_of("x.jsonl", [measure]) == [Path("x.jsonl"), Path("news.corpus")]
    assert inputs_of([], cache="off") == inputs_of() == []
    with Cache(there / "cache") as cache:
        assert cache.path in inputs_of(cache=cache)
        assert cache.path in inputs_of(cache=str(there / "cache"))
