"""The public datasets with human scores that this package can read, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tricolore.data.annotations import Judged
from tricolore.data.published import (
    bioasq,
    blanc,
    duc,
    frank,
    koh,
    newsroom,
    realsumm,
    rose,
    summeval,
)
from tricolore.errors import ReadError, TricoloreError, did_you_mean

_NOT_AS_PUBLISHED = (
    *(ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError),
)
"""What the readers raise if a field has another type than in the published files."""

GITHUB = "https://raw.githubusercontent.com"


@dataclass(frozen=True)
class File:
    """A file of a dataset: its name, where it is published, and its SHA-256 if known."""

    name: str
    url: str
    sha256: str = ""


@dataclass(frozen=True)
class Dataset:
    """A public dataset: what it has, its files, and how to read them."""

    name: str
    what: str
    qualities: str
    reader: Callable[[Path], Iterator[Judged]]
    files: tuple[File, ...] = ()
    """The files that can be downloaded; empty if the user has to get a copy."""
    home: str = ""

    def read(self, path: Path) -> Iterator[Judged]:
        """The rows of the published files; an error if they are something else."""
        is_empty = True
        try:
            for row in self.reader(path):
                is_empty = False
                yield row
        except _NOT_AS_PUBLISHED as error:
            if isinstance(error, TricoloreError):
                raise
            words = f"{path} does not have the form in which '{self.name}' is published"
            raise ReadError(f"{words}: {type(error).__name__}: {error}") from error
        if is_empty:
            raise ReadError(f"{path} has no rows of '{self.name}'", argument="from")


_BLANC = f"{GITHUB}/PrimerAI/blanc/a731395a32df70a9db1210dc9e560171d36aef95/data"
_ASPECTS = f"{GITHUB}/PrimerAI/blanc/d84fd6747047cf7a57015ae978a59db5d4725485/data"
_FRANK = f"{GITHUB}/artidoro/frank/main/data"
_FRANK_FILES = tuple(File(name, f"{_FRANK}/{name}") for name in (frank.TEXTS, frank.SCORES))
_HUMANEVAL = f"{GITHUB}/lil-lab/newsroom/master/humaneval"

_ALL = (
    Dataset(
        "summeval",
        "100 articles of CNN/DM × 16 systems, 3 experts, 11 references",
        "coherence, consistency, fluency, relevance (1–5)",
        summeval.read,
        home="github.com/Yale-LILY/SummEval",  # the articles are not hosted with it
    ),
    Dataset(
        "newsroom",
        "60 articles × 7 systems, 3 workers, no references",
        "coherence, fluency, informativeness, relevance (1–5)",
        newsroom.read,
        (File(newsroom.FILE, f"{_HUMANEVAL}/{newsroom.FILE}"),),
        "github.com/lil-lab/newsroom",
    ),
    Dataset(
        "realsumm",
        "100 articles of CNN/DM × 25 systems, content units",
        "litepyramid_recall (0–1)",
        realsumm.read,
        home="github.com/neulab/REALSumm",
    ),
    Dataset(
        "rose",
        "CNN/DM, XSum, SamSum; content units and three protocols more",
        "acu, normalized_acu (0–1); in cnndm_protocol also the others'",
        rose.read,
        home="huggingface.co/datasets/Salesforce/rose",
    ),
    Dataset(
        "duc",
        "annotated peers of DUC and TAC (.pan), content units",
        "pyramid_recall (0–1)",
        duc.read,
        home="duc.nist.gov/data.html",
    ),
    Dataset(
        "bioasq",
        "ideal answers of task B: gold files and submissions",
        "information_recall, information_precision, repetition, readability, if you have them",
        bioasq.read,
        home="bioasq.org",
    ),
    Dataset(
        "koh",
        "long summaries of arXiv and GovReport; sources by id",
        "relevance, factual_consistency (0–1)",
        koh.read,
        home="github.com/huankoh/How-Far-are-We-from-Robust-Long-Abstractive-Summarization",
    ),
    *(
        Dataset(
            name,
            f"{count} summaries of CNN/DM and XSum, factual errors{part}",
            "factuality and each kind of error (0–1)",
            partial(frank.read, split=split),
            _FRANK_FILES,
            "github.com/artidoro/frank",
        )
        for name, split, count, part in [
            ("frank", "", 2246, ""),
            ("frank-test", "test", 1575, ": the part to report on"),
            ("frank-valid", "valid", 671, ": the part to tune on"),
        ]
    ),
    Dataset(
        "blanc-cnndm",
        "555 pairs of CNN/DM, 8 to 10 annotators with ids",
        "overall (0–4)",
        blanc.read_cnndm,
        (
            File(
                "CNN_DailyMail_555.json",
                f"{_BLANC}/CNN_DailyMail_555.json",
                "f19064a0888b14ec2f16d2aa55d0e92b02984335cdb50990e0a4785258bc7737",
            ),
        ),
        "github.com/PrimerAI/blanc",
    ),
    Dataset(
        "blanc-daily",
        "300 pairs of daily news, 10 annotators with ids",
        "overall (0–4)",
        blanc.read_daily,
        (File("DailyNews_300.json", f"{_BLANC}/DailyNews_300.json"),),
        "github.com/PrimerAI/blanc",
    ),
    Dataset(
        "blanc-aspects",
        "the same 300 pairs, five qualities",
        "fluent, understandable, informative, compact, overall (0–4)",
        blanc.read_aspects,
        (File("DailyNews_300_aspects.json", f"{_ASPECTS}/DailyNews_300_aspects.json"),),
        "github.com/PrimerAI/blanc",
    ),
)

DATASETS = {dataset.name: dataset for dataset in _ALL}


def find_dataset(name: str) -> Dataset:
    """The dataset of a name, or an error that suggests the nearest name."""
    if name not in DATASETS:
        hint = did_you_mean(name, DATASETS, "`tricolore data list` names them")
        raise ReadError(f"there is no dataset '{name}'{hint}")
    return DATASETS[name]
