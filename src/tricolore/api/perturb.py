"""Make summaries worse on purpose, with a label for every error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from tricolore.api.inputs import inputs_of
from tricolore.api.running import placed_on, read_examples
from tricolore.arguments import check_arguments
from tricolore.data.columns import Columns
from tricolore.data.json_lines import check_json_lines, write_json_lines
from tricolore.data.outputs import reserved
from tricolore.errors import PerturbError
from tricolore.example import Example, Unreadable
from tricolore.perturb.damage import Damaged, clean_row
from tricolore.perturb.kinds import get_perturbations
from tricolore.perturb.perturbation import Outcome, Perturbation


@dataclass(frozen=True)
class PerturbationTally:
    """How much damage was done, and what could not be done."""

    damaged: int = 0
    """Damaged summaries."""
    errors: int = 0
    """The number of changes in all of them."""
    too_few_errors: Counter[str] = field(default_factory=Counter)
    """Why summaries have fewer errors than requested, and how many have."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Why summaries could not be damaged or read, and how many could not."""

    def __add__(self, other: PerturbationTally) -> PerturbationTally:
        return PerturbationTally(
            self.damaged + other.damaged,
            self.errors + other.errors,
            self.too_few_errors + other.too_few_errors,
            self.left_out + other.left_out,
        )

    def __str__(self) -> str:
        summaries = "summary" if self.damaged == 1 else "summaries"
        errors = "change" if self.errors == 1 else "changes"
        return f"{self.damaged} damaged {summaries}, {self.errors} {errors}"

    @property
    def problem_lines(self) -> list[str]:
        """What could not be done, in one line each."""
        lines = []
        for what, found in (
            ("with fewer errors than asked for", self.too_few_errors),
            ("left out", self.left_out),
        ):
            if count := found.total():
                rows = "row" if count == 1 else "rows"
                [(reason, _)] = found.most_common(1)
                lines.append(f"{count} {rows} {what}, most often because {reason}")
        return lines


@dataclass(frozen=True)
class PerturbationResult:
    """Damaged summaries, and what could not be damaged.

    `rows` are dicts that `evaluate` takes; what was done to a summary is under "damage".
    """

    rows: Sequence[dict[str, Any]]
    damaged: Sequence[Damaged]
    """Each damaged summary with the clean one and all edits."""
    tally: PerturbationTally

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    def save(self, path: str | Path) -> None:
        """Write the rows as a .jsonl file."""
        write_json_lines(self.rows, path)


@dataclass(frozen=True)
class _DamagedBatch:
    rows: list[dict[str, Any]]
    damaged: list[Damaged]
    tally: PerturbationTally


@dataclass(frozen=True)
class _Damage:
    """What is done to every summary."""

    kinds: Sequence[Perturbation]
    counts: Sequence[int]
    keep_clean: bool
    batch_size: int

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({"source"} if any(kind.needs_source for kind in self.kinds) else ())

    def batches(self, rows: Iterable[Example | Unreadable]) -> Iterator[_DamagedBatch]:
        numbered = enumerate(rows, 1)
        while some := list(islice(numbered, self.batch_size)):
            yield self._batch(some)

    def _batch(self, numbered: Sequence[tuple[int, Example | Unreadable]]) -> _DamagedBatch:
        readable = [(number, row) for number, row in numbered if isinstance(row, Example)]
        unreadable = [row.problem for _, row in numbered if isinstance(row, Unreadable)]
        made = [self._outcomes(kind, [row for _, row in readable]) for kind in self.kinds]
        rows: list[dict[str, Any]] = []
        outcomes: list[Outcome] = []
        for at, (number, example) in enumerate(readable):
            mine = [outcome for of_kind in made for outcome in of_kind[at]]
            outcomes += mine
            damaged = [outcome for outcome in mine if isinstance(outcome, Damaged)]
            if self.keep_clean and damaged:
                rows.append({"row": number, **clean_row(example)})
            rows += [{"row": number, **outcome.to_json()} for outcome in damaged]
        all_damaged = [outcome for outcome in outcomes if isinstance(outcome, Damaged)]
        failed = [outcome.problem for outcome in outcomes if not isinstance(outcome, Damaged)]
        tally = PerturbationTally(
            len(all_damaged),
            sum(len(damaged.edits) for damaged in all_damaged),
            Counter(damaged.problem for damaged in all_damaged if damaged.problem),
            Counter([*unreadable, *failed]),
        )
        return _DamagedBatch(rows, all_damaged, tally)

    def _outcomes(self, kind: Perturbation, examples: Sequence[Example]) -> list[list[Outcome]]:
        """The damaged versions of each example; a kind that does not count errors gives one."""
        return kind.damage_by(examples, self.counts if kind.counted else [1])


