# SPDX-License-Identifier: MIT
#
# Everything a person or a machine runs on this tree. `make help` lists it.

SWIFT = swift
# What looks for missing packages, and installs them. On a system without apt: make NEEDS=true …
NEEDS = packaging/setup/needs.sh
# What `make play` plays; see packaging/setup/play.sh for how names with spaces are written.
FILES ?=
# What `make test` and `make test-sanitized` run: part of a test's, suite's or target's name, as a pattern.
FILTER ?=

# What `make bench` measures, and how: groups and options of fermata-bench; `BENCH=--help` lists them.
BENCH ?=

# Where `make install` puts things, and what stands before that path while a package is made. Also UNITDIR, ZSHDIR and
# DOCDIR; see packaging/install/install.sh.
PREFIX ?= /usr/local
DESTDIR ?=

program = .build/release/fermata
# Why each of these: docs/decisions/shipping.md. `make order` links without `strip`.
release = -c release --static-swift-stdlib -Xswiftc -Xfrontend -Xswiftc -function-sections $(linking)
linking = -Xswiftc -use-ld=lld -Xlinker $(strip) -Xlinker --no-export-dynamic $(relocations) $(order)
strip = -s
# Where the C library can read them.
relocations = $(shell getconf GNU_LIBC_VERSION | awk '{ split($$2, v, "."); if (v[1] > 2 || v[2] >= 36) \
  print "-Xlinker -z -Xlinker pack-relative-relocs" }')
