# Everything is installed into .venv/, one environment for each Python version, and only again when pyproject.toml has
# changed. `make test PYTHON=python3.13` uses another interpreter than python3.

PYTHON ?= python3
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || echo none)
VENV := .venv/$(VERSION)
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest

# mitmproxy's last release for 3.11 and a current openai SDK cannot share an environment, so on 3.11 there are two.
ifeq ($(VERSION),3.11)
MITM := .venv/3.11-mitmproxy
MITM_READY := $(MITM)/.ready-test
WITH_SDK := -e '.[demo,replay,graph,tokens]'
MAIN_TESTS := --ignore=tests/proxy/mitm
else
MITM := $(VENV)
MITM_READY :=
WITH_SDK := -e '.[demo,all]'
MAIN_TESTS :=
endif
export TOOLSTUB_MITMDUMP := $(CURDIR)/$(MITM)/bin/mitmdump

.PHONY: help demo test clients resend lint bench accuracy recount fuzz soak examples clean

help:
	@echo 'make demo      the main job on real input, offline, in under two minutes'
	@echo 'make test      all tests, as CI runs them'
	@echo 'make clients   every client that people use, behind the proxy (CLIENTS="NAME ..." for some)'
	@echo 'make resend    recorded requests and streams once more, through the gateway (RECORDINGS="FOLDER ...": your own)'
	@echo 'make lint      style, types and the direction of imports'
	@echo 'make bench     what it costs, against the goals (BENCH="GROUP ... --full" for a part, or more)'
	@echo 'make accuracy  how often kinds are told right (CORPUS=FOLDER: outputs of tools, CODE="FOLDER ...": source code)'
	@echo 'make recount   what stubs count, counted once more (CORPUS=FOLDER, OTHER="INTERPRETER ...": other Pythons)'
	@echo 'make fuzz      texts that nobody would write, for MINUTES (3) each way'
	@echo 'make soak      a proxy under mixed load of 16 clients for MINUTES (30): nothing fails, memory stays flat'
	@echo 'make examples  regenerate examples/ and the stubs in README.md'
	@echo 'make clean     remove the environments and what was built in them'

demo: $(VENV)/.ready-demo
	@$(BIN)/toolstub demo

test: $(VENV)/.ready-test $(MITM_READY)
	@sh scripts/browser.sh $(BIN)/python
ifneq ($(MITM_READY),)
	$(MITM)/bin/python -m pytest -q tests/proxy/mitm
endif
	$(PYTEST) -q $(MAIN_TESTS)

# Those of the environments that `make test` made, with both releases of mitmproxy that are supported.
MITMDUMPS = $(MITM)/bin/mitmdump:.venv/3.11-mitmproxy/bin/mitmdump:.venv/3.13/bin/mitmdump
# Not a part of the tests: each client is installed into an environment of its own, in .venv/clients.
clients: $(VENV)/.ready-test $(MITM_READY)
	@TOOLSTUB_MITMDUMPS=$(MITMDUMPS) PYTHONPATH=.:proxy:tests $(BIN)/python -m clients.matrix $(CLIENTS)

# Not a part of the tests, but for the small set that lies with them: a large one takes a quarter of an hour.
RECORDINGS ?= tests/resend/recorded $(wildcard ../shared/corpus/traces ../shared/corpus/sse)
resend: $(VENV)/.ready-test
	@PYTHONPATH=.:proxy:tests $(BIN)/python -m resend $(RECORDINGS)

lint: $(VENV)/.ready-test
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports

# Not a part of the tests: figures depend on the machine, and on what else it does.
bench: $(VENV)/.ready-test
	@$(BIN)/python -m pip install -q --group bench
	@$(BIN)/python -m bench $(BENCH)

CORPUS ?= $(wildcard ../shared/corpus/outputs)
accuracy: $(VENV)/.ready-test
	@$(BIN)/python scripts/accuracy.py $(CORPUS) $(foreach folder,$(CODE),--code $(folder)) --wrong

recount: $(VENV)/.ready-test
	@$(BIN)/python scripts/recount.py $(CORPUS) $(foreach python,$(OTHER),--python $(python))

# `python tests/fuzz.py coverage` does more, and needs atheris, which is not there for every Python.
MINUTES ?= 3
fuzz: $(VENV)/.ready-test
	$(BIN)/python tests/fuzz.py linear --minutes $(MINUTES)
	$(BIN)/python tests/fuzz.py examples --minutes $(MINUTES)

soak: MINUTES = 30
soak: $(VENV)/.ready-test
	@$(BIN)/python tests/soak_proxy.py --minutes $(MINUTES)

examples: $(VENV)/.ready-demo
	$(BIN)/python scripts/examples.py

clean:
	rm -rf .venv demo-output dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

$(VENV)/.ready-demo: pyproject.toml scripts/venv.sh
	@sh scripts/venv.sh $(PYTHON) $(VENV)
	@echo 'installing what the demo needs into $(VENV)'
	@$(BIN)/python -m pip install -q -e '.[demo]'
	@touch $@

$(VENV)/.ready-test: pyproject.toml scripts/venv.sh
	@sh scripts/venv.sh $(PYTHON) $(VENV)
	@echo 'installing what the tests need into $(VENV); this takes a minute or two'
	@$(BIN)/python -m pip install -q $(WITH_SDK) --group test
	@touch $@ $(VENV)/.ready-demo

.venv/3.11-mitmproxy/.ready-test: pyproject.toml scripts/venv.sh
	@sh scripts/venv.sh $(PYTHON) $(MITM)
	@echo 'installing mitmproxy into $(MITM), an environment of its own'
	@$(MITM)/bin/python -m pip install -q -e '.[proxy]' --group test-base
	@touch $@
