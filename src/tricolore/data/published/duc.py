"""DUC and TAC: pyramids and the peers that were annotated with them, from `.pan` files.

One XML file per summary, named as in `D0701.M.250.I.24.pan`: the document set first, the peer last.
The file has the reference summaries, their content units (SCUs) with one contributor for each
reference that has the unit, and for each unit the words of the peer that express it. The sources
are distributed by NIST separately and are not read, nor are the tables of linguistic quality.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from tricolore.data.annotations import Judged
from tricolore.errors import ReadError
from tricolore.example import ContentUnit, Example

ENDING = ".pan"
QUALITY = "pyramid_recall"
# The line with the name of a reference stands between lines of dashes.
_HEADING = re.compile(r"^-{5,}[ \t]*\n[^\n]*\n-{5,}[ \t]*$", re.MULTILINE)


def read(path: Path) -> Iterator[Judged]:
    """One row per summary, in the order of the names; `path` is a directory or one file."""
    files = sorted(path.rglob(f"*{ENDING}")) if path.is_dir() else [path]
    if not files:
        raise ReadError(f"{path} has no '*{ENDING}' files of DUC")
    for file in files:
        yield _summary(file)


def _summary(file: Path) -> Judged:
    root = _parsed(file)
    pyramid, annotation = root.find("pyramid"), root.find("annotation")
    if pyramid is None or annotation is None:
        raise ReadError(f"{file} has no 'pyramid' or no 'annotation': it is no annotated peer")
    found = {peer.get("uid") for peer in annotation.iter("peerscu") if len(peer)}
    units = [
        ContentUnit(scu.get("label", ""), weight=len(scu), present=scu.get("uid") in found)
        for scu in pyramid.iter("scu")
    ]
    total = sum(unit.weight for unit in units)
    weight = sum(unit.weight for unit in units if unit.present)
    pieces = _HEADING.split(_text(pyramid))[1:]  # what is before the first heading is no reference
    name = file.name.removesuffix(ENDING).split(".")
    return Judged(
        Example(
            summary=_text(annotation).strip(),
            references=[piece.strip() for piece in pieces if piece.strip()],
            doc_id=name[0],
            system=name[-1] if len(name) > 1 else "",
            human={QUALITY: weight / total} if total else {},
            units=units,
        ),
        {},
    )


def _parsed(file: Path) -> ElementTree.Element:
    raw = file.read_bytes()
    if b"<!ENTITY" in raw:  # the published files have none; entities can be made to explode
        raise ReadError(f"{file} cannot be read: it defines entities")
    try:
        return ElementTree.fromstring(raw)
    except ElementTree.ParseError as error:
        raise ReadError(f"{file} cannot be read as XML: {error}") from None


def _text(parent: ElementTree.Element) -> str:
    return "\n".join(line.text or "" for line in parent.findall("text/line"))