order = -Xlinker --symbol-ordering-file=packaging/release/agent.order -Xlinker --no-warn-symbol-ordering
# Where Package.swift has the programs look for the C++ library, and the rest of what they carry instead of loading it. Not the
# reader: it shares these with TagLib.
archives = .build/archives
archive = $(wildcard $(shell cc -print-file-name=libstdc++.a))
carried = $(if $(archive),-Xlinker --as-needed -Xlinker -l:libgcc_eh.a)
installer = PREFIX=$(call quoted,$(PREFIX)) DESTDIR=$(call quoted,$(DESTDIR)) PROGRAM=$(program) packaging/install/install.sh
quoted = '$(subst ','\'',$(1))'
# Tests that plug in a virtual card which could not be built: each writes its name here.
skipped = .build/virtual-card/skipped
tell-skipped = status=$$?; if [ -s $(skipped) ]; then sort -u $(skipped); cat .build/virtual-card/*.unavailable; \
  echo "$$(sort -u $(skipped) | wc -l) tests, those named above, were skipped for want of that source"; fi; exit $$status
filter = $(if $(FILTER),--filter $(call quoted,$(FILTER)))

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: ## installs what is missing, builds, and plays FILES, or a tune of its own
	@$(NEEDS) play
	@$(MAKE) --no-print-directory release
	@FILES=$(call quoted,$(value FILES)) packaging/setup/play.sh $(program)

build: ## installs what is missing, and builds the release
	@$(NEEDS) build
	@$(MAKE) --no-print-directory release

install: ## puts the program below PREFIX, and what makes it a service of the session
	@$(installer) install

uninstall: ## takes away what `make install` put there
	@$(installer) uninstall

deb: ## makes a Debian package for the release of Debian or Ubuntu that this runs on
	@$(NEEDS) deb
	@$(MAKE) --no-print-directory release
	@PROGRAM=$(program) packaging/deb/build.sh

test-deb: ## makes the package, and looks at it as those do who install it
	@$(NEEDS) test-deb
	@$(MAKE) --no-print-directory deb
	@packaging/deb/check.sh "$$(ls -t .build/deb/*.deb | head -n 1)"

# What decodes by FFmpeg, beside the programs that are in these folders. Where FFmpeg's headers are missing, the rest works without it.
shim:
	@packaging/setup/shim.sh .build/debug .build/release

release:
	$(SWIFT) build $(release) --product fermata-reader
	@mkdir -p $(archives)
	@$(if $(archive),ln -sf $(archive) $(archives)/libstdc++.a)
	$(SWIFT) build $(release) $(carried) --product fermata
	$(SWIFT) build $(release) $(carried) --product fermata-agent
	$(SWIFT) build $(release) $(carried) --product fermata-loudness
	@$(MAKE) --no-print-directory shim

test: ## installs what tests need, and runs everything: unit, real servers, lint
	@$(NEEDS) test
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory virtual-card
	$(SWIFT) build --build-tests
	@$(MAKE) --no-print-directory shim
	@packaging/reference/reference.sh .build/debug
	@rm -f $(skipped)
	$(SWIFT) test --skip-build --disable-xctest --quiet --xunit-output .build/tests.xml $(filter); $(tell-skipped)

# The tests of whatever reads sound files and tags.
of-files = DecodeIOTests|ReaderIOTests|TagIOTests|SourceIOTests|LibraryIOTests|InstallTests|ForeignFormatTests|OpeningTrialTests

test-without-ffmpeg: ## runs the tests of files as they run where FFmpeg's headers are missing; after 'make test'
	@rm -f .build/debug/libfermata-av.so
	@PKG_CONFIG_LIBDIR=/nonexistent packaging/setup/shim.sh .build/debug
	$(SWIFT) test --skip-build --disable-xctest --quiet --filter '$(of-files)'; status=$$?; \
	  $(MAKE) --no-print-directory shim; exit $$status

test-sanitized: ## runs the tests under the thread and the address sanitizer
	@$(NEEDS) test
	@$(MAKE) --no-print-directory virtual-card
	packaging/setup/sanitized.sh thread $(filter)
	packaging/setup/sanitized.sh address $(filter)

# The sound cards that tests plug in and pull out, one a server. Status 69: the server's source could not be fetched, and the tests
# that need that card are skipped.
virtual-card:
	@rm -f .build/virtual-card/*.unavailable
	@for server in pulse pipewire; do \
	  if [ -x Tests/VirtualCard/build.sh ]; then Tests/VirtualCard/build.sh $$server >/dev/null || [ $$? -eq 69 ] || exit 1; fi; \
	done

lint: ## reads the format of the Swift, the sense of the shell, and what desktops read
	$(SWIFT) format lint --strict --parallel -r Package.swift Sources Tests docs/examples
	@if command -v shellcheck >/dev/null; then \
	  echo shellcheck; shellcheck .ci/run .ci/again $$(find packaging Tests -name '*.sh'); \
	else \
	  echo 'lint: no shellcheck here, so the scripts were not read (make test installs it)'; \
	fi
	@if command -v desktop-file-validate >/dev/null; then \
	  echo desktop-file-validate; desktop-file-validate packaging/desktop/fermata.desktop; \
	else \
	  echo 'lint: no desktop-file-validate here, so the desktop entry was not read (make test installs it)'; \
	fi
	@if command -v appstreamcli >/dev/null; then \
	  echo appstreamcli; packaging/desktop/metainfo.sh validate packaging/desktop/org.fermata.Agent.metainfo.xml; \
	else \
	  echo 'lint: no appstreamcli here, so the metainfo was not read (make test installs it)'; \
	fi

format: ## writes the Swift as the formatter has it
	$(SWIFT) format -i --parallel -r Package.swift Sources Tests docs/examples

bench: ## measures this player beside others
	@$(NEEDS) bench
	@$(MAKE) --no-print-directory virtual-card
	@$(MAKE) --no-print-directory release
	$(SWIFT) build $(release) --product BareClient
	$(SWIFT) build $(release) --product BareBusClient
	$(SWIFT) build $(release) --product LibraryClient
	$(SWIFT) build $(release) --product fermata-bench
	.build/release/fermata-bench --program $(program) $(BENCH)

reference: ## makes the reference of the Swift library, in .build/reference
	@$(NEEDS) build
	$(SWIFT) build --target FermataPlayer
	@packaging/reference/reference.sh .build/debug

pictures: ## draws the pictures of the screen that README shows, after a build of the tests
	FERMATA_REWRITE_GOLDEN=1 $(SWIFT) test --skip-build --disable-xctest --quiet --filter FramePictureTests

order: ## lists anew what of Swift's libraries an agent uses that plays FILES, for the linker
	@$(MAKE) --no-print-directory release strip=--strip-debug
	packaging/release/order.sh $(program) $(FILES)
	@$(MAKE) --no-print-directory release

clean: ## removes what was built
	rm -rf .build

.PHONY: help play build install uninstall deb test-deb shim release test test-without-ffmpeg test-sanitized virtual-card lint format bench reference pictures order clean
