"""Writing judged examples as our JSON Lines, whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from tricolore.data.annotations import Judged
from tricolore.errors import WriteError


def write_judged(rows: Iterable[Judged], target: Path) -> str:
    """Write the rows; what was written, in words."""
    if target.suffix != ".jsonl":
        raise WriteError(f"{target} must end in .jsonl")
    draft = target.with_name(f".{target.name}.{os.getpid()}.draft")
    count, documents, systems, human = 0, set(), set(), dict[str, None]()
    try:
        with open(draft, "w", encoding="utf-8") as out:
            for row in rows:
                # A lone surrogate in a published text stays readable JSON this way.
                out.write(json.dumps(row.to_json()) + "\n")
                count += 1
                documents.add(row.example.doc_id)
                systems.add(row.example.system)
                human.update(dict.fromkeys(row.example.human))
        os.replace(draft, target)
    except OSError as error:
        raise WriteError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
    named = f", {len(systems)} systems" if systems - {""} else ""
    return (
        f"{count} summaries of {len(documents)} documents{named}; "
        f"human: {', '.join(human) or 'none'}"
    )
