#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sanitized.sh thread|address [arguments of swift test]
#
# Runs the tests under a sanitizer, in a build folder of its own. What a sanitizer is told to overlook stands,
# with its reason, in Tests/Sanitizers.
set -eu

sanitizer=${1:?usage: sanitized.sh thread|address [arguments of swift test]}
shift
linker=
lists=$PWD/Tests/Sanitizers
case $sanitizer in
  thread) export TSAN_OPTIONS="suppressions=$lists/thread.supp:halt_on_error=0:second_deadlock_stack=1" ;;
  address)
    # gold, the usual linker, warns of each symbol that this sanitizer adds; lld comes with Swift.
    linker='-Xswiftc -use-ld=lld'
    export ASAN_OPTIONS="suppressions=$lists/address.supp:detect_leaks=1:detect_stack_use_after_return=1"
    export LSAN_OPTIONS="suppressions=$lists/leak.supp:print_suppressions=0"
    ;;
  *)
    echo "sanitized: thread or address, not '$sanitizer'" >&2
    exit 64
    ;;
esac

# The sanitizers map their shadow at fixed addresses, and a kernel that scatters programs widely can be in the
# way; where the kernel lets us, run without the scatter.
still=
if setarch "$(uname -m)" -R true 2>/dev/null; then still="setarch $(uname -m) -R"; fi

# Damaged files are decoded in another process, which no sanitizer watches: a few of them are enough here.
export FERMATA_DAMAGED=120

# shellcheck disable=SC2086 # flags, or nothing
swift build --build-tests --sanitize="$sanitizer" --scratch-path ".build/$sanitizer" $linker
# shellcheck disable=SC2086 # a command and its arguments, or nothing
exec $still swift test --skip-build --disable-xctest --quiet --xunit-output .build/tests.xml \
  --sanitize="$sanitizer" --scratch-path ".build/$sanitizer" $linker "$@"
