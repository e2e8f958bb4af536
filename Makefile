# Memory Tax. `make` alone lists the targets; each does its own set-up on a fresh machine.

PYTHON := .venv/bin/python
SETUP := sh packaging/bootstrap.sh

.DEFAULT_GOAL := help
.PHONY: help run test check package bench soak shots evidence lock clean

help:
	@echo "make run      open the window (without a display: print the report, draw the board)"
	@echo "make test     run the tests"
	@echo "make check    lint, formatting and types"
	@echo "make package  freeze the program into dist/ and try it out"
	@echo "make bench    measure speed and memory, into build/bench.json"
	@echo "make soak     run the tests that take minutes"
	@echo "make shots    redraw the README's pictures, tests/gui/shots"
	@echo "make evidence renew the README's tables of evidence"
	@echo "make lock     resolve the dependencies anew into the two lock files"
	@echo "make clean    remove what was built, but not .venv"

run:
	@$(SETUP) run
	@$(PYTHON) packaging/launch.py

# The core's tests first, in a process where Qt cannot be imported at all.
test:
	@$(SETUP) test
	$(PYTHON) -m pytest -p no:pytest-qt -p tests.without_qt -m "not soak" tests/core
	$(PYTHON) -m pytest -m "not soak" tests/gui tests/frozen

check:
	@$(SETUP) test
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy

package:
	@$(SETUP) package
	$(PYTHON) packaging/package.py

bench:
	@$(SETUP) test
	@mkdir -p build
	$(PYTHON) -m tests.bench

soak:
	@$(SETUP) test
	$(PYTHON) -m pytest -o faulthandler_timeout=0 -m soak

shots:
	@$(SETUP) test
	MEMORY_TAX_WRITE_GOLDENS=1 $(PYTHON) -m pytest tests/gui/test_shots.py

evidence:
	@$(SETUP) test
	$(PYTHON) packaging/readme.py

lock:
	@$(SETUP) test
	$(PYTHON) packaging/lock.py

clean:
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
