# make run    set up what is missing, then start the chat
# make test   the checks and every test
# make test-fast  the unit tests, in under two minutes: no test that trains, or starts a server and waits for it
# make check  format, lint and types only, in under a minute
# make transformers       install what sentence-transformers models need (docs/van-hanh.md)
# make test-transformers  test those, in an environment of their own
# make test-model         test a real language model, small and local, in an environment of its own
# make rag-metrics ARGS=…  judge answers by a language model (benchmarks/rag_metrics.py), in an environment of its own
# make test-rag-metrics   test that
# make nlu-report         cross-validate the classifier of intents: .covan/reports/nlu/report.html
# make vectors            renew the shipped vectors after an edit of data/nlu, knowledge/ or what reads them; commit them
# make answers            renew the types of the API's answers for the console's pages; commit them
# make clean  remove what these commands made (not .covan/, where conversations are kept)
#
# Each step leaves a stamp and is skipped while what it was made from has not changed.

SHELL := /bin/sh
.DEFAULT_GOAL := run
.PHONY: run test test-fast check setup format clean transformers nlu-report vectors answers tests-root tests-others test-transformers test-model rag-metrics test-rag-metrics

UV := $(or $(shell command -v uv 2>/dev/null),.tools/bin/uv)
COVAN := .venv/bin/covan
SAY = @printf '==> %s\n'
PARTS := .venv/bin/python scripts/run_parts.py
# The root's tests run in four processes where there are two processors: those in a browser and with servers often wait.
PYTEST_ARGS ?= $(shell [ "$$(getconf _NPROCESSORS_ONLN)" -lt 2 ] || printf '%s' '-n 4 --dist loadgroup --no-loadscope-reorder')

# TensorFlow and SQLAlchemy write pages of notices that mean nothing to the reader; a second thread in a small model
# costs more than it brings.
export TF_CPP_MIN_LOG_LEVEL ?= 2
export SQLALCHEMY_SILENCE_UBER_WARNING ?= 1
export OMP_NUM_THREADS ?= 1
export UV
# Compiled once, not in each process of the tests and of a school: a fifth of what they take to start.
unexport PYTHONDONTWRITEBYTECODE

run: setup
	@exec $(COVAN) up $(ARGS)

setup: .venv/.covan-stamp server/.venv/.covan-stamp widget/dist/index.html console/ui/dist/index.html

# --- the environments -------------------------------------------------------------------------------------------

.tools/bin/uv:
	$(SAY) "Installing uv into .tools/"
	@python=$$(scripts/find_python.sh 3.11 3.12 3.13) || { scripts/missing.sh python; exit 1; }; \
	"$$python" -m venv .tools || { rm -rf .tools; scripts/missing.sh venv; exit 1; }; \
	.tools/bin/python -m pip install --quiet --disable-pip-version-check uv || { scripts/missing.sh uv; exit 1; }

.venv/.covan-stamp: pyproject.toml uv.lock | $(UV)
	$(SAY) "Python environment of the engine (.venv)"
	@python=$$(COVAN_INSTALL_PYTHON=1 scripts/find_python.sh 3.11 3.12 3.13) || { scripts/missing.sh python; exit 1; }; \
	"$(UV)" sync --frozen --compile-bytecode --python "$$python"
	@if [ -f .venv/transformers.txt ]; then scripts/install_transformers.sh .venv; fi
	@touch $@

transformers: .venv/.covan-stamp
	$(SAY) "Packages for sentence-transformers models (.venv)"
	@scripts/install_transformers.sh .venv

.venv-transformers/.covan-stamp: pyproject.toml uv.lock scripts/install_transformers.sh | $(UV)
	$(SAY) "Python environment for the tests of sentence-transformers models (.venv-transformers)"
	@python=$$(COVAN_INSTALL_PYTHON=1 scripts/find_python.sh 3.11 3.12 3.13) || { scripts/missing.sh python; exit 1; }; \
	"$(UV)" venv --quiet --clear --python "$$python" .venv-transformers
	@scripts/install_transformers.sh .venv-transformers --group transformers-test
	@touch $@

.venv-model/.covan-stamp: pyproject.toml uv.lock | $(UV)
	$(SAY) "Python environment for the tests of a language model (.venv-model)"
	@python=$$(COVAN_INSTALL_PYTHON=1 scripts/find_python.sh 3.11 3.12 3.13) || { scripts/missing.sh python; exit 1; }; \
	UV_PROJECT_ENVIRONMENT=.venv-model "$(UV)" sync --frozen --no-dev --group model-test --python "$$python"
	@touch $@

.venv-metrics/.covan-stamp: benchmarks/rag_metrics.txt | $(UV)
	$(SAY) "Python environment of the metrics of a language model (.venv-metrics)"
	@python=$$(COVAN_INSTALL_PYTHON=1 scripts/find_python.sh 3.11 3.12 3.13) || { scripts/missing.sh python; exit 1; }; \
	"$(UV)" venv --quiet --clear --python "$$python" .venv-metrics
	@"$(UV)" pip install --quiet --python .venv-metrics/bin/python --requirements benchmarks/rag_metrics.txt
	@touch $@

