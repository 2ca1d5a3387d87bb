# Sensorium: every target does its own set-up in .venv and does nothing twice.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
BENCHED := $(VENV)/.installed-bench
OUT := out

.DEFAULT_GOAL := help
.PHONY: help demo test check study bench clean

help:  ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 12

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Sensorium needs Python 3.11 or later; choose one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=24"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev,viewer,vision,video,tracking,campaign]"
	@touch $@

$(BENCHED): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[bench]"
	@$(BIN)/python -c 'import open3d' 2>/dev/null || { test "$$(id -u)" = 0 && apt-get update -qq && \
		apt-get install -y -qq libusb-1.0-0 libgl1 libgomp1; } || echo "Open3D needs libusb-1.0 and libGL; it is left out"
	@touch $@

demo: $(INSTALLED)  ## drive a car with LiDAR, cameras and inertial unit through a street: out/demo.mcap and out/demo.png
	$(BIN)/sensorium demo --out $(OUT)

test: $(INSTALLED)  ## run the test suite
	$(BIN)/python -m pytest -n auto

check: $(INSTALLED)  ## ruff, mypy --strict, architecture tests, consistent dependencies
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/architecture
	$(BIN)/python -m pip check

study: $(INSTALLED)  ## run the long studies that the suite leaves out
	$(BIN)/python -m pytest -m study

bench: $(BENCHED)  ## measure the tracer against bare Embree and its peers: out/bench_trace.json
	$(BIN)/sensorium bench trace --json $(OUT)/bench_trace.json

clean:  ## remove everything that the targets made
	rm -rf $(VENV) $(OUT) .pytest_cache .mypy_cache .ruff_cache .hypothesis
