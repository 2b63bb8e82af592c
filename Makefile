# The one door to everything: `make` alone lists what there is.

PYTHON := $(shell for p in python3.11 python3 python3.12 python3.13; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
ENGINE := .venv/.engine
RUST := $(shell find crates -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock
PAPER ?= hpl2002
EXTRAS ?= dev

.DEFAULT_GOAL := help
.PHONY: help setup quick demo test check bench gallery docs schema accept format clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

setup: $(ENGINE) ## Python environment in .venv and the engine, built for release

.venv/.python: pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is missing: install python3 (Debian: apt install python3 python3-venv)."; exit 1; }
	@command -v cargo >/dev/null || { echo "Rust is missing: install the stable toolchain with rustup, see https://rustup.rs."; exit 1; }
	@command -v cc >/dev/null || { echo "A C compiler is missing: install one (Debian: apt install build-essential)."; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv module is missing: install it (Debian: apt install python3-venv)."; exit 1; }
	@echo "Setting up the Python environment in .venv"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -c 'import re, sys, tomllib; p = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
		print(*p["dependencies"], *(d for e in sys.argv[1].split(",") for d in p["optional-dependencies"][e]), sep="\n")' \
		$(EXTRAS) > .venv/requirements.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r .venv/requirements.txt
	@touch $@

$(ENGINE): .venv/.python $(RUST)
	@echo "Building the engine (a minute or two the first time)"
	@VIRTUAL_ENV="$(CURDIR)/.venv" PIP_QUIET=1 $(BIN)/maturin develop --release >/dev/null
	@touch $@

quick: .venv/.python ## the engine once more, built in a fraction of the time and half as fast, to try things out
	@VIRTUAL_ENV="$(CURDIR)/.venv" PIP_QUIET=1 $(BIN)/maturin develop --profile quick >/dev/null
	@touch $(ENGINE)

demo: setup ## congestion spreads, then is cured: figures 2 and 3 of HPL-2002-4, with their claims
	@$(BIN)/congestree reproduce hpl2002/fig2,fig3 --out runs/demo

test: setup ## all tests
	cargo test --workspace --quiet
	$(BIN)/python -m pytest

check: setup ## format, lints, generated files up to date, quick tests
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m congestree._generate --check
	$(BIN)/python tools/pages.py --check
	$(BIN)/python -m pytest -m "not slow"

format: setup ## format all code
	cargo fmt --all
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix --quiet .

bench: setup ## packet-hops per second, instructions per hop, memory
	@mkdir -p runs
	$(BIN)/congestree bench --json runs/bench.json

gallery: setup ## a whole paper: make gallery PAPER=hpl2002
	$(BIN)/congestree reproduce $(PAPER) --out runs/$(PAPER)

schema: setup ## what is made from the scenario types: Python classes and reference pages
	$(BIN)/python -m congestree._generate
	$(BIN)/python tools/pages.py

docs: setup ## the documentation site, in site/
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'mkdocs>=1.6,<2' 'mkdocs-material>=9.5'
	$(BIN)/python tools/pages.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

accept: setup ## accept changed snapshots and fingerprints, to be reviewed with git diff
	CONGESTREE_ACCEPT=1 cargo test --workspace --quiet
	CONGESTREE_ACCEPT=1 $(BIN)/python -m pytest

clean: ## remove what was built
	rm -rf target .venv site
