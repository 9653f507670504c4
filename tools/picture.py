"""Draw the README's picture, part of what `make demo` prints, as SVG: `python -m tools.picture`."""

from __future__ import annotations

import re
from pathlib import Path

from rich.console import Console

from tricolore import Example, Run
from tricolore.data.examples import ExampleFile, Sources
from tricolore.report.evidence import print_evidence
from tricolore.report.systems import SystemTable

ROOT = Path(__file__).parents[1]
MEASURES = "rouge-2,importance,blanc-help,estime"
SHOWN = 2
"""The row whose evidence is shown."""


def main() -> None:
    run = Run([MEASURES], evidence=True)
    rows = ExampleFile(str(ROOT / "examples" / "summaries.jsonl"))
    run.fit(Sources(rows))
    systems = SystemTable(run.measures)
    with open("/dev/null", "w") as nowhere:
        out = Console(record=True, width=112, force_terminal=True, highlight=False, file=nowhere)
        out.print(
            f"$ tricolore score examples/summaries.jsonl -m {MEASURES} --show 3", style="bold"
        )
        out.print("… the third of three:", style="dim")
        for at, result in enumerate(run.score(rows)):
            systems.add(result.example, result.scores)
            if at == SHOWN and isinstance(result.example, Example):
                print_evidence(out, result.example, result.scores)
        systems.table().write(out, "table")
        drawn = out.export_svg(title="tricolore")
    # No fonts from elsewhere: the reader's own monospace will do.
    drawn = re.sub(r"@font-face \{.*?\}\n", "", drawn, flags=re.DOTALL)
    (ROOT / "docs" / "images" / "demo.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
