"""The commands of the README that study scores, in both ways."""

import json
import re
from pathlib import Path

import tricolore
from tricolore.api import studies

REPO = Path(__file__).parents[3]
README = {
    "compare scores.parquet": lambda scores: tricolore.compare(scores),
    "meta scores.parquet --human coherence,fluency": lambda scores: tricolore.agreement(
        scores, ["coherence", "fluency"]
    ),
    "study spurious scores.parquet --human coherence": lambda scores: studies.spurious(
        scores, "coherence"
    ),
}


def test_the_commands_of_the_readme_in_both_ways(scores, command):
    text = (REPO / "README.md").read_text()
    found = re.findall(r"^tricolore ((?:compare|meta|study) [^#\n]*)", text, re.MULTILINE)
    assert {words.strip() for words in found} == set(README)
    for words, call in README.items():
        assert json.loads(json.dumps(call(scores).to_json())) == command(words)
