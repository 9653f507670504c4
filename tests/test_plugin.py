"""Measures of third parties come by an entry point."""

import os
import subprocess
import sys

PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "tricolore-vowels"
version = "1.0"
[project.entry-points."tricolore.measures"]
vowels = "tricolore_vowels:Vowels"
[tool.hatch.build.targets.wheel]
packages = ["tricolore_vowels"]
"""
MODULE = '''
from dataclasses import dataclass
from tricolore import Measure, Score
from tricolore.settings import setting

@dataclass(frozen=True, kw_only=True)
class Vowels(Measure):
    """The share of letters that are vowels."""
    name = "vowels"
    page = "# Vowels\\n\\nThe share of letters that are vowels, by hand."
    needs = frozenset()
    cost = "none"
    letters: str = setting("aeiou", "The letters that count as vowels.")

    def compute(self, examples, *, evidence):
        for example in examples:
            text = example.summary
            yield Score(sum(letter in self.letters for letter in text) / len(text))
'''
CHECK = """
from tricolore import get_measure
from tricolore.testing import check_measure

check_measure(get_measure("vowels:letters=ea"))
"""


def test_an_installed_plugin_is_a_measure_like_ours(tmp_path):
    plugin = tmp_path / "plugin"
    (plugin / "tricolore_vowels").mkdir(parents=True)
    (plugin / "pyproject.toml").write_text(PROJECT)
    (plugin / "tricolore_vowels" / "__init__.py").write_text(MODULE)
    place = tmp_path / "installed"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
        + ["--no-index", "--target", str(place), str(plugin)],
        check=True,
    )
    path = os.pathsep.join(filter(None, [str(place), os.environ.get("PYTHONPATH", "")]))
    env = {**os.environ, "PYTHONPATH": path}

    def ask(*arguments):
        command = [sys.executable, "-m", "tricolore", *arguments]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout

    assert "\n vowels " in ask("measures")
    assert ask("explain", "vowels").startswith("# Vowels\n\nThe share of letters")
    shown = " ".join(ask("measures", "vowels").split())
    assert "vowels: The share of letters that are vowels." in shown
    assert "letters text aeiou The letters that count as vowels." in shown
    subprocess.run([sys.executable, "-c", CHECK], env=env, check=True)
    (tmp_path / "x.jsonl").write_text('{"summary": "aeb"}\n')
    out = ask("score", str(tmp_path / "x.jsonl"), "-m", "vowels,vowels:letters=b", "-o", "-")
    # a and e of three letters; b of three letters
    assert '"vowels": 0.6666666666666666, "vowels:letters=b": 0.3333333333333333' in out
