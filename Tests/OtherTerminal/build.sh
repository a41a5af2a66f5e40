#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the program that gives painted bytes to libvterm, unless it is up to date:
#
#   build.sh DIRECTORY     prints the path of what was built
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
directory=${1:?usage: build.sh DIRECTORY}
compiler=${CC:-cc}
source=$here/other-terminal.c

fail() { echo "build.sh: $*" >&2; exit 1; }
need() { command -v "$1" >/dev/null 2>&1 || fail "needs $1: install the package $2"; }

need flock util-linux
need "$compiler" gcc
need pkg-config pkg-config
pkg-config --exists vterm || fail "needs libvterm's headers: install libvterm-dev"
mkdir -p "$directory"
output=$directory/other-terminal-$(pkg-config --modversion vterm)
exec 9> "$directory/lock"
flock 9  # tests of several processes may ask at once
if [ -z "$(find "$output" -newer "$source" -newer "$here/build.sh" 2>/dev/null)" ]; then
  flags=$(pkg-config --cflags --libs vterm | sed 's/-I/-isystem /g')
  # shellcheck disable=SC2086 # one word a flag
  "$compiler" -std=gnu11 -O2 -g -Wall -Wextra -Werror -o "$output.new" "$source" $flags >&2 || fail "cannot compile $output"
  mv -f "$output.new" "$output"
fi
echo "$output"
