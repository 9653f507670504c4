"""Check the licences of everything that is installed: `python -m tools.licences`.

A package declares its licence as an expression of SPDX names, by classifiers, or in words. All
names must be among those below, which let us use and distribute the package with an Apache-2.0
project. It is the packages' own word, not a legal opinion.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from importlib.metadata import PackageMetadata, distributions

from packaging.utils import canonicalize_name

ALLOWED = frozenset(
    {
        *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0"),
        *("CNRI-Python", "LLVM-exception", "MIT", "MIT-CMU", "MPL-2.0", "PSF-2.0", "Zlib"),
        # As classifiers name them.
        *("Apache Software License", "BSD License", "ISC License (ISCL)", "MIT License"),
        *("Mozilla Public License 2.0 (MPL 2.0)", "Python Software Foundation License"),
        # In words.
        *("3-Clause BSD License", "Apache 2.0", "Apache 2.0 License", "BSD", "BSD 3-clause"),
    }
)
LOOKED_UP = {"axe-playwright-python": "MIT", "nlpstats": "Apache-2.0"}
"""Licences of packages that declare none, as their licence files say."""


def licence_names(metadata: PackageMetadata) -> list[str]:
    """The names of the licences that a package declares."""
    if expressions := metadata.get_all("License-Expression", []):
        return re.split(r"[() ]+(?:AND|OR|WITH)[() ]+", expressions[0].strip("() "))
    classifiers = metadata.get_all("Classifier", [])
    if named := [each for each in classifiers if each.startswith("License :: ")]:
        return [each.rpartition(" :: ")[2] for each in named]
    words = "".join(metadata.get_all("License", [])).partition("\n")[0].strip()
    return re.split(" (?:AND|OR) ", words) if words not in ("", "UNKNOWN") else []


def refused(installed: Iterable[PackageMetadata]) -> list[str]:
    """The packages whose licence is not known or not allowed."""
    found = []
    for metadata in installed:
        name = canonicalize_name(metadata["Name"])
        names = licence_names(metadata) or [LOOKED_UP.get(name, "no licence")]
        if unknown := sorted(set(names) - ALLOWED):
            found.append(f"{name} {metadata['Version']}: {', '.join(unknown)}")
    return sorted(found)


def main() -> None:
    """Exit with a message if a licence is not allowed."""
    if found := refused(each.metadata for each in distributions()):
        sys.exit("\n".join(["These licences are not in the list of tools/licences.py:", *found]))


if __name__ == "__main__":
    main()
