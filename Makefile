# A thin front of CMake: everything here can also be done with cmake --preset NAME and cmake --build DIRECTORY.
# Targets install what is missing by scripts/install-deps, and only then.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export JOBS

# Ninja where it is there; a directory that is configured already keeps its generator.
ifneq ($(shell command -v ninja 2>/dev/null),)
export CMAKE_GENERATOR ?= Ninja
endif

need = test -z "$$(scripts/install-deps --missing $(1))" || scripts/install-deps $(1)
# configure PRESET,DIRECTORY,OPTIONS: quiet, unless it fails
configure = mkdir -p $(2) && { cmake --preset $(1) $(3) >$(2)/configure.log 2>&1 || { cat $(2)/configure.log; exit 1; }; }
# build DIRECTORY: a make below this one has its own flags and number of jobs
build = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake --build $(1) --parallel $(JOBS)

.PHONY: all demo test test-long quick bench bench-solvers bench-precision bench-scale bench-cliffs bench-bodies bench-heaps bench-models bench-threads bench-beams report python web dist static arm64 windows deb wheel release install lint format coverage clean help
.DEFAULT_GOAL := all

all: ## build the library, the tool and the tests in build/
	@$(call need,build)
	@$(call configure,release,build)
	@$(call build,build)

demo: ## run the woodpecker and draw its limit cycle
	@$(call need,build)
	@$(call configure,release,build)
	@$(call build,build) --target picus
	@mkdir -p demo
	build/picus run woodpecker --out demo/woodpecker.h5
	build/picus plot demo/woodpecker.h5 --out demo/woodpecker.png
	build/picus view demo/woodpecker.h5 --out demo/woodpecker.html --quiet
	@echo
	@echo "The woodpecker's limit cycle is drawn in demo/woodpecker.png, its data is in demo/woodpecker.h5."
	@echo "To see it climb down its pole, open demo/woodpecker.html in a browser."

test: ## all tests, those of memory also under sanitizers, lint, install; ends with "N passed, M failed"
	@$(call need,build test)
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL scripts/test-all

test-long: web ## longer than CI: all tests at whole length by gcc and clang and under sanitizers, ten minutes of each fuzz target
	@$(call need,build test)
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL scripts/test-long

quick: ## the tests of test/quick, below a minute once they are built
	@$(call need,build)
	@$(call configure,release,build)
	@$(call build,build)
	@scripts/run-tests --quick --jobs $(JOBS) build

bench: ## measure the speed; prints a table
	@$(call need,build)
	@$(call configure,bench,build-bench)
	@$(call build,build-bench)
	@bench/run build-bench

# PICUS_DATA: a folder whose subfolder contact holds further problems, in the layout of FCLIB; without it they are skipped.
PICUS_DATA ?=
bench-solvers: ## benchmark of all contact solvers, with Siconos if it is installed
	@$(call need,build)
	@$(call configure,bench,build-bench)
	@$(call build,build-bench) --target picus_solver_bench
	@PICUS_DATA='$(PICUS_DATA)' OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
	  build-bench/bench/picus_solver_bench --csv build-bench/solvers.csv --plot build-bench/solvers $(BENCH_OPTIONS)
	@echo "All attempts: build-bench/solvers.csv"

bench-precision: ## error and cost of all schemes on the woodpecker; a table and build-bench/work-precision.png
	@$(call need,build)
	@$(call configure,bench,build-bench)
	@$(call build,build-bench) --target picus_work_precision
	@build-bench/bench/picus_work_precision build-bench/work-precision.png

bench-scale: ## set-up, memory and steps of scenes with 10 to 10000 bodies; a table with exponents of growth
	@$(call need,build)
	@$(call configure,bench,build-bench)
	@$(call build,build-bench) --target picus_scale_bench
	@build-bench/bench/picus_scale_bench scenes/many $(BENCH_OPTIONS)

bench-cliffs: ## time of a step per contact row, from 4 to 10000 rows; a table and build-bench/cliffs.png
	@$(call need,build)
	@$(call configure,bench,build-bench)
	@$(call build,build-bench) --target picus_cliffs
	@build-bench/bench/picus_cliffs scenes/many --figure build-bench/cliffs.png $(BENCH_OPTIONS)

bench-bodies: ## disks and spheres in a box beside Bullet and ODE, where installed; a table of times and residuals
	@$(call need,build)
	@$(call configure,bench,build-bench)
	@$(call build,build-bench) --target picus_bodies_bench picus
	@bench/bodies/run build-bench $(BENCH_OPTIONS)

bench-heaps: ## a step of 10 to 3000 disks and spheres, settling and at rest; a table of times and residuals
	@$(call need,build)
	@$(call configure,bench,build-bench)
	@$(call build,build-bench) --target picus_heap_sizes
	@build-bench/bench/picus_heap_sizes $(BENCH_OPTIONS)

