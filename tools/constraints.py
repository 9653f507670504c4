"""Pin every package that `make setup` installs: `python -m tools.constraints`.

Without an option, packages keep the version that constraints.txt has for them, and packages that
are new get one. `--upgrade` resolves all of them anew. `--check` changes nothing and compares the
packages that are installed with constraints.txt.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

REPO = Path(__file__).parents[1]
PINNED = REPO / "constraints.txt"
BY_HAND = (REPO / "constraints.in", REPO / "no-deps.in")
EXTRAS = "clusters,dev,encoder,plots,web"
OURS = frozenset({"tricolore", "tricolore-embedded"})

HEADER = """\
# The versions that the Makefile and CI install with; the package itself asks for ranges.
# Written by `make constraints`, on Linux with Python {python}. Do not edit: change pyproject.toml,
# constraints.in (versions chosen by hand, with reasons) or no-deps.in, and run it again.
# `make constraints UPGRADE=--upgrade` also raises the versions that are here already.
#
# There are no hashes: pip refuses to install a directory, as `make setup` does with ours, where it
# requires hashes, and the CPU build of torch is another file on every index that has it.
"""


def pins(paths: Iterable[Path]) -> dict[str, Requirement]:
    """The requirement of each package that the files pin, by its canonical name."""
    lines = (line.partition("#")[0] for path in paths for line in path.read_text().splitlines())
    requirements = [Requirement(line) for line in lines if line.strip()]
    return {canonicalize_name(each.name): each for each in requirements}


def differences(installed: Iterable[Distribution], pinned: Mapping[str, Requirement]) -> list[str]:
    """What is installed but not pinned, or installed in another version."""
    found = []
    for each in installed:
        name = canonicalize_name(each.name)
        if name in OURS:
            continue
        if name not in pinned:
            found.append(f"{name} {each.version} is installed, but not pinned")
        elif not pinned[name].specifier.contains(each.version, prereleases=True):
            found.append(f"{name} {each.version} is installed, but {pinned[name]} is pinned")
    return sorted(found)


def resolved(constraints: Iterable[str]) -> dict[str, str]:
    """The versions that pip would install in an empty environment, by canonical name."""
    with tempfile.TemporaryDirectory() as place:
        limits, report = Path(place) / "constraints.txt", Path(place) / "report.json"
        limits.write_text("\n".join(constraints) + "\n")
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run"]
        command += ["--ignore-installed", "--constraint", str(limits), "--report", str(report)]
        subprocess.run([*command, f"{REPO}[{EXTRAS}]"], check=True)
        chosen = json.loads(report.read_text())["install"]
    versions = {
        canonicalize_name(each["metadata"]["name"]): each["metadata"]["version"] for each in chosen
    }
    # "2.13.0+cpu" is a build of 2.13.0 that only some indexes have.
    return {name: version.partition("+")[0] for name, version in versions.items()}


def renew(upgrade: bool) -> None:
    """Resolve all packages and write constraints.txt."""
    by_hand = pins(BY_HAND)
    kept = {} if upgrade or not PINNED.exists() else pins([PINNED])
    versions = resolved(map(str, {**kept, **by_hand}.values()))
    lines = {name: f"{name}=={version}" for name, version in versions.items() if name not in OURS}
    lines |= {name: str(pin) for name, pin in by_hand.items()}
    header = HEADER.format(python=".".join(map(str, sys.version_info[:2])))
    PINNED.write_text(header + "".join(f"{lines[name]}\n" for name in sorted(lines)))


def main() -> None:
    """Write constraints.txt, or compare it with what is installed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="Compare with what is installed.")
    parser.add_argument("--upgrade", action="store_true", help="Also raise pinned versions.")
    chosen = parser.parse_args()
    if not chosen.check:
        renew(chosen.upgrade)
    elif found := differences(distributions(), pins([PINNED])):
        advice = (
            "`make constraints` pins what pyproject.toml asks for; `make clean setup` starts anew"
        )
        sys.exit("\n".join([*found, advice]))


if __name__ == "__main__":
    main()
