"""All files are written by `data.atomic`: whole or not at all, and never over another writer."""

import ast
from pathlib import Path

import tricolore

SOURCE = Path(tricolore.__file__).parent
WRITING = {
    "write_text",
    "write_bytes",
    "savefig",
    "to_csv",
    "to_parquet",
    "write_table",
    "save_file",
    "save_pretrained",
    "tofile",
    "copyfile",
    "copy2",
    "copytree",
    "rename",
    "renames",
    "rmtree",
    "unlink",
    "rmdir",
    "touch",
    "symlink_to",
    "hardlink_to",
    "truncate",
    "mkdir",
    "makedirs",
}
"""Functions and methods that write, rename or remove files, whatever they belong to."""
WRITING_OF_MODULES = {("os", "replace"), ("os", "remove"), ("os", "open"), ("shutil", "move")}
ALLOWED = {
    ("api/report.py", "write_text"): "that of `data.atomic`",
    ("report/plots.py", "savefig"): "into a stream of `open_binary`",
    ("data/scores.py", "write_table"): "into a stream of a draft",
    ("api/atlas.py", "write_table"): "into memory; then `write_directory` of `data.atomic`",
    ("data/part_files.py", "write_table"): "into memory; then a stream of `open_binary`",
    ("data/manifest.py", "write_text"): "the function of `data.atomic`",
    ("run/ray_session.py", "rmtree"): "the temporary directory of a Ray that was started here",
    ("run/parted_run.py", "mkdir"): "the directory of parts",
    ("report/sensitivity.py", "mkdir"): "the directory of several figures",
    ("data/download.py", "mkdir"): "the cache of downloads",
    ("web/permalinks.py", "mkdir"): "the directory of a file that SQLite writes",
    ("web/permalinks.py", "touch"): "the same file, so that nobody else can read it",
    ("data/scores.py", "open"): "the stream of a draft",
    ("data/input_file.py", "open"): "a pipe, to read from it",
    ("cli/standard_streams.py", "open"): "descriptors that are closed",
    ("cli/standard_streams.py", "fdopen"): "stderr that is closed",
}
OWN = ("data/atomic.py", "data/locks.py", "run/cache.py", "run/cache_file.py", "api/cache.py")
"""The one writer with its locks; and the cache, which SQLite writes."""


def calls(path):
    """The calls in a module that may write, by name."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        function = node.func
        name = getattr(function, "attr", getattr(function, "id", ""))
        of = getattr(getattr(function, "value", None), "id", "")
        if name in WRITING or (of, name) in WRITING_OF_MODULES:
            yield name
        elif name in ("open", "fdopen"):
            modes = [*node.args[:2], *(k.value for k in node.keywords if k.arg == "mode")]
            texts = [a.value for a in modes if isinstance(a, ast.Constant)]
            if any(isinstance(text, str) and set(text) & set("wax+") for text in texts[-1:]):
                yield name


def test_nothing_else_writes_files():
    found = {
        (path.relative_to(SOURCE).as_posix(), name)
        for path in SOURCE.rglob("*.py")
        for name in calls(path)
    }
    assert ("data/atomic.py", "open") in found, "the test finds something"
    others = {(module, name) for module, name in found if module not in OWN}
    assert others - set(ALLOWED) == set()
    assert set(ALLOWED) - others == set(), "these need no exception any more"
