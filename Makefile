PYTHON ?= python3
TORCH := torch==2.13.0
VENV := .venv
BIN := $(VENV)/bin
COMPILED := $(VENV)/compiled
PIP := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check
SUITE ?=
DEVICES ?=

.PHONY: help demo test test-compiled lint docs conformance bench gpu-test clean

help:
	@echo "make demo                     set up, run the example on every device, draw a picture"
	@echo "make test                     set up, run ruff, mypy and the tests, interpreted and compiled"
	@echo "make test-compiled            the tests on the compiled package alone"
	@echo "make docs                     build the documentation in site/; a broken link fails"
	@echo "make conformance SUITE=path   run a checkout of array-api-tests on every configured device"
	@echo "make bench                    measure the added time per call, interpreted and compiled, and the import time"
	@echo "make gpu-test [SUITE=path]    tests, suite and benchmarks on every GPU, with the current $(PYTHON)"
	@echo "make clean                    remove what the other targets made"

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "burn_array needs Python 3.11 or newer; set PYTHON=..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml Makefile $(VENV)/pyvenv.cfg
	@echo "Setting up $(VENV) for the demo; the first time takes a few minutes."
	$(PIP) --editable ".[demo]" "$(TORCH)"
	@touch $@

$(VENV)/.test: pyproject.toml Makefile $(VENV)/pyvenv.cfg
	@echo "Setting up $(VENV) for the tests; the first time takes a few minutes."
	$(PIP) --editable ".[test]" "$(TORCH)"
	@touch $@ $(VENV)/.demo

$(VENV)/.docs: pyproject.toml Makefile $(VENV)/pyvenv.cfg
	@echo "Setting up $(VENV) for the documentation."
	$(PIP) --editable ".[docs]"
	@touch $@

demo: $(VENV)/.demo
	$(BIN)/python examples/quickstart.py

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/mypy burn_array tests docs/support_table.py

test: lint
	OMP_NUM_THREADS=1 $(BIN)/pytest -n auto
	@$(MAKE) --no-print-directory test-compiled

# The same tests on the package as a wheel holds it: compiled, where this machine has a C compiler; on the devices of
# which something is compiled (dpnp's adapter is the same in both forms, and the slowest).
test-compiled: $(VENV)/.test
	$(PIP) --upgrade --no-deps --target $(COMPILED) .
	@if PYTHONPATH=$(COMPILED) $(BIN)/burn-array info --json | grep -q '"core": "compiled"'; then \
		OMP_NUM_THREADS=1 PYTHONPATH=$(COMPILED) $(BIN)/pytest -n auto --devices=numpy,torch:cpu; \
	else \
		echo "There is no working C compiler here: the compiled package was not tested."; \
	fi

docs: $(VENV)/.docs
	$(BIN)/zensical build --clean --strict

conformance: $(VENV)/.test
	@test -n "$(SUITE)" || { echo "say where the suite is: make conformance SUITE=path"; exit 1; }
	$(BIN)/burn-array conformance --suite "$(SUITE)" $(DEVICES:%=--device %)

bench: $(VENV)/.test
	$(BIN)/python benchmarks/overhead.py --device numpy
	$(BIN)/python benchmarks/overhead.py --device torch:cpu
	$(BIN)/python benchmarks/import_time.py
	$(BIN)/python benchmarks/compiled.py

# For a machine that has the libraries and perhaps no network: nothing is installed into its Python.
gpu-test:
	$(PYTHON) tests/gpu_report.py $(if $(SUITE),--suite "$(SUITE)") $(DEVICES:%=--device %)

clean:
	rm -rf $(VENV) build dist site *.egg-info examples/out benchmarks/out .mypy_cache .ruff_cache .pytest_cache .cache
