"""Write a bill of materials in the format CycloneDX: `python -m tools.sbom [FILE]`.

It lists the packages that are installed, and the lists, counts and weights that we bundle, each
with its digest and the terms that NOTICE explains.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

REPO = Path(__file__).parents[1]
DATA = REPO / "src" / "tricolore" / "text" / "data"
MODEL = REPO / "packages" / "embedded" / "src" / "tricolore_embedded" / "model"
LICENCES = {
    "stem-exceptions.txt": "WordNet 2.0 License",
    "stop-nltk.txt": "BSD-3-Clause (Snowball), none stated for additions; see NOTICE",
    "stop-smart.txt": "none stated; see NOTICE",
}
"""Terms of the bundled files that are not under the licence of the project."""


def bundled(path: Path) -> dict[str, Any]:
    """The component that describes a file of ours."""
    licence = LICENCES.get(path.name)
    name = path.relative_to(REPO).as_posix()
    return {
        "type": "machine-learning-model" if path.suffix == ".safetensors" else "data",
        "bom-ref": name,
        "name": name,
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(path.read_bytes()).hexdigest()}],
        "licenses": [{"license": {"name": licence} if licence else {"id": "Apache-2.0"}}],
    }


def bill() -> dict[str, Any]:
    """Everything that is installed and bundled."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"]
    command += ["--no-validate", "--mc-type", "library"]
    command += ["--pyproject", str(REPO / "pyproject.toml"), sys.executable]
    written = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    listed: dict[str, Any] = json.loads(written)
    for component in listed[
        "components"
    ]:  # which directory it was installed from is our own affair
        references = component.get("externalReferences", [])
        references[:] = [each for each in references if not each["url"].startswith("file:")]
    files = [path for place in (DATA, MODEL) for path in sorted(place.iterdir())]
    listed["components"] += [bundled(path) for path in files if path.is_file()]
    return listed


def fault(listed: dict[str, Any]) -> str | None:
    """Why a bill of materials does not follow the schema of CycloneDX; None if it does."""
    validator = JsonStrictValidator(SchemaVersion.from_version(listed["specVersion"]))
    found = validator.validate_str(json.dumps(listed))
    return str(found) if found else None


def main() -> None:
    """Write the bill of materials to the given file, or to out/sbom.json."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else REPO / "out" / "sbom.json"
    listed = bill()
    if why := fault(listed):
        sys.exit(f"The bill of materials is not valid: {why}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(listed, indent=1, ensure_ascii=False) + "\n")
    print(f"Wrote {target}.")


if __name__ == "__main__":
    main()
