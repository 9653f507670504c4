"""Score files in parts, which are written to a directory: for millions of rows."""

from __future__ import annotations

import json
import logging
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tricolore.api.part_progress import parts_shown
from tricolore.api.running import (
    CacheChoice,
    ProgressChoice,
    cache_directory,
    placed_on,
    read_examples,
)
from tricolore.data.examples import ExampleFile, Sources
from tricolore.data.json_lines import to_json_text
from tricolore.data.manifest import (
    FinishedPart,
    Manifest,
    RunIdentity,
    ScoredInput,
)
from tricolore.data.part_source import PartSource, plan_parts, record_files
from tricolore.data.scores import check_columns, has_score_ending, metadata
from tricolore.errors import ReadError
from tricolore.measure import Measure
from tricolore.models.spending import Usage
from tricolore.run.engine import Engine
from tricolore.run.part_engines import PartEngine, part_engine
from tricolore.run.part_work import PartWork
from tricolore.run.parted_run import PartedRun, begin_directory, known_manifest
from tricolore.run.run import Run

_log = logging.getLogger(__name__)

PART_ROWS = 10_000
"""Rows of a part, unless another number is asked for."""


def is_directory(output: str | Path) -> bool:
    """Whether an output is a directory, to which scores are written in parts.

    It is if its path ends in a slash; or if it is one, and its name is not that of a score file.

    >>> is_directory("scores/"), is_directory("scores.parquet")
    (True, False)
    """
    written = os.fspath(output)
    if written.endswith(("/", os.sep)):
        return True
    return bool(written) and Path(written).is_dir() and not has_score_ending(Path(written))


@dataclass(frozen=True)
class PartedScores:
    """What a run in parts has left in its directory."""

    directory: Path
    manifest: Manifest
    measures: Sequence[Measure]
    examples: ExampleFile
    parts_before: int
    """Parts that were finished by an earlier run."""
    scored: int = 0
    reused: int = 0
    usage: Usage = field(default_factory=Usage)

    @property
    def parts(self) -> list[FinishedPart]:
        """The parts in the order of their rows."""
        return self.manifest.in_order()

    @property
    def unusable_human(self) -> dict[str, int]:
        """Human scores that are not numbers: what is wrong, and in how many rows."""
        counts: Counter[str] = Counter()
        for part in self.parts:
            counts.update(part.unusable_human)
        return dict(counts)


def score_parts(
    examples: ExampleFile,
    specs: Sequence[str | Measure],
    output: Path,
    *,
    part_rows: int,
    evidence: bool,
    cache: CacheChoice,
    engine: Engine | PartEngine,
    device: str,
    offline: bool,
    progress: ProgressChoice,
) -> PartedScores:
    """Score what is not finished yet of some files; the arguments are those of `evaluate`."""
    with placed_on(device, offline) as placement:
        run = Run(specs, evidence=evidence)
        check_columns(run.measures, evidence=evidence)
        read_examples(examples, None, needs=run.needs)
        begin_directory(output)
        manifest = _manifest(examples, run.measures, output, part_rows, evidence)
        result = PartedScores(output, manifest, run.measures, examples, len(manifest.finished))
        if manifest.is_complete:
            _check_rows(result)
            return result
        if run.needs_corpus:
            run.fit(Sources(examples))
        work = PartWork(
            run.measures,
            PartSource.of(examples),
            Path(os.path.abspath(output)),
            to_json_text(metadata(run.measures)),
            evidence,
            cache_directory(cache),
            placement,
        )
        chosen = engine if isinstance(engine, PartEngine) else part_engine(engine, work)
        parted = PartedRun(output, manifest, work, chosen)
        with parts_shown(manifest, progress) as parts, _stop_reported():
            for answer in parted.run(parts.step):
                parts.finish(answer.finished)
        _check_rows(result)
        return replace(
            result,
            measures=run.measures,
            scored=parted.scored,
            reused=parted.reused,
            usage=parted.usage,
        )


@contextmanager
def _stop_reported() -> Iterator[None]:
    """Say how to go on if somebody stops the run."""
    try:
        yield
    except KeyboardInterrupt:
        _log.warning("stopped; the same command goes on where it was")
        raise


def _manifest(
    examples: ExampleFile, measures: Sequence[Measure], output: Path, part_rows: int, evidence: bool
) -> Manifest:
    """The manifest of the run that goes on; or a new one, with a plan of its parts."""
    identity = _identity(examples, measures, evidence)
    manifest = known_manifest(output, identity)
    if manifest is None:
        manifest = _planned(examples, identity, part_rows)
        manifest.write(output)
    return manifest


def _identity(examples: ExampleFile, measures: Sequence[Measure], evidence: bool) -> RunIdentity:
    """What must be the same when the run is started again."""
    files = record_files(examples)
    columns = examples.found_columns
    signatures = {measure.label: measure.signature() for measure in measures}
    inputs = []
    for file in files.files:
        with file.errors():
            digest = file.file.digest()
        file.file.want_unchanged()
        state = file.file.first_state
        inputs.append(ScoredInput(file.name, state.size if state else 0, digest))
    return RunIdentity(
        inputs,
        json.loads(
            json.dumps(
                {
                    "roles": columns.mapping,
                    "human": columns.human,
                    "formats": [file.format for file in files.files],
                    "encoding": files.files[0].encoding,
                    "max_row_mb": files.files[0].max_row_mb,
                }
            )
        ),
        examples.limit,
        json.loads(to_json_text(signatures)),
        evidence,
    )


def _planned(examples: ExampleFile, identity: RunIdentity, part_rows: int) -> Manifest:
    planned = plan_parts(examples, part_rows)
    if not planned.parts:
        raise ReadError(f"{examples.name} has no rows")
    inputs = [
        ScoredInput(each.path, each.size, each.digest, rows)
        for each, rows in zip(identity.inputs, planned.rows, strict=True)
    ]
    for file in record_files(examples).files:
        file.file.want_unchanged()
    return Manifest(replace(identity, inputs=inputs), part_rows, planned.parts)


def _check_rows(scores: PartedScores) -> None:
    """Raise an error if not a single row is an example."""
    if not any(part.readable for part in scores.parts):
        problem = scores.parts[0].first_problem
        raise ReadError(f"not a single row of {scores.examples.name} could be read: {problem}")
