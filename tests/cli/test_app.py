"""The command itself."""


def test_version_and_help(tricolore):
    out, _ = tricolore("--version")
    assert out.startswith("tricolore 0.")
    out, _ = tricolore("--help")
    assert "explain" in out


def test_nothing_heavy_for_help():
    import subprocess
    import sys

    program = (
        "import sys; from tricolore.cli.app import app; "
        "print({'numpy', 'scipy', 'matplotlib', 'pyarrow'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


def test_more_memory_than_there_is(tricolore, scores):
    _, err = tricolore("compare", scores, "--resamples", 999_999_999_999, check=2)
    assert "100000" in err
