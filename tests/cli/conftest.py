import os
import subprocess
import sys

import pytest


@pytest.fixture
def tricolore(tmp_path):
    """Run the command as a user does: another process, in a directory of its own."""

    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    env.pop("COLUMNS", None)

    def run(*arguments, stdin=None, check=0, columns="1000"):
        done = subprocess.run(
            [sys.executable, "-m", "tricolore", *map(str, arguments)],
            cwd=tmp_path,
            input=stdin,
            capture_output=True,
            env=env if columns is None else {**env, "COLUMNS": columns},
        )
        out, err = done.stdout.decode(), done.stderr.decode()
        assert done.returncode == check, f"exit {done.returncode}\n{out}\n{err}"
        assert "Traceback" not in err
        return out, err

    return run
