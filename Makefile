PYTHON ?= python3
TORCH := torch==2.13.0
VENV := .venv
BIN := $(VENV)/bin
COMPILED := $(VENV)/compiled
PIP := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check
SUITE ?=
DEVICES ?=

# The devices whose every test is part of `make test`. dpnp has packages for Linux on x86-64 alone.
COMMA := ,
DPNP := $(if $(filter Linux-x86_64,$(shell uname -s)-$(shell uname -m)),$(COMMA)dpnp:cpu)
# Without 64-bit dtypes, and with immutable arrays: made of array-api-strict in tests/devices/.
OWN_DEVICES := array_api_strict:narrow,array_api_strict:immutable
CORE_DEVICES := numpy,torch:cpu$(DPNP),$(OWN_DEVICES)
# Further devices, separated by spaces: `make test` runs the tests of their adapter and this share of all others.
EXTRA_DEVICES ?= jax:cpu
SHARE ?= 0.1
# JAX compiles every function for every dtype and shape, so that a test takes ten times as long as on NumPy: this share
# keeps its run below two minutes on two cores. JAX has a process of its own, because it forbids forks.
JAX_SHARE ?= $(if $(filter 1,$(SHARE)),1,0.025)

.PHONY: help demo test test-core test-devices test-all test-compiled lint coverage docs conformance bench gpu-test clean

help:
	@echo "make demo                     set up, run the example on every device, draw a picture"
	@echo "make test                     test-core, then test-devices"
	@echo "make test-core                set up, run ruff, mypy and the tests, interpreted and compiled"
	@echo "make test-devices             on each of EXTRA_DEVICES: the tests of its adapter, a share of the others"
	@echo "make test-all                 every test on every device"
	@echo "make test-compiled            the tests on the compiled package alone"
	@echo "make lint                     ruff and mypy alone"
	@echo "make coverage                 the tests on NumPy and PyTorch, with the lines that no test runs"
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
	$(BIN)/ruff format --check .
	$(BIN)/mypy burn_array tests docs/support_table.py

test:
	@$(MAKE) --no-print-directory test-core
	@$(MAKE) --no-print-directory test-devices

test-core: lint
	OMP_NUM_THREADS=1 $(BIN)/pytest -n auto --devices=$(CORE_DEVICES)
	@$(MAKE) --no-print-directory test-compiled

# The same tests on the package as a wheel holds it: compiled, where this machine has a C compiler. dpnp is left out:
# nothing of its adapter is compiled, and it is the slowest.
test-compiled: $(VENV)/.test
	$(PIP) --upgrade --no-deps --target $(COMPILED) .
	@if PYTHONPATH=$(COMPILED) $(BIN)/burn-array info --json | grep -q '"core": "compiled"'; then \
		OMP_NUM_THREADS=1 PYTHONPATH=$(COMPILED) $(BIN)/pytest -n auto --devices=numpy,torch:cpu; \
	else \
		echo "There is no working C compiler here: the compiled package was not tested."; \
	fi

# One process for each device; all of them run, and any failure fails the target.
test-devices: $(VENV)/.test
ifeq ($(strip $(EXTRA_DEVICES)),)
	@echo "No further devices are configured: EXTRA_DEVICES is empty."
else
	@failed=; for device in $(EXTRA_DEVICES); do \
		case $$device in jax*) share=$(JAX_SHARE);; *) share=$(SHARE);; esac; \
		echo "$$device, $$share of its tests:"; \
		OMP_NUM_THREADS=1 $(BIN)/pytest -n auto --devices=$$device --devices-only --share=$$share || failed="$$failed $$device"; \
	done; \
	test -z "$$failed" || { echo "failed on:$$failed"; exit 1; }
endif

test-all:
	@$(MAKE) --no-print-directory test-core
	@$(MAKE) --no-print-directory test-devices SHARE=1

coverage: $(VENV)/.test
	OMP_NUM_THREADS=1 $(BIN)/pytest -n auto --devices=numpy,torch:cpu --cov --cov-report=term-missing:skip-covered

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
	rm -rf $(VENV) build dist site *.egg-info examples/out benchmarks/out .coverage .mypy_cache .ruff_cache .pytest_cache .cache
