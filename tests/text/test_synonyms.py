"""Without WordNet no word has synonyms; tests/peers/test_nltk_meteor.py has WordNet."""

import subprocess
import sys

PROGRAM = """
import nltk
nltk.data.path.clear()
from tricolore.text.synonyms import senses, synonyms, wordnet_version
print(wordnet_version(), len(senses("car")), len(synonyms("car")))
"""


def test_where_nltk_finds_no_wordnet():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["none", "0", "0"]
