# Ordinal: `make run` and `make test` do all the set-up. `make` lists the verbs.

HOST ?= 127.0.0.1
PORT ?= 8000
# auto: PyTorch's CPU build where there is no NVIDIA device; or cpu, or default (what pip takes).
TORCH ?= auto
TORCH_CPU_INDEX ?= https://download.pytorch.org/whl/cpu
# A particular interpreter, 3.11 or newer: make run PYTHON=/path/to/python3.12
PYTHON ?=
export HOST PORT TORCH TORCH_CPU_INDEX PYTHON
# Images often set it. Every process of the tests, hundreds of them, would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

python := .venv/bin/python
manage := $(python) manage.py
# What a developer's shell or .env says must not decide what the tests see.
as_tested := ORDINAL_ENV=development DATABASE_URL=sqlite://:memory:
all_examples := --hypothesis-profile=night
as_production := ORDINAL_ENV=production DATABASE_URL=sqlite://:memory: ALLOWED_HOSTS=example.org \
	EMAIL_URL=smtp://mail.example.org:25 SECRET_KEY=$$($(python) -c 'import secrets; print(secrets.token_urlsafe(50))')
say := @printf '[ordinal] %s\n'
MAKEFLAGS += --no-print-directory

.PHONY: help run install audit test quick format soak lint check bench fuzz clean environment
.DEFAULT_GOAL := help

help:
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s %s\n", $$1, $$2 }' Makefile

run: ## set up, start web and worker, print the address (PORT=8000 HOST=127.0.0.1 TORCH=auto)
	@tools/install.sh run
	@tools/packages.sh sandbox
	@exec $(python) tools/serve.py --demo-class

install: ## what the site needs, no more, without starting it
	@tools/install.sh run

audit: ## known faults in what is installed (needs the network; the first run installs pip-audit)
	@$(python) tools/audit.py

test: environment ## everything that must pass: lint, check, then all tests on both databases
	@tools/packages.sh sandbox browser
	@$(as_tested) $(python) tools/gate.py

quick: environment ## the fast loop: lint of what changed, types, quick tests; T=quizzes/grader for all tests of a room
	@$(as_tested) $(python) tools/quick.py $(T)

format: environment ## lay out Python files and templates, and fix what ruff can
	@$(python) -m ruff format .
	@$(python) -m ruff check --fix .
	@$(python) -m djlint --reformat --warn --quiet templates quizzes

soak: environment ## every night: what takes too long for the gate, on both databases
	@tools/packages.sh sandbox browser
	@$(as_tested) $(python) tools/run_tests.py -n 2 --dist loadfile $(all_examples) -m "soak and not races"
	@$(as_tested) $(python) tools/run_tests.py -n 2 --dist loadfile $(all_examples) -m "hypothesis and not soak and not races"
	@$(as_tested) $(python) tools/run_tests.py -n 0 $(all_examples) -m "soak and races"
	@$(as_tested) $(python) tools/with_postgres.py $(python) tools/run_tests.py -n 0 $(all_examples) -m "both_databases and soak"

lint: environment ## style of code and templates (ruff, djlint)
	$(say) "ruff"
	@$(python) -m ruff check .
	@$(python) -m ruff format --check .
	$(say) "djlint"
	@$(python) -m djlint --lint --quiet templates quizzes
	@$(python) -m djlint --check --quiet templates quizzes || { printf '%s\n' 'templates: run make format'; exit 1; }

check: environment ## types, imports, migrations, production settings, the shipped courses
	$(say) "mypy"
	@$(python) -m mypy
	@$(python) -m mypy tools
	$(say) "import-linter"
	@.venv/bin/lint-imports
	$(say) "migrations"
	@$(as_tested) $(manage) makemigrations --check --dry-run
	$(say) "production settings"
	@$(as_production) $(manage) check --deploy --fail-level WARNING
	$(say) "the shipped courses"
	@for file in quizzes/content/*/course.yaml; do \
		$(as_tested) $(manage) check_content --without-proofs --plain-english $${file%/course.yaml} || exit 1; done

bench: environment ## the benchmarks with --quick, some ten minutes (docs/benchmarks.md has the full runs)
	@tools/packages.sh sandbox browser
	@for program in $$(grep -l 'parser_of(__doc__)' benchmarks/*.py); do $(as_tested) $(python) $$program --quick || exit 1; done

fuzz: environment ## hostile bytes at the readers of results, ten minutes (FUZZ_SECONDS=600)
	@test -d .fuzz/atheris || $(python) -m pip install -q --no-deps --only-binary :all: \
		--target .fuzz/atheris -r requirements-fuzz.txt || true
	@PYTHONPATH=.fuzz/atheris $(python) -m tests.grader.protocol.fuzz_frames --seconds $(or $(FUZZ_SECONDS),600)

clean: ## remove the virtual environments and all caches; the database in var/ stays
	rm -rf .venv .venv-audit .venv.lock .venv.unfinished .fuzz .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		.import_linter_cache encodings/src/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

environment:
	@tools/install.sh test
