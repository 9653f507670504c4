# `make demo` and `make test` set up all they need from a fresh clone.
PYTHON ?= python3.11
BIN := .venv/bin
JOBS ?= 2

BENCHMARKS := lexical resume masked encoder token_measures meta perturb report

.PHONY: setup clusters constraints demo test test-fast check reliability sbom audit bench $(BENCHMARKS:%=bench-%) reproduce background embedded clean

setup: .venv/ready

# The environment variables also apply to the tools that build our packages, in pip before and
# after 25.3.
.venv/ready: export PIP_CONSTRAINT := constraints.txt
.venv/ready: export PIP_BUILD_CONSTRAINT := constraints.txt
.venv/ready: pyproject.toml constraints.txt no-deps.in $(wildcard packages/embedded/src/*/model/digests.json)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable '.[dev,neural,web]'
	$(BIN)/pip install --quiet --no-deps --requirement no-deps.in ./packages/embedded
	touch $@

# Ray, Dask and Spark, for the tests of them: 1.2 GB. Without them those tests are skipped.
clusters: .venv/clusters

.venv/clusters: export PIP_CONSTRAINT := constraints.txt
.venv/clusters: export PIP_BUILD_CONSTRAINT := constraints.txt
.venv/clusters: .venv/ready
	$(BIN)/pip install --quiet --editable '.[clusters]'
	touch $@

# Pins of all that is installed. Packages keep their versions, except with UPGRADE=--upgrade.
constraints:
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet packaging
	$(BIN)/python -m tools.constraints $(UPGRADE)

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
	$(BIN)/python -m tools.constraints --check
	$(BIN)/python -m tools.licences

# Injects every fault, and writes the table of faults in docs/reliability.md.
reliability: setup
	$(PYTEST) -m fault
	$(BIN)/python -m tools.reliability

# What is installed and bundled, as CycloneDX, in out/sbom.json.
sbom: setup
	$(BIN)/python -m tools.sbom

# Known vulnerabilities of what is installed. It needs a network, and fails without one.
audit: setup
	$(BIN)/python -m tools.audit

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
	$(BIN)/python -m tools.embedded answerer --model packages/embedded/src/tricolore_embedded/model
	$(BIN)/pip install --quiet --no-deps --force-reinstall ./packages/embedded

clean:
	rm -rf .venv out build dist
