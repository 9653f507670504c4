"""Downloads of published sets."""

import hashlib
import shutil

import pytest

from tests.data.published_files import newsroom_csv
from tricolore.data.datasets import find_dataset
from tricolore.data.download import download
from tricolore.errors import ReadError


def test_a_download_is_checked(tmp_path):
    dataset = find_dataset("blanc-cnndm")
    (tmp_path / "CNN_DailyMail_555.json").write_text("[]")
    # SHA-256 of "[]"
    assert hashlib.sha256(b"[]").hexdigest().startswith("4f53cda18c2baa0c")
    with pytest.raises(ReadError, match="is not the published file: its SHA-256 is 4f53cda18c2b"):
        download(dataset, tmp_path)


def test_no_network(tmp_path, monkeypatch):
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")  # nothing listens there
    with pytest.raises(ReadError, match=r"cannot be fetched .* by other means"):
        download(find_dataset("newsroom"), tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ReadError, match="the files of realsumm cannot be downloaded"):
        download(find_dataset("realsumm"), tmp_path)


def test_a_download(tmp_path, monkeypatch):
    """From a place that is always there: a file of this machine."""
    import dataclasses

    there = tmp_path / "there.csv"
    newsroom_csv(there, [["7", "C", "lede3", "A.", "B.", 5, 4, 3, 2]])
    dataset = find_dataset("newsroom")
    [file] = dataset.files
    here = dataclasses.replace(
        dataset, files=(dataclasses.replace(file, url=there.as_uri(), sha256=""),)
    )
    folder = tmp_path / "cache"
    [digest] = download(here, folder).values()
    assert digest == hashlib.sha256(there.read_bytes()).hexdigest()
    assert len(list(here.read(folder))) == 1
    shutil.rmtree(folder)
