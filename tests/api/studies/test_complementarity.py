"""The study of complementarity from Python."""

from tricolore.api import studies


def test_the_same_as_the_command(same_as_command, scores, evaluation):
    same_as_command(
        "complementarity -m rouge-1,chrf --rank system",
        lambda given: studies.complementarity(given, measures="rouge-1,chrf", rank="system"),
        scores,
        evaluation,
    )
