#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check.sh PACKAGE
#
# Looks at a Debian package of ours as those do who install it: what Debian's own reader says of it, whether apt could install
# it here, whether the program in it starts, and whether what it says of itself agrees. Installs nothing.
set -eu
PACKAGE=$(realpath "${1:?usage: check.sh PACKAGE}")
cd "$(dirname "$0")/../.."

fail() {
  printf 'package: %s\n' "$*" >&2
  exit 1
}

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
dpkg-deb -x "$PACKAGE" "$root"

# What lintian is told to overlook: the metainfo, which is read below, knowing that there is no homepage; and, since whoever packages
# gives a name by DEBFULLNAME and DEBEMAIL, that there is none without them.
overlooked() {
  echo appstream-metadata-validation-failed
  if [ -z "${DEBEMAIL:-}" ]; then printf '%s\n' bogus-mail-host bogus-mail-host-in-debian-changelog; fi
}

# It refuses names that it does not know, and not every version knows all of them.
known() { while read -r tag; do if lintian-explain-tags "$tag" >/dev/null 2>&1; then echo "$tag"; fi; done; }

if command -v lintian >/dev/null; then
  tags=$(overlooked | known | paste -s -d ,)
  lintian --allow-root --fail-on error,warning ${tags:+--suppress-tags "$tags"} "$PACKAGE" >&2 ||
    fail "lintian finds fault with $PACKAGE"
fi
if command -v appstreamcli >/dev/null; then
  packaging/desktop/metainfo.sh validate-tree "$root" >&2 || fail "appstreamcli finds fault with $PACKAGE"
fi

answer=$(LC_ALL=C apt-get -s -o Debug::NoLocking=1 install --no-install-recommends "$PACKAGE" 2>&1) ||
  fail "apt could not install $PACKAGE here:
$answer"

program=$root/usr/bin/fermata
version=$(dpkg-deb -f "$PACKAGE" Version)
said=$("$program" version)
[ "$said" = "fermata ${version%%+*}" ] || fail "the program says it is '$said', the package is of $version"

# It finds its reader where the package has it, and the reader starts with the libraries that the package names. What the
# doctor says of sound and bus is this machine's affair.
"$program" doctor 2>/dev/null | grep -q 'read in a process of its own' ||
  fail "the program does not find its reader, or that does not start"

# Only the reader has TagLib and the C++ library.
if LC_ALL=C readelf -d "$program" | grep -E 'NEEDED.*(libtag|libstdc|libgcc_s)' >&2; then
  fail "the program loads what it should not need"
fi

faults=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 "$root/usr/share/man/man1/fermata.1.gz" 2>&1 >/dev/null)
[ -z "$faults" ] || fail "the manual has faults: $faults"

# What starts the program has to name where it is.
grep -rIlE '(Exec|ExecStart)=' "$root/usr/share" "$root/usr/lib" | while read -r starter; do
  sed -n 's/^\(Exec\|ExecStart\)=\([^ ]*\).*/\2/p' "$starter" | while read -r command; do
    case $command in
      /usr/bin/fermata | /usr/libexec/fermata/fermata-agent | fermata) ;;
      *) fail "${starter#"$root"} starts $command" ;;
    esac
  done
done

printf '%s: %s, %s installed, starts, and apt could install it here\n' "${PACKAGE##*/}" \
  "$(du -h "$PACKAGE" | cut -f1)" "$(du -sh "$root" | cut -f1)"
