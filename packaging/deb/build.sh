#!/bin/sh
# SPDX-License-Identifier: MIT
#
# build.sh
#
# Makes a Debian package of a program that is built, in .build/deb, for the release of Debian or Ubuntu that this runs on: its
# dependencies are what the program is linked with there.
set -eu
umask 022
cd "$(dirname "$0")/../.."

PROGRAM=${PROGRAM:-.build/release/fermata}
# Who answers for the package, as Debian's tools have it in the environment.
maintainer="${DEBFULLNAME:-Unknown} <${DEBEMAIL:-unknown@localhost}>"

fail() {
  printf 'deb: %s\n' "$*" >&2
  exit 1
}

for tool in dpkg-deb dpkg-shlibdeps; do
  command -v "$tool" >/dev/null || fail "$tool is missing: install dpkg-dev"
done
[ -x "$PROGRAM" ] || fail "$PROGRAM is not there: run make build first"

version=$("$PROGRAM" version)
version=${version#fermata }
# With the time, or apt would take a newer build for the one that is installed.
time=${SOURCE_DATE_EPOCH:-$(date +%s)}
version=$version+$(date -u -d "@$time" +%Y%m%d%H%M)
architecture=$(dpkg --print-architecture)
folder=.build/deb
root=$folder/root
package=$folder/fermata_${version}_$architecture.deb

stage() {
  rm -rf "$folder"
  mkdir -p "$root/DEBIAN"
  PREFIX=/usr DESTDIR=$PWD/$root PROGRAM=$PROGRAM UNITDIR=/usr/lib/systemd/user \
    ZSHDIR=/usr/share/zsh/vendor-completions packaging/install/install.sh install >/dev/null
  gzip -9n "$root/usr/share/man/man1/fermata.1"
  copyright >"$root/usr/share/doc/fermata/copyright"
  changelog | gzip -9n >"$root/usr/share/doc/fermata/changelog.gz"
  rm "$root/usr/share/doc/fermata/LICENSE"
}

changelog() {
  printf 'fermata (%s) unstable; urgency=medium\n\n  * Packaged from its own tree.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(LC_ALL=C date -u -R -d "@$time")"
}

# The licence in Debian's form, and whose libraries the program carries in it.
copyright() {
  cat <<'TEXT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: fermata

Files: *
TEXT
  sed -n 's/^Copyright (c) /Copyright: /p' LICENSE
  echo 'License: Expat'
  sed '1,/^Copyright/d; s/^$/./; s/^/ /' LICENSE | sed 1d
  cat <<'TEXT'

Files: usr/bin/fermata usr/libexec/fermata/fermata-agent usr/libexec/fermata/fermata-loudness
Copyright: Apple Inc. and the Swift project authors
 Free Software Foundation, Inc.
License: Apache-2.0 with Runtime Library Exception and GPL-3+ with GCC Runtime Library Exception
 Swift's standard library, libstdc++ and libgcc are linked into these programs, which these exceptions allow without further
 terms. The licenses are /usr/share/common-licenses/Apache-2.0 and GPL-3 beside it.

Files: usr/libexec/fermata/fermata-reader
Copyright: Apple Inc. and the Swift project authors
License: Apache-2.0 with Runtime Library Exception
 Swift's standard library is linked into the program, which the exception allows without further terms. The Apache
 License is in /usr/share/common-licenses/Apache-2.0.
TEXT
}

# What the programs are linked with, as the packages of this release name it. The tool wants a source package around it.
libraries() {
  mkdir -p "$folder/source/debian"
  printf 'Source: fermata\n\nPackage: fermata\nArchitecture: any\n' >"$folder/source/debian/control"
  (cd "$folder/source" && dpkg-shlibdeps -O ../root/usr/bin/fermata ../root/usr/libexec/fermata/fermata-* 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'
}

# What decodes by FFmpeg is loaded when it is there, so its libraries are no condition.
recommended() {
  if [ -f "$root/usr/libexec/fermata/libfermata-av.so" ]; then
    (cd "$folder/source" && dpkg-shlibdeps -O -dRecommends ../root/usr/libexec/fermata/libfermata-av.so 2>/dev/null) |
      sed -n 's/^shlibs:Recommends=//p' | tr ',' '\n' | sed 's/^ *//' | grep '^libav' | paste -s -d ',' | sed 's/,/, /g; s/$/, /'
  fi
}

# The tool looks at functions only, and not at how relocations are written.
relocations() {
  if LC_ALL=C readelf -V "$root/usr/bin/fermata" | grep -q GLIBC_ABI_DT_RELR; then printf ', libc6 (>= 2.36)'; fi
}

control() {
  depends=$(libraries)
  [ -n "$depends" ] || fail "nothing is known of the libraries that $PROGRAM is linked with"
  cat <<TEXT
Package: fermata
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -k -s --exclude=DEBIAN "$root" | cut -f1)
Depends: $depends$(relocations), default-dbus-session-bus | dbus-session-bus
Recommends: $(recommended)pipewire-pulse | pulseaudio
Suggests: playerctl
Section: sound
Priority: optional
Description: music agent for the desktop session
 fermata plays through PulseAudio or PipeWire and answers to media keys and to
 every program that speaks MPRIS. It knows why sound stopped: it pauses when
 headphones go, gives way to calls, and only ever resumes what it should.
 Queue, track and position survive a restart, a crash and a logout.
TEXT
}

stage
control >"$root/DEBIAN/control"
(cd "$root" && find usr -type f -exec md5sum {} + | LC_ALL=C sort -k2 >DEBIAN/md5sums)
# A folder that hands its group on to what is made in it leaves a mark that packages must not have.
find "$root" -type d -exec chmod u=rwx,go=rx,g-s {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >/dev/null
printf '%s\n' "$package"
