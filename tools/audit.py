"""Look for known vulnerabilities of everything that is installed: `python -m tools.audit`.

pip-audit asks a service on the network. Where it gets no answer it can still report that it found
no vulnerability, because it found nothing about any package; here that is a failure.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from tools.constraints import OURS


def findings(dependencies: Sequence[dict[str, Any]]) -> list[str]:
    """What keeps an audit from passing: vulnerabilities, and packages that were not audited."""
    found = [
        f"{each['name']} {each['version']}: {flaw['id']}, {fixed(flaw)}"
        for each in dependencies
        for flaw in each.get("vulns", [])
    ]
    skipped = [each["name"] for each in dependencies if "skip_reason" in each]
    if skipped := [name for name in skipped if name not in OURS]:
        names = ", ".join(skipped[:5]) + (" …" if len(skipped) > 5 else "")
        found.append(f"{len(skipped)} of {len(dependencies)} packages were NOT audited: {names}")
    return found


def fixed(flaw: dict[str, Any]) -> str:
    """Which versions mend a vulnerability."""
    versions = flaw.get("fix_versions") or []
    return f"fixed in {', '.join(versions)}" if versions else "no version with a fix"


def main() -> None:
    """Run pip-audit and exit with a message unless it audited everything and found nothing."""
    command = [sys.executable, "-m", "pip_audit", "--local", "--format", "json"]
    done = subprocess.run(
        [*command, "--progress-spinner", "off"], capture_output=True, text=True, check=False
    )
    try:
        dependencies = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        reason = (done.stderr.strip().splitlines() or ["it wrote nothing"])[-1]
        sys.exit(f"Nothing was audited, because pip-audit failed (is there a network?): {reason}")
    if found := findings(dependencies):
        sys.exit("\n".join(found))
    print(f"{len(dependencies)} packages have no known vulnerability.")


if __name__ == "__main__":
    main()