server/.venv/.covan-stamp: server/pyproject.toml server/uv.lock | $(UV)
	$(SAY) "Python 3.10 environment of Rasa (server/.venv)"
	@python=$$(COVAN_INSTALL_PYTHON=1 scripts/find_python.sh 3.10) || { scripts/missing.sh python3.10; exit 1; }; \
	"$(UV)" sync --frozen --compile-bytecode --project server --python "$$python"
	@touch $@

# --- the page ---------------------------------------------------------------------------------------------------

widget/node_modules/.covan-stamp: widget/package.json widget/package-lock.json
	@scripts/missing.sh --unless-node
	$(SAY) "Parts of the chat page (widget/node_modules)"
	@cd widget && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

widget/dist/index.html: widget/node_modules/.covan-stamp widget/index.html widget/vite.config.ts widget/vite.graph.config.ts $(shell find widget/src widget/public -type f 2>/dev/null)
	$(SAY) "Building the chat page and the page of the graph (widget/dist, widget/dist-graph)"
	@cd widget && npm run --silent build
	@touch $@

console/ui/node_modules/.covan-stamp: console/ui/package.json console/ui/package-lock.json
	@scripts/missing.sh --unless-node
	$(SAY) "Parts of the console's pages (console/ui/node_modules)"
	@cd console/ui && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# It draws the graph as the page of `covan graph view` does, shows a text as the chat page does, and fills in texts as
# that does (widget/src).
console/ui/dist/index.html: console/ui/node_modules/.covan-stamp widget/node_modules/.covan-stamp console/ui/index.html console/ui/vite.config.ts $(shell find console/ui/src console/ui/public widget/src -type f 2>/dev/null)
	$(SAY) "Building the console's pages (console/ui/dist)"
	@cd console/ui && npm run --silent build
	@touch $@

# --- tests ------------------------------------------------------------------------------------------------------

check: setup
	@$(PARTS) \
	  "format and lint" ".venv/bin/ruff format --check . && .venv/bin/ruff check ." \
	  "types" ".venv/bin/mypy" \
	  "types of server/" "server/.venv/bin/python -m mypy --config-file server/pyproject.toml --cache-dir .mypy_cache/server" \
	  "chat page" "cd widget && npm run --silent check" \
	  "console's pages" "cd console/ui && npm run --silent check"

format: setup
	@.venv/bin/ruff format .
	@.venv/bin/ruff check --fix .
	@cd widget && npm run --silent format
	@cd console/ui && npm run --silent format

# The root's tests come last: pytest's closing line is then the last one.
test: check tests-others tests-root

tests-others: setup
	@$(PARTS) \
	  "tests of the chat page" "cd widget && npm run --silent test" \
	  "tests of server/" "server/.venv/bin/python -m pytest -q server/tests"

tests-root: setup
	$(SAY) "Tests"
	@.venv/bin/pytest $(PYTEST_ARGS)

test-fast: setup
	@$(PARTS) \
	  "chat page" "cd widget && npm run --silent test" \
	  "server" "server/.venv/bin/python -m pytest -q -m 'not services' server/tests" \
	  "everything else" ".venv/bin/pytest -q $(PYTEST_ARGS) -m 'not stack and not browser and not services and not slow and not e5'"

# Apart from `test`: PyTorch is large.
test-transformers: .venv-transformers/.covan-stamp
	$(SAY) "Tests of sentence-transformers models"
	@.venv-transformers/bin/python -m pytest -q tests/rag/retrieve/test_sentence_transformers.py

# Apart from `test`: the model is 245 MB.
test-model: .venv-model/.covan-stamp
	$(SAY) "Tests of a language model"
	@.venv-model/bin/python -m pytest -q tests/rag/language_model/test_local_model.py

# Apart from the project's packages, which Ragas would take back to older releases.
test-rag-metrics: .venv-metrics/.covan-stamp
	$(SAY) "Tests of the metrics of a language model"
	@PYTHONPATH=benchmarks:tests/stand_ins .venv-metrics/bin/python -m pytest -q --noconftest -c /dev/null \
	  -p no:cacheprovider --rootdir tests/benchmarks tests/benchmarks

rag-metrics: .venv-metrics/.covan-stamp
	@.venv-metrics/bin/python benchmarks/rag_metrics.py $(ARGS)

# Minutes, for whoever edits data/nlu; not a test.
nlu-report: setup
	$(SAY) "Cross-validation of the classifier of intents"
	@.venv/bin/python benchmarks/nlu_report.py $(ARGS)

vectors: setup
	$(SAY) "Vectors of the examples of any school, of the sample school, and of the schools of the tests"
	@.venv/bin/python scripts/ship_vectors.py
	@$(COVAN) index knowledge --ship-vectors
	@$(COVAN) index tests/small_school --out .covan/small_school --ship-vectors
	@$(COVAN) index tests/second_school --out .covan/second_school --ship-vectors

answers: setup
	@.venv/bin/python -m scripts.answer_types

clean:
	rm -rf .venv .venv-metrics .venv-model .venv-transformers .tools server/.venv widget/node_modules widget/dist widget/dist-graph console/ui/node_modules console/ui/dist models .rasa .pytest_cache .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
