#!/bin/sh
# SPDX-License-Identifier: MIT
#
# needs.sh build|play|deb|test-deb|test|bench
#
# Installs the Debian or Ubuntu packages that a command of the Makefile needs and that are missing. Names
# them first; asks where a person sits at the terminal and the machine has to be changed through sudo.
# Takes a fraction of a second, and touches nothing, where nothing is missing.
set -eu

# One line a package: its name, then why it is here. Names joined by | are one package under the names that different releases
# give it: any of them that is installed will do, and else the first that the release knows is taken.

build_needs() {
  cat <<'LIST'
g++                     C library, libgcc and libstdc++ in the release's own versions, which Swift links with
libc6-dev               C headers, which Swift's Glibc module reads
libpulse-dev            the sound server's client library
libdbus-1-dev           the session bus
libmpg123-dev           decodes MP3
libopusfile-dev         decodes Opus
libsndfile1-dev         decodes WAV, Wave64, AIFF, CAF and AU
libflac-dev             decodes FLAC
libvorbis-dev           decodes Vorbis
libtag-dev|libtag1-dev  reads tags
libebur128-dev          measures how loud music sounds
libturbojpeg0-dev|libturbojpeg-dev  makes covers smaller that are JPEG
libpng-dev              makes covers smaller that are PNG, and writes the small ones
libwebp-dev             makes covers smaller that are WebP
libavformat-dev         FFmpeg, which decodes AAC, ALAC and the like: containers
libavcodec-dev          FFmpeg: codecs
libavutil-dev           FFmpeg: what both need
pkg-config|pkgconf      finds FFmpeg's headers
libsqlite3-dev          keeps the state and the library
libcurl4|libcurl4t64    the Swift toolchain itself loads it
libncurses6             the Swift toolchain itself loads it
libxml2|libxml2-16      the Swift toolchain itself loads it
zlib1g-dev              the Swift toolchain itself links with it
LIST
}

play_needs() {
  build_needs
  echo "pulseaudio-utils  pactl, to ask whether a sound server answers"
  if ! sound_server_answers; then
    echo "pulseaudio        no sound server answers here: a private one, for as long as the tune lasts"
  fi
}

deb_needs() {
  build_needs
  echo "dpkg-dev                finds out which packages the program's libraries are in"
}

test_deb_needs() {
  deb_needs
  cat <<'LIST'
lintian                 reads the package
man-db                  reads the manual
LIST
}

test_needs() {
  build_needs
  cat <<'LIST'
pulseaudio              a real sound server, private to a test
pulseaudio-utils        pactl moves streams and unplugs sinks in tests
pipewire                the other real sound server
pipewire-pulse          PipeWire's PulseAudio server
wireplumber             PipeWire's session manager, which picks the routes
libpipewire-0.3-dev     builds the virtual card for PipeWire
dpkg-dev                unpacks PulseAudio's headers for the virtual card
dbus                    a private session bus, and dbus-send, which asks as another program would
systemd                 busctl, which asks as another program would; systemd-analyze, which reads the unit
libglib2.0-bin          gdbus, which asks as another program would
playerctl               asks over MPRIS what a desktop would ask
mpv                     a player that the guard pauses
mpv-mpris               gives it a name on the bus
cmus                    another one
audacious               another one
vlc-bin                 another one
vlc-plugin-base         its name on the bus, and its output
sox                     makes the tunes that tests play
libsox-fmt-mp3          lets it make MP2
ffmpeg                  makes AAC, ALAC, WavPack, WMA and the like, and decodes them for comparison
musepack-tools          makes Musepack, and decodes it for comparison
lame                    makes MP3
flac                    makes FLAC
vorbis-tools            makes Vorbis
opus-tools              makes Opus
mpg123                  the decoder that ours is compared with
python3-mutagen         reads tags, for comparison
tmux                    a terminal that tests type into and look at
libvterm-dev            another terminal, which is asked what the screen's bytes show
valgrind                counts instructions and leaks
shellcheck              reads these scripts
desktop-file-utils      reads the desktop entry
appstream               reads the metainfo
LIST
}

