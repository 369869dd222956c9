# run: a design from nothing but Python · test: the tests · check: what CI runs · bench: start-up, dure beside its peers, tool search · lock: constraints.txt
SHELL := /bin/sh
.SHELLFLAGS := -eu -c
.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help run test check bench lock clean

PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
PEERS ?= none
SENTENCE ?= 주문 관리 시스템을 만들어줘.
export SENTENCE

help:
	@echo "make run    set up, then design \"$$SENTENCE\" (SENTENCE=… for another)"
	@echo "make test   run the tests; needs no model, key or server"
	@echo "make check  lint, formatting, types, import floors and the tests"
	@echo "make bench  measure start-up, dure beside loops by hand (PEERS=all: and beside its peers), and tool search"

run: $(VENV)/.for-run
	@case "$${DURE_MODEL:-}" in \
	'' | local:* ) $(BIN)/dure models >/dev/null 2>&1 || $(BIN)/dure models pull ;; \
	esac
	@$(BIN)/dure design "$$SENTENCE"

test: $(VENV)/.for-tests
	@$(BIN)/python -m pytest

check: $(VENV)/.for-checks
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/pyright --project pyproject.toml
	@$(BIN)/lint-imports
	@$(MAKE) --no-print-directory test

bench: $(VENV)/.for-run
	@$(BIN)/python bench/start_up.py
	@$(BIN)/python -m bench --peers $(PEERS)
	@$(BIN)/python -m bench.tool_search

# Needs uv; only whoever changes a dependency runs this.
lock:
	uv pip compile --quiet --no-config --no-header --no-emit-index-url --universal --python-version 3.11 \
		--all-extras pyproject.toml --output-file constraints.txt

clean:
	rm -rf $(VENV)

$(BIN)/python:
	@for python in $(PYTHON) python3.11 python3.12 python3.13 python3.14 python3 python; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then break; fi; \
		python=; \
	done; \
	if [ -z "$$python" ]; then \
		echo "dure needs Python 3.11 or newer, and none is on the PATH; install one, or name it: make PYTHON=/path/to/python3" >&2; \
		exit 1; \
	fi; \
	"$$python" -m venv $(VENV) || { \
		rm -rf $(VENV); \
		echo "$$python cannot make a virtual environment; on Debian and Ubuntu: apt install python3-venv" >&2; \
		exit 1; \
	}

# A stamp stands for an install of this pyproject.toml with these versions; the wider install serves the narrower ones.
$(VENV)/.for-run: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing dure and what it needs into $(VENV) …"
	@$(PIP) --editable '.[all]'
	@touch $@

$(VENV)/.for-tests: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing dure and its test tools into $(VENV) …"
	@$(PIP) --editable '.[all,test]'
	@touch $@ $(VENV)/.for-run

$(VENV)/.for-checks: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing dure and its development tools into $(VENV) …"
	@$(PIP) --editable '.[all,dev]'
	@touch $@ $(VENV)/.for-tests $(VENV)/.for-run
