"""What is installed is pinned and licensed, and what is bundled is named."""

import ast
import json
import re
import subprocess
import sys
from email.message import Message
from importlib.metadata import distributions
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import audit, constraints, licences, sbom

REPO = Path(__file__).parents[1]
LOADERS = {"pickle", "dill", "joblib", "marshal", "shelve", "subprocess"}
SAFE_OPTIONS = {"allow_pickle": "False", "trust_remote_code": "False", "weights_only": "True"}


def tracked():
    """The text files of the repository."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=REPO, check=True, capture_output=True, text=True
    )
    for name in listed.stdout.split("\0"):
        path = REPO / name
        if name and path.is_file() and b"\0" not in (raw := path.read_bytes())[:8192]:
            yield name, raw.decode()


def test_everything_installed_is_pinned():
    """If this fails, see "Dependencies" in CONTRIBUTING.md."""
    assert constraints.differences(distributions(), constraints.pins([constraints.PINNED])) == []


def test_what_is_not_pinned_is_found(tmp_path):
    (tmp_path / "c.txt").write_text("# why\nb_c==1.0\nd==2  # why\ntorch==2.13.0\n")
    pinned = constraints.pins([tmp_path / "c.txt"])
    installed = [
        SimpleNamespace(name=name, version=version)
        for name, version in (
            *(("a", "1"), ("B.C", "1.0"), ("d", "2.1"), ("torch", "2.13.0+cpu")),
            ("tricolore_embedded", "0.1.0"),
        )
    ]
    assert constraints.differences(installed, pinned) == [
        "a 1 is installed, but not pinned",
        "d 2.1 is installed, but d==2 is pinned",
    ]


def test_versions_chosen_by_hand_are_pinned():
    pinned = constraints.pins([constraints.PINNED])
    by_hand = constraints.pins(constraints.BY_HAND)
    assert {"torch", "blanc"} <= set(by_hand)
    assert {name: pinned.get(name) for name in by_hand} == by_hand


def test_pins_are_exact():
    for pin in constraints.pins([constraints.PINNED]).values():
        assert re.fullmatch(r"==[\w.]+", str(pin.specifier)), pin


def test_every_licence_is_allowed():
    assert licences.refused(each.metadata for each in distributions()) == []


@pytest.mark.parametrize(
    ("declared", "refused"),
    [
        ({"License-Expression": "MIT AND (Apache-2.0 WITH LLVM-exception OR MPL-2.0)"}, None),
        ({"License-Expression": "MIT AND AGPL-3.0-only", "License": "MIT"}, "AGPL-3.0-only"),
        ({"Classifier": "License :: OSI Approved :: MIT License"}, None),
        ({"Classifier": "License :: Other/Proprietary License"}, "Other/Proprietary License"),
        ({"License": "MIT"}, None),
        ({"License": "GPL"}, "GPL"),
        ({"License": "UNKNOWN"}, "no licence"),
        ({}, "no licence"),
    ],
)
def test_which_licences_are_refused(declared, refused):
    metadata = Message()
    for key, value in {"Name": "some", "Version": "1", **declared}.items():
        metadata[key] = value
    assert licences.refused([metadata]) == ([f"some 1: {refused}"] if refused else [])


def test_an_audit_without_answers_does_not_pass():
    # As pip-audit reports them where it reaches no service; it then exits with 0.
    skipped = [{"name": name, "skip_reason": "not found"} for name in ("a", "b", "tricolore")]
    sound = {"name": "c", "version": "1", "vulns": []}
    flawed = {"name": "d", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]}
    assert audit.findings([sound, skipped[2]]) == []
    assert audit.findings([sound, flawed, *skipped]) == [
        "d 1: PYSEC-1, fixed in 2",
        "2 of 5 packages were NOT audited: a, b",
    ]


@pytest.mark.slow
def test_the_bill_of_materials_is_valid_and_has_what_is_bundled():
    listed = sbom.bill()
    components = {each["name"]: each for each in listed["components"]}
    assert {"nltk", "torch", "tricolore-embedded"} <= set(components)
    weights = "packages/embedded/src/tricolore_embedded/model/model.safetensors"
    digests = json.loads((REPO / weights).with_name("digests.json").read_text())
    assert components[weights]["hashes"][0]["content"] == digests["model.safetensors"]
    assert "src/tricolore/text/data/stop-smart.txt" in components
    assert "file://" not in json.dumps(listed)
    # Validating all of them takes many seconds.
    listed["components"] = listed["components"][-15:]
    listed["dependencies"] = []
    assert sbom.fault(listed) is None
    listed["components"][-1]["hashes"][0]["content"] = "not a digest"
    assert "not a digest" in sbom.fault(listed)


def test_notice_names_every_bundled_file():
    notice = (REPO / "NOTICE").read_text()
    for path in sbom.DATA.iterdir():
        assert not path.is_file() or path.name in notice, path
    # WordNet wants its terms on all copies, and Snowball its notice.
    assert "WordNet 2.0 Copyright 2003 by Princeton University.  All rights reserved." in notice
    assert "Copyright (c) 2001, Dr Martin Porter" in notice
    for corpus in ("Brown", "Reuters-21578", "ABC", "BBC", "CNN/DailyMail", "WikiText-2"):
        for place in (".", "packages/embedded"):
            assert corpus in (REPO / place / "NOTICE").read_text()


def test_no_package_index_is_named():
    """Packages are asked for by name; which index answers is up to whoever installs."""
    hosts = re.findall(
        r"https?://(?:[^/@\s']*@)?([^/:\s']+)",
        subprocess.run(
            [sys.executable, "-m", "pip", "config", "list"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout,
    )
    forbidden = re.compile(
        "|".join(
            [
                *map(re.escape, hosts),
                *("--(extra-)?index-url [^.]", "--find-links [^.]", "files[.]pythonhosted"),
                *("pypi[.]org/simple", "/opt/(pypi|wheels)", "index_url *=", "download[.]pytorch"),
            ]
        )
    )
    ours = Path(__file__).relative_to(REPO).as_posix()
    found = [name for name, text in tracked() if name != ours and forbidden.search(text)]
    assert found == []


def unsafe(module):
    """The imports and calls of a module that can run code which a file contains."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import | ast.ImportFrom):
            origin = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            for each in node.names:
                if {origin.split(".")[0], each.name.split(".")[0]} & LOADERS:
                    yield origin or each.name
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in ("eval", "exec", "torch.load", "yaml.load", "os.system"):
                yield called
            for option in node.keywords:
                safe = SAFE_OPTIONS.get(option.arg)
                if safe and ast.unparse(option.value) != safe:
                    yield option.arg


def test_one_pickle_and_no_other_way_to_run_code_from_a_file():
    found = {
        path.relative_to(REPO).as_posix(): names
        for path in (REPO / "src").rglob("*.py")
        if (names := sorted(set(unsafe(ast.parse(path.read_text())))))
    }
    assert found == {
        # Messages between processes that this program started itself.
        "src/tricolore/run/pool.py": ["pickle"],
        "src/tricolore/run/ray_actor.py": ["pickle"],  # what the driver sends
        "src/tricolore/run/ray_session.py": ["subprocess"],  # starts Ray on this machine
        "src/tricolore/run/worker.py": ["pickle"],
        "src/tricolore/testing.py": ["pickle"],  # copies a measure, and reads no file
        "src/tricolore/text/pos.py": ["pickle"],  # plain data only
    }


def test_which_code_is_unsafe():
    code = "from torch import nn\nnn.eval()\nnp.load(f, allow_pickle=False)\n"
    assert list(unsafe(ast.parse(code))) == []
    code = "from joblib import load\nnp.load(f, allow_pickle=True)\neval('1')\nimport pickle"
    assert sorted(unsafe(ast.parse(code))) == ["allow_pickle", "eval", "joblib", "pickle"]
