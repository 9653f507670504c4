"""Measure how well wrong numbers are found: `python -m tools.quantities [DIRECTORY]`.

Prints the planted errors and false alarms of the seen half of examples/faithfulness.jsonl. With a
directory of public judged sets (summeval.jsonl.gz and others), it prints the share of quantities
without support per set, and how many numbers are found that were changed on purpose: every number
in digits of a summary is replaced by one that its source does not have.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from tricolore.text.quantity_match import check_quantities

CASES = Path(__file__).parents[1] / "examples" / "faithfulness.jsonl"
_NUMBER = re.compile(r"(?<![\w.,:/-])[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?(?![\w.,:/-]*[0-9])")


def other_digit(written: str, draw: random.Random) -> str:
    """A number with one digit changed; the first one is not made 0."""
    places = [at for at, sign in enumerate(written) if sign.isdigit()]
    at = draw.choice(places)
    digits = [d for d in "123456789" if d != written[at]]
    return written[:at] + draw.choice(digits) + written[at + 1 :]


def ten_times(written: str, draw: random.Random) -> str:
    """A number times ten."""
    if "." in written:
        whole, decimals = written.split(".")
        return f"{whole}{decimals[0]}" + (f".{decimals[1:]}" if decimals[1:] else "")
    return f"{int(written.replace(',', '')) * 10:,}"


def one_more(written: str, draw: random.Random) -> str:
    """A whole number that is one larger, or a decimal number with a larger whole part."""
    whole, dot, decimals = written.partition(".")
    return f"{int(whole.replace(',', '')) + 1}{dot}{decimals}"


CHANGES: dict[str, Callable[[str, random.Random], str]] = {
    "one digit": other_digit,
    "ten times": ten_times,
    "one more": one_more,
}


def seen_half() -> None:
    rows = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    planted = found = alarms = checked = 0
    for row in rows:
        if row["half"] != "seen" or row["kind"] == "off-topic":
            continue
        errors = {(e["start"], e["end"]) for e in row["errors"] if e["type"] == "number"}
        planted += len(errors)
        for finding in check_quantities(row["summary"], [row["source"]]):
            span = finding.quantity.start, finding.quantity.end
            checked += span not in errors
            found += span in errors and finding.status != "supported"
            alarms += span not in errors and finding.status != "supported"
    print(f"seen half: {found} of {planted} planted numbers found at the exact span,")
    print(f"  {alarms} false alarms among {checked} other quantities")


def pairs(path: Path) -> Iterator[tuple[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield row["source"], row["summary"]


def judged(path: Path, draw: random.Random) -> None:
    counts: Counter[str] = Counter()
    changed: dict[str, Counter[str]] = {name: Counter() for name in CHANGES}
    for source, summary in pairs(path):
        found = check_quantities(summary, [source])
        counts.update(finding.status for finding in found)
        supported = [f.quantity for f in found if f.status == "supported"]
        for match in _NUMBER.finditer(summary):
            if not any(q.start <= match.start() and match.end() <= q.end for q in supported):
                continue
            for name, change in CHANGES.items():
                wrong = change(match[0], draw)
                if wrong in source:
                    continue
                text = summary[: match.start()] + wrong + summary[match.end() :]
                changed[name][_status(text, source, match.start())] += 1
    total = sum(counts.values())
    print(f"{path.name}: {total} quantities, {total - counts['supported']} without support")
    for name, statuses in changed.items():
        tried = sum(statuses.values())
        share = {status: f"{count / tried:.3f}" for status, count in sorted(statuses.items())}
        print(f"  {name}: {tried} changed, {share}")


def _status(text: str, source: str, at: int) -> str:
    for finding in check_quantities(text, [source]):
        if finding.quantity.start <= at < finding.quantity.end:
            return finding.status
    return "not seen as a quantity"


if __name__ == "__main__":
    seen_half()
    for name in ("summeval", "newsroom", "cnndm555") if len(sys.argv) > 1 else ():
        judged(Path(sys.argv[1]) / f"{name}.jsonl.gz", random.Random(1))