bench-models: ## a step of every shipped model and of families of bodies, by instructions; a table, beside Bullet where installed
	@$(call need,build)
	@$(call configure,bench,build-bench)
	@$(call build,build-bench) --target picus_bodies_bench picus_step_times picus
	@bench/models $(BENCH_OPTIONS)

bench-threads: ## what a second thread gains on 5000 spheres, and what it costs small models; two tables
	@$(call need,build)
	@$(call configure,bench,build-bench)
	@$(call build,build-bench) --target picus_threads_bench
	@build-bench/bench/picus_threads_bench $(BENCH_OPTIONS)

bench-beams: ## set-up, memory and steps of beams with 100 to 100000 elements; a table with exponents of growth
	@$(call need,build)
	@$(call configure,bench,build-bench)
	@$(call build,build-bench) --target picus_scale_bench
	@build-bench/bench/picus_scale_bench --beams scenes/beams $(BENCH_OPTIONS)

report: ## all tables and figures of the five papers, into reproduce-report/report.html; takes about ten minutes
	@$(call need,build)
	@$(call configure,release,build)
	@$(call build,build) --target picus
	build/picus reproduce all --out reproduce-report

# Debian's emscripten looks for node's packages where Debian has them, whatever node is installed.
web: ## build the library for browsers, for picus live; installs emscripten (1.3 GB)
	@$(call need,web)
	@scripts/library-sources build-sources lua suitesparse
	@mkdir -p build-web
	@NODE_PATH=/usr/share/nodejs cmake -S web -B build-web \
	  -DCMAKE_TOOLCHAIN_FILE=/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake >build-web/configure.log 2>&1 || \
	  { cat build-web/configure.log; exit 1; }
	@NODE_PATH=/usr/share/nodejs $(call build,build-web)

python: ## build the Python package in python/, test it and check its style
	@$(call need,build python)
	@$(call configure,release,build)
	@$(call build,build) --target picus_static picus_page picus_figure
	@scripts/python-package build build
	@scripts/python-package lint
	@scripts/python-package test

dist: ## the sources of this commit as dist/picus-VERSION.tar.gz, which build without a network
	@scripts/package dist

static: ## the tool as one program for any Linux with this kind of CPU, in dist/
	@$(call need,build)
	@JOBS=$(JOBS) scripts/package static

arm64: ## the tool as one program for arm64, compiled here, in dist/
	@$(call need,build package)
	@JOBS=$(JOBS) scripts/package arm64

windows: ## the tool and the library for Windows, compiled here by mingw-w64, in dist/
	@$(call need,build windows)
	@JOBS=$(JOBS) scripts/package windows

deb: ## Debian packages of library, tool, Python module and manual, in dist/
	@$(call need,build python package)
	@JOBS=$(JOBS) scripts/package deb

wheel: ## the Python package for other machines, in dist/
	@$(call need,build python)
	@JOBS=$(JOBS) scripts/package wheel

release: ## all of these, with changes and checksums; the tree must be committed
	@$(call need,build python package windows)
	@JOBS=$(JOBS) scripts/package release

install: ## install to PREFIX (/usr/local), below DESTDIR if given
	@$(call need,build)
	@$(call configure,release,build,-DCMAKE_INSTALL_PREFIX='$(PREFIX)')
	@$(call build,build) --target picus picus_shared picus_static picus_documents
	@DESTDIR='$(DESTDIR)' cmake --install build
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi

lint: ## clang-format, clang-tidy, cppcheck, shellcheck, module dependencies, house rules
	@$(call need,build test)
	@$(call configure,clang,build-clang)
	@scripts/lint build-clang

format: ## lay out the code by clang-format
	@$(call need,test)
	@find include src tool test bench examples scenes \( -name '*.[ch]' -o -name '*.cpp' \) 2>/dev/null | xargs clang-format -i

coverage: ## which lines the tests reach: a table, and pages in build-coverage/report/
	@$(call need,build test)
	@$(call configure,coverage,build-coverage)
	@$(call build,build-coverage)
	@find build-coverage -name '*.gcda' -delete
	@scripts/run-tests --jobs $(JOBS) --name coverage build-coverage || echo "Some tests failed; the report is of what ran."
	@mkdir -p build-coverage/report
	@gcovr --root . --filter src/ --filter tool/ --html-details build-coverage/report/index.html \
	  --txt build-coverage/report/coverage.txt --print-summary build-coverage >build-coverage/report/summary.txt
	@cat build-coverage/report/coverage.txt build-coverage/report/summary.txt
	@echo "Line by line: build-coverage/report/index.html"

clean: ## remove everything that was built, and the demo's files
	rm -rf build build-debug build-asan build-asan-python build-tsan build-coverage build-clang build-bench build-against build-fuzz build-static
	rm -rf python/build python/dist python/src/picus.egg-info python/src/picus/libraries python/src/picus/_core*.so
	rm -f demo/woodpecker.h5 demo/woodpecker.png demo/woodpecker.html
	@rmdir demo 2>/dev/null || true

help: ## this list
	@sed -nE 's/^([a-z-]+): ## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24
