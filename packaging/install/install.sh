#!/bin/sh
# SPDX-License-Identifier: MIT
#
# install.sh install|uninstall
#
# Puts the program and everything that makes it a service of the session below PREFIX, or takes it away again. What is
# written names the program by its place below PREFIX; DESTDIR goes before each path that is written to, for packages.
# PREFIX=~/.local is for one user, without root: the buses and managers of a session look there as well.
set -eu

PREFIX=${PREFIX:-/usr/local}
# Not every shell has made a home of this before make saw it.
case $PREFIX in '~'/*) PREFIX=$HOME/${PREFIX#??} ;; esac
# A shell that completes the path adds a slash. systemd names its units without a double one.
while [ "$PREFIX" != / ] && [ "${PREFIX%/}" != "$PREFIX" ]; do PREFIX=${PREFIX%/}; done
DESTDIR=${DESTDIR:-}
# A relative one is meant from where this is called.
case $DESTDIR in '' | /*) ;; *) DESTDIR=$PWD/$DESTDIR ;; esac
# The program that is installed, and that writes its own man page and completions. The programs that it starts lie beside it.
PROGRAM=${PROGRAM:-.build/release/fermata}
# Where units of users' managers are found below any prefix; distributions have a place of their own.
UNITDIR=${UNITDIR:-$PREFIX/share/systemd/user}
ZSHDIR=${ZSHDIR:-$PREFIX/share/zsh/site-functions}
DOCDIR=${DOCDIR:-$PREFIX/share/doc/fermata}
# The folders that were made for what is installed, which go with it. A package's own list has them.
made_folders=$DOCDIR/folders
# Where `fermata` looks for the programs that it starts; not to be chosen.
LIBEXECDIR=$PREFIX/libexec/fermata

tree=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)

fail() {
  printf 'install: %s\n' "$*" >&2
  exit 1
}

# Each file: how it is made, from what, its mode, and where it goes.
files() {
  cat <<LIST
program   fermata                                             755 $PREFIX/bin/fermata
program   fermata-agent                                       755 $LIBEXECDIR/fermata-agent
program   fermata-loudness                                    755 $LIBEXECDIR/fermata-loudness
program   fermata-reader                                      755 $LIBEXECDIR/fermata-reader
library   libfermata-av.so                                    644 $LIBEXECDIR/libfermata-av.so
man       -                                                   644 $PREFIX/share/man/man1/fermata.1
bash      -                                                   644 $PREFIX/share/bash-completion/completions/fermata
zsh       -                                                   644 $ZSHDIR/_fermata
fish      -                                                   644 $PREFIX/share/fish/vendor_completions.d/fermata.fish
template  dbus/org.fermata.Agent.service                      644 $PREFIX/share/dbus-1/services/org.fermata.Agent.service
template  dbus/org.mpris.MediaPlayer2.fermata.service         644 $PREFIX/share/dbus-1/services/org.mpris.MediaPlayer2.fermata.service
template  packaging/systemd/fermata.service                   644 $UNITDIR/fermata.service
template  packaging/desktop/fermata.desktop                   644 $PREFIX/share/applications/fermata.desktop
copy      packaging/desktop/org.fermata.Agent.metainfo.xml    644 $PREFIX/share/metainfo/org.fermata.Agent.metainfo.xml
copy      packaging/icons/fermata.svg                         644 $PREFIX/share/icons/hicolor/scalable/apps/fermata.svg
copy      LICENSE                                             644 $DOCDIR/LICENSE
LIST
}

content() {
  case $1 in
    copy) cat "$2" ;;
    program | library) cat "$(dirname "$PROGRAM")/$2" ;;
    man) "$PROGRAM" help --man ;;
    bash | zsh | fish) "$PROGRAM" help --completions "$1" ;;
    template) sed "s|@bindir@|$PREFIX/bin|g; s|@libexecdir@|$LIBEXECDIR|g" "$2" ;;
  esac
}

folders() { files | while read -r _ _ _ target; do dirname "$target"; done | sort -u; }

# Makes a folder and those above it, and adds to `made` each that was not there.
make_folder() {
  if [ -d "$DESTDIR$1" ]; then return; fi
  if [ "$1" != / ]; then make_folder "$(dirname "$1")"; fi
  mkdir -p "$DESTDIR$1"
  made="$made$1
"
}

make_all_folders() {
  made=
  for folder in $(folders); do make_folder "$folder"; done
  if [ -z "$DESTDIR" ]; then printf '%s' "$made" >>"$made_folders"; fi
}

# Written beside its place and moved there: who runs the old program keeps it, and nobody finds half a file.
put() {
  target=$DESTDIR$4
  # What decodes by FFmpeg is only there where its headers were; one of an older installation would be of no use.
  if [ "$1" = library ] && [ ! -f "$(dirname "$PROGRAM")/$2" ]; then
    rm -f "$target"
    return 0
  fi
  content "$1" "$2" >"$target.new" || {
    rm -f "$target.new"
    fail "$4 could not be made"
  }
  chmod "$3" "$target.new"
  mv -f "$target.new" "$target"
}

install_all() {
  for name in fermata fermata-agent fermata-loudness fermata-reader; do
    built=$(dirname "$PROGRAM")/$name
    [ -x "$built" ] || fail "$built is not there: run make build first, as yourself"
  done
  case $PROGRAM in /*) ;; *) PROGRAM=$PWD/$PROGRAM ;; esac
  cd "$tree"
  make_all_folders
  files | while read -r how from mode target; do put "$how" "$from" "$mode" "$target"; done
  refresh
  printf 'fermata is in %s\n' "$DESTDIR$PREFIX"
  [ -z "$DESTDIR" ] || return 0
  if [ -z "${DBUS_SESSION_BUS_ADDRESS:-}" ]; then
    printf 'a session that runs already can start it after the next login, or after: %s\n' \
      'dbus-send --session --type=method_call --dest=org.freedesktop.DBus / org.freedesktop.DBus.ReloadConfig; systemctl --user daemon-reload'
  fi
  case $ZSHDIR in
    "${HOME:-/nowhere}"/*) printf 'zsh completes it after this line before compinit: fpath=(%s %s)\n' "$ZSHDIR" "\$fpath" ;;
  esac
  case :${PATH:-}: in
    *:"$PREFIX/bin":*) ;;
    *) printf 'your shell does not look for programs there: log in anew, or add %s to PATH\n' "$PREFIX/bin" ;;
  esac
  if [ -n "$(running_agent)" ]; then
    printf "the agent that runs is the former one: 'fermata quit' ends it, and the next command starts the new one\n"
  fi
}

# The number of the process that runs as the installed agent, also if its file has been replaced since; nothing if there is none.
running_agent() {
  [ -n "${DBUS_SESSION_BUS_ADDRESS:-}" ] && command -v dbus-send >/dev/null || return 0
  process=$(dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus / \
    org.freedesktop.DBus.GetConnectionUnixProcessID string:org.fermata.Agent 2>/dev/null | sed 's/.* //') || return 0
  [ -n "$process" ] || return 0
  program=$(readlink "/proc/$process/exe") || return 0
  if [ "${program% (deleted)}" = "$(readlink -f "$LIBEXECDIR")/fermata-agent" ]; then printf '%s\n' "$process"; fi
}

# An agent that runs would play on from files that are gone, and what `systemctl enable` has linked would lead nowhere. Only if
# it is this one: another may be installed elsewhere. Without systemd the session bus has started it.
stop_service() {
  [ -z "$DESTDIR" ] || return 0
  if [ -z "${DBUS_SESSION_BUS_ADDRESS:-}" ]; then
    # sudo does not tell which session it was called from.
    printf 'an agent that runs goes on until its session ends. If you had systemd start it at login: %s\n' \
      'systemctl --user disable --now fermata'
    return 0
  fi
  if command -v systemctl >/dev/null &&
    [ "$(systemctl --user show --property=FragmentPath --value fermata 2>/dev/null)" = "$UNITDIR/fermata.service" ]; then
    systemctl --user disable --now fermata 2>/dev/null || true
  fi
  if [ -n "$(running_agent)" ]; then "$PREFIX/bin/fermata" quit || true; fi
}

uninstall_all() {
  stop_service
  # With what an install that was cut short has left.
  files | while read -r _ _ _ target; do rm -f "$DESTDIR$target" "$DESTDIR$target.new"; done
  made=$DOCDIR
  if [ -n "$DESTDIR" ]; then
    made=$(for folder in $(folders); do with_parents "$folder"; done | sort -ru)
  elif [ -f "$made_folders" ]; then
    made=$(sort -ru "$made_folders")
    rm -f "$made_folders"
  fi
  refresh
  # The deepest first, and only those that nobody else uses.
  for folder in $made; do rmdir "$DESTDIR$folder" 2>/dev/null || true; done
}

with_parents() {
  if [ "$1" = / ]; then return; fi
  printf '%s\n' "$1"
  with_parents "$(dirname "$1")"
}

# Desktops keep an index of who opens what, and a session's bus and manager what they can start. Packages have that done where
# they are unpacked; another user's session (sudo) is out of reach, and looks anew at the next login.
refresh() {
  [ -z "$DESTDIR" ] || return 0
  if [ -n "${DBUS_SESSION_BUS_ADDRESS:-}" ]; then
    if command -v systemctl >/dev/null; then systemctl --user daemon-reload 2>/dev/null || true; fi
    if command -v dbus-send >/dev/null; then
      dbus-send --session --type=method_call --dest=org.freedesktop.DBus \
        /org/freedesktop/DBus org.freedesktop.DBus.ReloadConfig 2>/dev/null || true
    fi
  fi
  applications=$PREFIX/share/applications
  if [ -z "$(find "$applications" -name '*.desktop' 2>/dev/null)" ]; then
    # An index of nothing.
    rm -f "$applications/mimeinfo.cache"
  elif command -v update-desktop-database >/dev/null; then
    update-desktop-database -q "$applications" || true
  fi
}

umask 022
# These go into files with four ways of quoting; a plain path needs none of them. None of the lists here has spaces.
for path in "$PREFIX" "$UNITDIR" "$ZSHDIR" "$DOCDIR"; do
  case $path in
    *[!A-Za-z0-9/._+@-]*) fail "'$path' has a character that service files cannot carry: take a plainer path" ;;
    /*) ;;
    *) fail "'$path' is not an absolute path" ;;
  esac
done
case ${1:-} in
  install) install_all ;;
  uninstall) uninstall_all ;;
  *) fail "usage: install.sh install|uninstall" ;;
esac
