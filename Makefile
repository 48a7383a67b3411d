# SPDX-License-Identifier: Apache-2.0
# The commands of daily work, in terms of the presets in CMakePresets.json. `make help` lists them.
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
SUNDIALS_PREFIX ?= $(CURDIR)/build/sundials
ONLY ?=
SECONDS ?= 600
MAKEFLAGS += --no-print-directory
export CMAKE_GENERATOR ?= $(if $(shell command -v ninja),Ninja,Unix Makefiles)

# $(call build,PRESET,FLAGS,TARGET): configures the preset and builds all of it, or one target.
build = @cmake --preset $1 -DTANSY_WERROR=ON $2 >build/$1.log || { cat build/$1.log; exit 1; }; \
	cmake --build build/$1 --parallel $(JOBS) $(addprefix --target ,$3)
run_tests = ctest --preset $1 --parallel $(JOBS)

.PHONY: help run test bench install format lint check sanitize tsan valgrind fuzz clang coverage clean

help: ## says this
	@sed -n 's/^\([a-z]*\):.*## /make \1 \t/p' $(MAKEFILE_LIST) | expand -t 16

run: | build ## solves an example model: a table, a picture, a report
	tools/install_packages.sh build run
	$(call build,release,,tansy tansy_program)
	tools/run_model.sh

test: | build ## builds everything and runs the tests
	tools/install_packages.sh build
	$(call build,release)
	$(call run_tests,release)

bench: | build ## runs the benchmarks against SUNDIALS, or one: ONLY=NAME
	tools/install_packages.sh build bench
	tools/build_sundials.sh $(SUNDIALS_PREFIX)
	$(call build,bench,-DSUNDIALS_PREFIX=$(SUNDIALS_PREFIX))
	tools/run_benches.sh $(ONLY)

install: | build ## installs library, headers and package files: PREFIX=/usr/local
	tools/install_packages.sh build
	$(call build,release,,tansy tansy_static tansy_program)
	cmake --install build/release --prefix $(PREFIX)
	@! command -v ldconfig >/dev/null || ldconfig 2>/dev/null || echo "run ldconfig as root, or set LD_LIBRARY_PATH, so that programs find the library"

format: ## lays out the C sources
	tools/check_format.sh --fix

lint: | build ## runs clang-tidy
	tools/install_packages.sh build check
	tools/check_tidy.sh

check: | build ## checks layers, sizes, symbols and format, then runs clang-tidy
	tools/install_packages.sh build check
	tools/check_layers.py
	tools/check_sizes.py
	tools/check_format.sh
	$(call build,release,,tansy tansy_static)
	tools/check_symbols.py build/release
	tools/check_tidy.sh

sanitize: | build ## runs the tests under the address and undefined-behaviour sanitizers
	tools/install_packages.sh build
	$(call build,sanitize)
	$(call run_tests,sanitize)

tsan: | build ## runs the tests named *thread* under the thread sanitizer
	tools/install_packages.sh build
	$(call build,tsan,,$(basename $(notdir $(wildcard tests/*/*thread*.c))))
	$(call run_tests,tsan) --tests-regex thread

valgrind: | build ## runs the examples under valgrind
	tools/install_packages.sh build valgrind
	$(call build,release)
	for example in build/release/examples/0*; do valgrind --quiet --leak-check=full --error-exitcode=9 $$example >/dev/null || exit; done

fuzz: | build ## fuzzes the model parser and the options, one after the other: SECONDS=600 each
	tools/install_packages.sh build fuzz
	$(call build,fuzz,,fuzz_targets)
	tools/run_fuzz.sh $(SECONDS) $(ONLY)

clang: | build ## builds everything with clang
	tools/install_packages.sh build check
	$(call build,clang)

coverage: | build ## tells which lines of src/ the tests do not reach
	tools/install_packages.sh build
	$(call build,coverage)
	find build/coverage -name '*.gcda' -delete
	$(call run_tests,coverage)
	tools/coverage.py build/coverage

clean: ## removes build/
	rm -rf build

build:
	mkdir -p build
