"""A quick and sound run of every command, on which single options and inputs are made bad."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

COMMANDS: dict[str, str] = {
    "score": "score judged.jsonl -m length,coverage -o out.jsonl",
    "check": "check judged.jsonl",
    "compare": "compare scores.jsonl --permutations 20 --resamples 20",
    "judge-pairs": "judge-pairs judged.jsonl --judge judge:model=m,url=http://127.0.0.1:9/v1",
    "meta": "meta scores.jsonl --resamples 20",
    "report": "report scores.jsonl -o out.html",
    "serve": "serve --port 0",
    "train": "train mix judged.jsonl --of length,coverage --human quality --folds 2 -o model",
    "measures": "measures",
    "explain": "explain rouge",
    "corpus": "corpus judged.jsonl -o out.corpus",
    "sweep": "sweep judged.jsonl -m chrf:beta=1..2 --human quality --resamples 20",
    "perturb": "perturb judged.jsonl --kind truncation -o out.jsonl",
    "sensitivity": "sensitivity judged.jsonl -m coverage --kind truncation --errors-per-summary 1",
    "atlas": "atlas judged.jsonl -m length,coverage --kind truncation --resamples 20 -o atlas",
    "cache info": "cache info",
    "cache prune": "cache prune --older-than 90",
    "cache clear": "cache clear",
    "data list": "data list",
    "data get": "data get summeval --from judged.jsonl -o out.jsonl",
    "study mixes": "study mixes scores.jsonl --resamples 20",
    "study complementarity": "study complementarity scores.jsonl",
    "study scaling": "study scaling scores.jsonl --resamples 20",
    "study robustness": "study robustness judged.jsonl --human quality --resamples 20",
    "study spurious": "study spurious scores.jsonl",
    "study annotators": "study annotators judged.jsonl --human quality",
    "study ranges": "study ranges scores.jsonl",
}
ONLY_REFUSALS = ("judge-pairs", "report", "serve")
"""Commands of which only refusals are tried here: a judge needs a server, a server runs until it
is stopped, and the engine that draws the charts of a report reserves more addresses than these runs
may have."""
OUTPUTS = ("out.html", "out.jsonl", "out.jsonl.meta.json", "out.corpus", "model/card.json")
OUTPUTS += ("model/model.safetensors",)
OUTPUTS += tuple(f"atlas/atlas.{form}" for form in ("csv", "json", "parquet", "md", "html"))

SOURCE = "One dog ran far. Two cats sat still. Three birds flew off. Four fish swam by."
SUMMARIES = {
    "best": "One dog ran far. Two cats sat still.",
    "good": "Two cats sat still. It rained.",
    "poor": "Green ideas sleep. They are furious.",
}


def words_of(command: str) -> list[str]:
    """The arguments of a sound run."""
    return shlex.split(COMMANDS[command])


def judged_rows(documents: int = 4) -> list[dict[str, object]]:
    """Examples with human scores and the scores of annotators."""
    return [
        {
            "doc_id": f"d{document}",
            "system": system,
            "source": SOURCE.replace("far", f"far {document} miles"),
            "summary": f"{summary} {'Far. ' * document}",
            "references": ["Two cats sat still. One dog ran far."],
            "human": {"quality": 3 - at + document / 10},
            "annotations": {
                "quality": [{"annotator": who, "score": 3 - at + who % 2} for who in range(4)]
            },
        }
        for document in range(documents)
        for at, (system, summary) in enumerate(SUMMARIES.items())
    ]


def score_rows() -> list[dict[str, object]]:
    """A table of scores, as `tricolore score` writes it."""
    return [
        {
            "row": 3 * document + at + 1,
            "doc_id": f"d{document}",
            "system": system,
            "status": "ok",
            "human.quality": 3 - at + (document * 7 % 5) / 10,
            "rouge-1": 0.9 - 0.2 * at + (document * 3 % 4) / 50,
            "rouge-1.recall": 0.5 + 0.01 * document,
            "length": 10.0 + at * 2 + document % 3,
            "coverage": 0.5 + 0.1 * at + (document * 5 % 7) / 100,
            "problem": None,
            "flags": None,
        }
        for document in range(6)
        for at, system in enumerate(SUMMARIES)
    ]


def lay_out(folder: Path) -> None:
    """Write the inputs of all commands."""
    for name, rows in (("judged.jsonl", judged_rows()), ("scores.jsonl", score_rows())):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
