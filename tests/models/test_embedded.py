"""The model that ships: it is the file that the card describes, and as good as the card says."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from pathlib import Path

import pytest
import tricolore_embedded

from tools.embedded.evaluate import text_accuracy
from tricolore import Example
from tricolore.measures.blanc_help import BlancHelp
from tricolore.models import MaskedLM, embedded
from tricolore.models.errors import BrokenModelError
from tricolore.models.model import shared

ROOT = Path(__file__).resolve().parents[2]
CARD = (ROOT / "packages/embedded/README.md").read_text(encoding="utf-8")
TEXT = (Path(__file__).parent / "heldout.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def model() -> MaskedLM:
    return shared(MaskedLM, "embedded")


def test_every_file_is_the_one_that_was_packed() -> None:
    directory = tricolore_embedded.path()
    digests = json.loads((directory / "digests.json").read_text())
    assert set(digests) == {"model.safetensors", "config.json", "tokenizer.json"}
    for name, digest in digests.items():
        assert hashlib.sha256((directory / name).read_bytes()).hexdigest() == digest
    assert digests["model.safetensors"] in CARD


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_changed_file_is_noticed_before_a_score(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """Flipped bytes load without a word, so the digests are compared."""
    shutil.copytree(tricolore_embedded.path(), tmp_path / "model")
    monkeypatch.setitem(embedded._found, embedded.PACKAGE, tmp_path)
    assert len(embedded.revision()) == 12
    with (tmp_path / "model" / name).open("r+b") as file:
        file.seek(-20, os.SEEK_END)
        last = file.read(1)
        file.seek(-20, os.SEEK_END)
        file.write(bytes([last[0] ^ 1]))
    with pytest.raises(BrokenModelError, match=f"{name} is not the file that was packed") as caught:
        MaskedLM.load("embedded")
    assert "install it again" in str(caught.value)
    with pytest.raises(BrokenModelError):
        BlancHelp().signature()


@pytest.mark.parametrize("digests", [b"", b"[]", b"{}", b'{"gone.json": "0"}'])
def test_a_damaged_list_of_digests_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, digests: bytes
) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.safetensors").write_bytes(b"")
    (tmp_path / "model" / "digests.json").write_bytes(digests)
    monkeypatch.setitem(embedded._found, embedded.PACKAGE, tmp_path)
    with pytest.raises(BrokenModelError, match=r"digests\.json.*again"):
        embedded.revision()


def test_it_stays_small() -> None:
    total = sum(path.stat().st_size for path in tricolore_embedded.path().iterdir())
    assert total <= 70e6


@pytest.mark.slow
def test_accuracy_is_what_the_card_says(model: MaskedLM) -> None:
    found = re.search(r"bundled text.*\| ([\d.]+) % \| ([\d.]+) % \|", CARD)
    assert found is not None
    tokens, words = text_accuracy(model, TEXT)
    # A machine that rounds otherwise may turn one guess in a thousand.
    assert 100 * tokens == pytest.approx(float(found.group(1)), abs=0.2)
    assert 100 * words == pytest.approx(float(found.group(2)), abs=0.4)


def test_the_revision_names_the_weights(model: MaskedLM) -> None:
    assert model.revision in CARD


def test_it_knows_some_english(model: MaskedLM) -> None:
    assert model.guess("He was arrested by the [MASK] on Friday.") == ["police"]


@pytest.mark.slow
def test_a_summary_helps_and_a_foreign_one_does_not() -> None:
    """What BLANC lives by, on our own stories: the true lead against the next story's."""
    stories = [story.split(". ") for story in TEXT.strip().split("\n\n")]
    examples = [
        Example(source=". ".join(story[1:]), summary=lead + ".")
        for story, other in zip(stories, [*stories[1:], stories[0]], strict=True)
        for lead in (story[0], other[0])
    ]
    scores = BlancHelp().score(examples)
    wins = sum(
        true.value > foreign.value for true, foreign in zip(scores[::2], scores[1::2], strict=True)
    )
    assert wins >= len(stories) - 1
