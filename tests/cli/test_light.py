"""Nothing heavy is loaded by those who do not ask for it."""

import subprocess
import sys

HEAVY = ("torch", "transformers", "nltk", "pyarrow", "scipy", "tokenizers", "sacrebleu")


def loaded(program):
    probe = f"{program}\nimport sys\nprint(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stdout.splitlines()[-1].split()}


def test_importing_the_package():
    assert not loaded("import tricolore").intersection(HEAVY)


def test_asking_for_help():
    program = """
import sys
from tricolore.cli.app import main
sys.argv = ["tricolore", "score", "--help"]
try:
    main()
except SystemExit:
    pass
"""
    assert not loaded(program).intersection({*HEAVY, "numpy"})


def test_scoring_one_pair_loads_no_neural_net():
    program = """
import tricolore
print(tricolore.score(source="a b", summary="a", measures="coverage,rouge-1", references="a"))
"""
    assert not loaded(program).intersection({"torch", "transformers", "nltk"})
