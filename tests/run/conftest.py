"""Lets tests, and the processes that they start, import the measures that misbehave."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def without_privileges():
    """Run a program in a process for which file permissions count, also if we are root."""

    def run(program, *arguments):
        drop = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
        command = [*drop, sys.executable, "-c", program, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True)

    return run
