# The one door to everything: `make` alone lists what there is.

PYTHON := $(shell for p in python3.11 python3 python3.12 python3.13; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
ENGINE := .venv/.engine
RUST := $(shell find crates -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock
VIEWER := python/congestree/view/static/viewer.js
# File by file: `cargo fmt` does not see modules that a macro names, as the lists of parts do.
RUSTFMT = rustfmt --edition $$(sed -n 's/^edition = "\(.*\)"/\1/p' Cargo.toml) $(filter %.rs,$(RUST)) $(wildcard fuzz/src/*.rs)
PAPER ?= hpl2002
MINUTES ?= 480
SECONDS_EACH ?= 60
KILLS ?= 1000
SEEDS ?= 1000
EXTRAS ?= dev
PREFIX ?= /usr/local
# How the C library is built, and into which folder below target.
CAPI ?= --release
CAPI_FOLDER ?= release
# The profiles in which the engine of Python is built and Rust is tested: with the same for both, all is built once (`.ci/run`).
ENGINE_PROFILE ?= release
RUST_PROFILE ?= dev
# The package for Python has no tests in Rust.
RUST_TESTS := cargo test --workspace --exclude congestree-python --quiet --profile $(RUST_PROFILE)

.DEFAULT_GOAL := help
.PHONY: help setup quick viewer demo test test-rust test-python lint check capi bench gallery docs schema accept format clean night lowest twin stress races mishaps fuzz dependencies wheel sbom

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

setup: $(ENGINE) $(VIEWER) ## Python environment in .venv, the engine built for release, and the browser part of the viewer

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
	@VIRTUAL_ENV="$(CURDIR)/.venv" PIP_QUIET=1 $(BIN)/maturin develop --profile $(ENGINE_PROFILE) >/dev/null
	@touch $@

viewer/node_modules/.package-lock.json: viewer/package.json viewer/package-lock.json | .venv/.python
	@echo "Fetching the parts of the viewer"
	@cd viewer && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent
	@touch $@

$(VIEWER): viewer/node_modules/.package-lock.json viewer/build.mjs $(wildcard viewer/src/*)
	@cd viewer && PATH="$(CURDIR)/$(BIN):$$PATH" node build.mjs

viewer: $(VIEWER) ## the browser part of the viewer, which packages contain

quick: .venv/.python ## the engine once more, built in a fraction of the time and half as fast, to try things out
	@VIRTUAL_ENV="$(CURDIR)/.venv" PIP_QUIET=1 $(BIN)/maturin develop --profile quick --features lean >/dev/null
	@touch $(ENGINE)

demo: setup ## congestion spreads, then is cured: figures 2 and 3 of HPL-2002-4, with their claims
	@$(BIN)/congestree reproduce hpl2002/fig2,fig3 --out runs/demo

# With -j2 the Rust code is tested beside the building of the engine, which is one long thread, and then beside Python's tests.
test: setup test-rust test-python ## all tests

test-rust:
	$(RUST_TESTS)

test-python: setup
	MAKEFLAGS= $(BIN)/python -m pytest -n auto --dist loadgroup

# Clippy with the settings of maturin: else whichever of them comes next builds pyo3 once more.
lint: setup ## format, lints, generated files up to date
	@$(RUSTFMT) --check
	PYO3_BUILD_EXTENSION_MODULE=1 PYO3_CONFIG_FILE=$$(ls $(CURDIR)/target/maturin/pyo3-config-*.txt | head -n 1) \
	cargo clippy --workspace --all-targets --quiet --profile $(RUST_PROFILE) -- -D warnings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	cd viewer && PATH="$(CURDIR)/$(BIN):$$PATH" npm run --silent check
	$(BIN)/python -m congestree._generate --check
	$(BIN)/python tools/pages.py --check

check: lint ## the same, and quick tests
	$(BIN)/python -m pytest -n auto --dist loadgroup -m "not slow"

format: setup ## format all code
	@$(RUSTFMT)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix --quiet .

capi: ## the C interface: library and header, installed below PREFIX (/usr/local)
	cargo build --quiet --package congestree-capi $(CAPI)
	install -d "$(PREFIX)/include" "$(PREFIX)/lib" "$(PREFIX)/share/doc/congestree"
	$(PYTHON) tools/licences.py "$(PREFIX)/share/doc/congestree/THIRD-PARTY.txt"
	install -m 644 LICENSE "$(PREFIX)/share/doc/congestree"
	install -m 644 crates/capi/include/congestree.h "$(PREFIX)/include"
	install -m 755 $$(ls target/$(CAPI_FOLDER)/libcongestree.so target/$(CAPI_FOLDER)/libcongestree.dylib 2>/dev/null) "$(PREFIX)/lib"

bench: setup ## packet-hops per second, instructions per hop, memory
	@mkdir -p runs
	$(BIN)/congestree bench --json runs/bench.json

gallery: setup ## a whole paper: make gallery PAPER=hpl2002; PAPER=all: every paper
	$(BIN)/congestree reproduce $(PAPER) $(if $(filter all,$(PAPER)),,--out runs/$(PAPER))

night: setup ## random networks under audit for MINUTES (480); the same command goes on where it was
	@mkdir -p runs
	@test -e runs/night.json || cp docs/data/trust/night.json runs/
	$(BIN)/python tools/night.py --minutes $(MINUTES) --workers $$(nproc) --state runs/night.json

lowest: setup ## commands with the lowest version of each library that pyproject.toml allows
	$(BIN)/python tools/lowest.py

twin: setup ## the engine held against its readable twin on SEEDS (1000) random networks a rule, ten times as many as by `make test`
	TWIN_SEEDS=$(SEEDS) $(BIN)/python -m pytest -n auto --dist loadgroup tests/twin

stress: ## random networks in random parts on several threads for MINUTES (10): the results of one part
	@mkdir -p runs
	@test -e runs/stress.json || cp docs/data/trust/stress.json runs/
	$(PYTHON) tools/stress.py --minutes $(MINUTES) --out runs/stress.json

races: ## the same under the thread sanitizer; needs nightly Rust with rust-src (rustup), which is why CI does without
	@mkdir -p runs
	@test -e runs/stress.json || cp docs/data/trust/stress.json runs/
	$(PYTHON) tools/stress.py --races --minutes $(MINUTES) --out runs/stress.json

stress races: MINUTES = 10

mishaps: setup ## kills of sweeps and runs (KILLS, 1000), full disks, jumping clocks, damaged files
	@mkdir -p runs
	@test -e runs/mishaps.json || cp docs/data/trust/mishaps.json runs/
	$(BIN)/python tools/mishaps.py disk closed clock two damage kills --count $(KILLS) --out runs/mishaps.json

fuzz: setup ## every reader fuzzed with the guidance of coverage, SECONDS_EACH (60) for each
	@mkdir -p runs
	$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris
	@test -e runs/fuzz.json || cp docs/data/trust/fuzz.json runs/
	$(BIN)/python tools/fuzz.py --seconds $(SECONDS_EACH) --out runs/fuzz.json
	sh fuzz/run.sh $(SECONDS_EACH)

dependencies: setup ## licences, sources and known holes of all dependencies
	@command -v cargo-deny >/dev/null || { echo "cargo-deny is missing: cargo install --locked cargo-deny"; exit 1; }
	cargo deny check licenses bans sources
	@cargo deny check advisories || { echo "Not complete: crates could not be held against the RustSec database (no network?), or have a known hole."; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-audit >/dev/null 2>&1 || { \
		echo "Not complete: pip-audit cannot be installed (no network?), so that Python libraries were not audited."; exit 1; }
	@$(BIN)/pip-audit --skip-editable || { echo "Not complete: Python libraries could not be held against known holes (no network?), or have one."; exit 1; }
	@cd viewer && PATH="$(CURDIR)/$(BIN):$$PATH" npm audit --omit=dev --package-lock-only || { \
		echo "Not complete: parts of the viewer could not be held against known holes (no network?), or have one."; exit 1; }

wheel: .venv/.python $(VIEWER) ## wheel and source distribution for this platform, in dist/
	$(BIN)/python tools/licences.py
	$(BIN)/maturin build --release --locked --out dist
	$(BIN)/maturin sdist --out dist

sbom: .venv/.python ## a bill of materials of a release, in dist/
	$(BIN)/python tools/sbom.py dist

schema: setup ## what is made from the scenario types: Python classes and reference pages
	$(BIN)/python -m congestree._generate
	$(BIN)/python tools/pages.py

docs: setup ## the documentation site, in site/
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'mkdocs>=1.6,<2' 'mkdocs-material>=9.5'
	$(BIN)/python tools/pages.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "site/index.html"

accept: setup ## accept changed snapshots and fingerprints, to be reviewed with git diff
	CONGESTREE_ACCEPT=1 $(RUST_TESTS)
	CONGESTREE_ACCEPT=1 $(BIN)/python -m pytest

clean: ## remove what was built
	rm -rf target .venv site dist docs/_build viewer/node_modules fuzz/target fuzz/findings
	rm -rf python/congestree/view/static python/congestree/data/THIRD-PARTY.txt python/congestree/_engine.*.so