bench_needs() {
  test_needs
  cat <<'LIST'
mpd                     a player that ours is measured beside
mpc                     gives it orders
ncmpcpp                 its screen
libjmac-java            makes Monkey's Audio
default-jre-headless    runs it
LIST
}

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "needs: $*"
  exit 1
}

# A server that answers now. Where pactl is missing too, the socket stands in for the answer.
sound_server_answers() {
  if command -v pactl >/dev/null; then
    PULSE_BINARY=/bin/false timeout 5 pactl info >/dev/null 2>&1
  else
    [ -n "${PULSE_SERVER:-}" ] || [ -S "${XDG_RUNTIME_DIR:-/nonexistent}/pulse/native" ]
  fi
}

# Of the lines on standard input those whose package, by none of its names, is installed.
missing_of() {
  installed=" $(dpkg-query -W -f '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p' | tr '\n' ' ')"
  while read -r names why; do
    found=no
    for name in $(printf '%s' "$names" | tr '|' ' '); do
      case $installed in *" $name "*) found=yes ;; esac
    done
    [ "$found" = yes ] || printf '%s %s\n' "$names" "$why"
  done
}

known_to_apt() { LC_ALL=C apt-cache policy "$1" | grep -q 'Candidate: [^(]'; }

# For each line on standard input the name that this release knows, or the names preceded by a question mark.
names_for_release() {
  while read -r names _; do
    pick="?$names"
    for name in $(printf '%s' "$names" | tr '|' ' '); do
      if known_to_apt "$name"; then
        pick=$name
        break
      fi
    done
    printf '%s\n' "$pick"
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 \
    apt-get -q -y -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@" </dev/null >&2
}

# Says what is missing, and leaves unless it may be installed.
announce() {
  say "$1 needs packages that are not installed yet:"
  printf '%s\n' "$2" | while read -r names why; do
    printf '  %-22s %s\n' "${names%%|*}" "$why" >&2
  done
  command -v apt-get >/dev/null || fail "there is no apt-get here; install the packages above, then run make again"
  [ "$(id -u)" -eq 0 ] && return
  command -v sudo >/dev/null || fail "installing needs root and there is no sudo; as root, install the packages above"
  [ -t 0 ] || return 0
  printf 'Install them with sudo apt-get? [Y/n] ' >&2
  read -r answer
  case $answer in '' | [Yy]*) ;; *) fail "nothing installed" ;; esac
}

# Never at the price of a package that is there: on a desktop, pulseaudio would throw out PipeWire's sound.
install_missing() {
  apt update || say "needs: apt-get update failed; going on with the lists that are there"
  names=$(printf '%s\n' "$1" | names_for_release)
  unknown=$(printf '%s\n' "$names" | sed -n 's/^?//p' | tr '\n' ' ')
  [ -z "$unknown" ] || fail "apt does not know ${unknown% }: is the network there, and on Ubuntu 'universe' enabled?"
  # shellcheck disable=SC2086 # one word a package
  apt install --no-install-recommends --no-remove $names ||
    fail "apt-get could not install them (see above); nothing that was installed before has been removed"
}

find_swift() {
  command -v swift >/dev/null && return
  [ -z "${SUDO_USER:-}" ] || fail "swift is not on root's PATH: run make as $SUDO_USER, it asks for sudo by itself"
  fail "swift is not on the PATH: install Swift 6.2 or newer from https://www.swift.org/install/linux"
}

case ${1:-} in
  build | play | deb | test-deb | test | bench) purpose=$1 ;;
  *) fail "usage: needs.sh build|play|deb|test-deb|test|bench" ;;
esac
command -v dpkg-query >/dev/null ||
  fail "neither Debian nor Ubuntu: install by hand what $0 names for '$purpose', then run make NEEDS=true $purpose"
find_swift
missing=$("$(echo "$purpose" | tr - _)_needs" | missing_of)
[ -n "$missing" ] || exit 0
announce "make $purpose" "$missing"
install_missing "$missing"
