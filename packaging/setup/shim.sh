#!/bin/sh
# SPDX-License-Identifier: MIT
#
# shim.sh FOLDER…
#
# Compiles `libfermata-av.so`, which decodes AAC and much else by FFmpeg, and puts it into each folder that exists: the program that loads
# it looks beside itself. Swift's package manager cannot leave out what cannot be compiled, so this stands outside of it. Without FFmpeg's
# headers it says so, and that is no failure: those formats are then named, and do not play.
set -eu
cd "$(dirname "$0")/../.."

source=Sources/CFermataAV
name=libfermata-av.so
libraries='libavformat libavcodec libavutil'

# shellcheck disable=SC2086 # one word a library
if ! flags=$(pkg-config --cflags --libs $libraries 2>/dev/null); then
  echo "shim: FFmpeg's headers are not here (libavformat-dev), so AAC, ALAC and the like will not play" >&2
  exit 0
fi

mkdir -p .build/shim
built=.build/shim/$name
stamp=$(printf '%s\n' "$flags" | cat - "$source/fermata_av.c" "$source/fermata_av.h" "$0" | md5sum)
if [ ! -f "$built" ] || [ "$(cat "$built.stamp" 2>/dev/null)" != "$stamp" ]; then
  # shellcheck disable=SC2086 # one word a flag
  ${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -Wno-deprecated-declarations -fPIC -fvisibility=hidden -shared \
    -Wl,-z,relro,-z,now -Wl,--as-needed -s -o "$built.new" "$source/fermata_av.c" $flags
  mv -f "$built.new" "$built"
  printf '%s\n' "$stamp" >"$built.stamp"
fi
for folder in "$@"; do
  if [ -d "$folder" ]; then
    cp -f "$built" "$folder/$name.new"
    mv -f "$folder/$name.new" "$folder/$name"
  fi
done
