from __future__ import annotations

import pytest

from tricolore.text.stem_rouge import stem_rouge


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        # As the ROUGE-1.5.5 script's own routines give them.
        ("mice", "mouse"),
        ("thought", "think"),
        ("best", "good"),
        ("governmental", "govern"),  # step 4 goes on after "al"
        ("replacement", "replac"),
        ("adoption", "adopt"),
        ("possibly", "possibl"),  # "bli", an addition to Porter's paper
        ("dying", "die"),
        ("was", "was"),
        ("flies", "fli"),
    ],
)
def test_stem(word: str, stem: str) -> None:
    assert stem_rouge(word) == stem