def perturb(
    data: Any,
    kinds: str = "subtle-errors",
    *,
    errors_per_summary: int | Sequence[int] = 3,
    copies: int = 1,
    keep_clean: bool = False,
    columns: Columns | None = None,
    limit: int | None = None,
    seed: int = 0,
    batch_size: int = 256,
    device: str = "",
    offline: bool = False,
) -> PerturbationResult:
    """Make summaries worse on purpose, and say what was done to each.

    Args:
        data: Examples: anything that `evaluate` takes.
        kinds: Specs of kinds of damage, separated by commas: "entity-swap,number-swap".
        errors_per_summary: Number of errors in each damaged summary; several numbers give
            several versions.
        copies: Number of differently damaged versions per summary, kind and number of errors.
        keep_clean: Whether the clean summary comes before its damaged versions.
        columns: The names of the columns, if they are not the usual ones.
        limit: Read at most this many rows.
        seed: Seed of the random choices: the same seed gives the same damage.
        batch_size: Number of summaries that are damaged together.
        device: Where models run: "cpu", "cuda", "mps"; the fastest available one if empty.
        offline: Whether a model that is not on this machine is an error instead of a download.

    >>> made = perturb([{"source": "It rained.", "summary": "It is wet."}], "negation-swap")
    >>> made.rows[0]["summary"], str(made.tally)
    ('It is not wet.', '1 damaged summary, 1 change')
    """
    check_arguments(perturb, locals())
    damage = _damage(kinds, errors_per_summary, copies, keep_clean, seed, batch_size)
    with placed_on(device, offline):
        rows = read_examples(data, columns, needs=damage.needs, limit=limit, twice=False)
        batches = list(damage.batches(rows.at_least_one()))
    return PerturbationResult(
        [row for batch in batches for row in batch.rows],
        [damaged for batch in batches for damaged in batch.damaged],
        sum((batch.tally for batch in batches), PerturbationTally()),
    )


def perturb_to_file(
    data: Any,
    output: str | Path,
    kinds: str = "subtle-errors",
    *,
    errors_per_summary: int | Sequence[int] = 3,
    copies: int = 1,
    keep_clean: bool = False,
    columns: Columns | None = None,
    limit: int | None = None,
    seed: int = 0,
    batch_size: int = 256,
    device: str = "",
    offline: bool = False,
) -> PerturbationTally:
    """The same for files of any size: rows are written as they are made, and not kept.

    Args:
        data: Examples: anything that `evaluate` takes.
        output: A .jsonl file, or "-" for standard output.
        kinds: As all further arguments, see `perturb`.
    """
    check_arguments(perturb_to_file, locals())
    check_json_lines(output)
    damage = _damage(kinds, errors_per_summary, copies, keep_clean, seed, batch_size)
    tallies: list[PerturbationTally] = []

    def written(batches: Iterable[_DamagedBatch]) -> Iterator[dict[str, Any]]:
        for batch in batches:
            tallies.append(batch.tally)
            yield from batch.rows

    with (
        reserved([(output, "output")], inputs_of(data, [kinds])),
        placed_on(device, offline),
    ):
        rows = read_examples(data, columns, needs=damage.needs, limit=limit, twice=False)
        write_json_lines(written(damage.batches(rows.at_least_one())), output)
    return sum(tallies, PerturbationTally())


def _damage(
    kinds: str,
    errors_per_summary: int | Sequence[int],
    copies: int,
    keep_clean: bool,
    seed: int,
    batch_size: int,
) -> _Damage:
    counts = error_counts(errors_per_summary)
    made = get_perturbations(kinds, seed=seed, copies=copies)
    return _Damage(made, counts, keep_clean, batch_size)


def error_counts(given: int | Sequence[int]) -> list[int]:
    """Numbers of errors per summary, each once, the smallest first."""
    counts = sorted({given} if isinstance(given, int) else set(given))
    if not counts or counts[0] < 1:
        raise PerturbError(
            f"a damaged summary has at least one error, so {given} is no number of errors",
            argument="errors_per_summary",
        )
    return counts
