#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds the virtual sound cards for the tests, each only when it is out of date:
#
#   build.sh pulse|pipewire [DIRECTORY]     prints the path of what was built; DIRECTORY: .build/virtual-card
#
# The PulseAudio card is a module of the server and needs its internal headers, which no package installs.
# They are taken from the source package of the very version installed, from wherever this machine gets its
# packages, into DIRECTORY; nothing outside it is touched and no privilege is needed.
#
# Where that source cannot be fetched it says so and exits with status 69. The reason is kept beside the place of the card, in a
# file .unavailable, and the network is not asked again until that is removed (`make virtual-card` does).
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
target=${1:?usage: build.sh pulse|pipewire [DIRECTORY]}
directory=${2:-$here/../../.build/virtual-card}
compiler=${CC:-cc}

fail() { echo "build.sh: $*" >&2; exit 1; }
unavailable() {
  echo "build.sh: $*" > "$output.unavailable"
  cat "$output.unavailable" >&2
  exit 69
}
need() { command -v "$1" >/dev/null 2>&1 || fail "needs $1: install the package $2"; }

# fresh OUTPUT SOURCE: whether OUTPUT is newer than its source and this script.
fresh() { [ -n "$(find "$1" -newer "$2" -newer "$here/build.sh" 2>/dev/null)" ]; }

# The compiler writes beside the output, and a rename puts it in place: a server that has the old one loaded
# keeps it, and an interrupted build leaves nothing that looks finished.
compile() {
  output=$1
  shift
  "$compiler" -std=gnu11 -O2 -g -Wall -Wextra -Werror -D_GNU_SOURCE -o "$output.new" "$@" >&2 || fail "cannot compile $output"
  mv -f "$output.new" "$output"
}

build_pipewire() {
  need pkg-config pkg-config
  pkg-config --exists libpipewire-0.3 || fail "needs PipeWire's headers: install libpipewire-0.3-dev"
  output=$directory/pipewire-card-$(pkg-config --modversion libpipewire-0.3)
  if ! fresh "$output" "$here/pipewire-card.c"; then
    flags=$(pkg-config --cflags --libs libpipewire-0.3 | sed 's/-I/-isystem /g')
    # shellcheck disable=SC2086 # one word a flag
    compile "$output" "$here/pipewire-card.c" $flags
  fi
  echo "$output"
}

# The machine's own package sources with "deb" turned into "deb-src", in a folder of ours.
source_lists() {
  config=$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)
  list='' parts=''
  eval "$config"
  mkdir -p "$1"
  for file in "$list" "$parts"/*.list; do
    [ -f "$file" ] && sed -n 's/^deb[[:space:]]/deb-src /p' "$file" > "$1/$(basename "$file" .list).list"
  done
  for file in "$parts"/*.sources; do
    [ -f "$file" ] && sed 's/^[Tt]ypes:.*/Types: deb-src/' "$file" > "$1/$(basename "$file")"
  done
  return 0
}

# The machine's settings, but the files of ours and none of its hooks, which clean the machine's own caches.
apt_settings() {
  cat << EOF
Dir::Etc::sourcelist "$1/no-list";
Dir::Etc::sourceparts "$1/sources";
Dir::State::lists "$1/lists";
Dir::Cache "$1/cache";
APT::Sandbox::User "";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
EOF
}

# fetch_source FOLDER: the server's source package, patched as its distribution does, as FOLDER. Patches
# matter: some distributions change the structures in these headers.
fetch_source() {
  command -v apt-get >/dev/null || unavailable "there is no apt-get to fetch PulseAudio's source with"
  need dpkg-source dpkg-dev
  package=$(dpkg-query -W -f='${source:Package}=${source:Version}' pulseaudio) ||
    unavailable "PulseAudio is not from a package here, so nothing says which source is its own"
  apt=$1.apt
  rm -rf "$apt" "$1.new"
  mkdir -p "$apt/sources" "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/package"
  source_lists "$apt/sources"
  apt_settings "$apt" > "$apt/settings"
  # A source of packages that offers no source packages makes update fail; what counts is whether ours comes.
  apt-get -qq -c "$apt/settings" update >&2 || true
  (cd "$apt/package" && apt-get -qq -c "$apt/settings" source --download-only "$package" >&2) ||
    unavailable "no package source that this machine can reach offers the source of $package"
  dpkg-source --no-check --no-copy -x "$apt/package"/*.dsc "$1.new" >&2
  # All that the headers want of libltdl is the name of a pointer; that spares its -dev package.
  echo 'typedef struct lt__handle *lt_dlhandle;' > "$1.new/src/ltdl.h"
  mv "$1.new" "$1"
  rm -rf "$apt"
}

build_pulse() {
  need pulseaudio pulseaudio
  [ -e /usr/include/pulse/version.h ] || fail "needs libpulse's headers: install libpulse-dev"
  version=$(LC_ALL=C pulseaudio --version | awk '{ print $2; exit }')
  package_version=$(dpkg-query -W -f='${Version}' pulseaudio 2>/dev/null) || package_version=$version
  output=$directory/pulse-card-$package_version.so
  if ! fresh "$output" "$here/pulse-card.c"; then
    source=$directory/pulseaudio-$package_version
    if [ ! -d "$source" ] && [ -e "$output.unavailable" ]; then
      cat "$output.unavailable" >&2
      exit 69
    fi
    [ -d "$source" ] || fetch_source "$source"
    # The server's own libraries bear its version in their names and lie where only it looks.
    core=$(ldd "$(command -v pulseaudio)" | awk '/libpulsecore-/ { print $3; exit }')
    common=$(ldd "$(command -v pulseaudio)" | awk '/libpulsecommon-/ { print $3; exit }')
    [ -n "$core" ] || fail "cannot find libpulsecore, which pulseaudio is linked with"
    [ -n "$common" ] || fail "cannot find libpulsecommon, which pulseaudio is linked with"
    compile "$output" -shared -fPIC -DPACKAGE='"pulseaudio"' -DPACKAGE_VERSION="\"$version\"" \
      -DHAVE_ATOMIC_BUILTINS -DHAVE_ATOMIC_BUILTINS_MEMORY_MODEL \
      -isystem "$source/src" "$here/pulse-card.c" "$core" "$common" -lpulse \
      -Wl,-rpath,"$(dirname "$core")"
  fi
  echo "$output"
}

need flock util-linux
need "$compiler" gcc
mkdir -p "$directory"
directory=$(CDPATH='' cd -- "$directory" && pwd)
exec 9> "$directory/lock"
flock 9  # tests of several processes may ask at once
case $target in
  pulse) build_pulse ;;
  pipewire) build_pipewire ;;
  *) fail "unknown card \"$target\": pulse or pipewire" ;;
esac
