# `make demo` and `make test` set up all they need from a fresh clone.
PYTHON ?= python3.11
BIN := .venv/bin

.PHONY: setup demo test check bench bench-lexical reproduce clean

setup: .venv/ready

.venv/ready: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	# Carries the newsroom package's fragment code, which our tests compare with; its own
	# requirements are many and old, and none of them is needed for that one file.
	$(BIN)/pip install --quiet --no-deps summ-eval==0.892
	touch $@

test: setup
	$(BIN)/python -m pytest

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf .venv out build dist
