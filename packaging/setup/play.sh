#!/bin/sh
# SPDX-License-Identifier: MIT
#
# play.sh PROGRAM
#
# Plays what FILES names, or the program's own tune when it names nothing. Where no sound server answers, a
# private PulseAudio with a null sink serves for as long as the playing lasts: nobody hears it, but the
# position moves.
#
# FILES is one file or folder, spaces and all; or else words as in a shell: quotes keep a name with spaces
# together, * and ? match, ~/ is the home folder. Nothing in it is ever executed.
set -eu

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "play: $*"
  exit "${status:-1}"
}

# Lets nothing be started behind our back: the client library would spawn a server of its own, and leave it.
server_answers() { PULSE_BINARY=/bin/false timeout 5 pactl info >/dev/null 2>&1; }

# shellcheck disable=SC2317,SC2329 # the trap runs it
end_private_server() {
  if [ -n "${server:-}" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$private"
}

start_private_server() {
  command -v pulseaudio >/dev/null || status=69 fail "no sound server answers and there is no pulseaudio to start"
  private=$(mktemp -d)
  trap end_private_server EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  cat >"$private/server.pa" <<PA
load-module module-native-protocol-unix socket=$private/socket auth-anonymous=1 auth-cookie-enabled=0
PA
  # A session of its own, so that the Ctrl-C meant for the player does not take the server from under it; gone with this
  # script, whatever ends it; and not on the session's bus, where another server may have the name that it would ask for.
  HOME=$private XDG_RUNTIME_DIR=$private XDG_CONFIG_HOME=$private XDG_STATE_HOME=$private \
    setsid setpriv --pdeathsig KILL env -u DBUS_SESSION_BUS_ADDRESS \
    pulseaudio -n --daemonize=no --exit-idle-time=-1 --realtime=no --high-priority=no \
    --log-target=stderr --log-level=error -F "$private/server.pa" </dev/null >"$private/log" 2>&1 &
  server=$!
  PULSE_SERVER=unix:$private/socket
  export PULSE_SERVER
  tries=0
  until server_answers; do
    tries=$((tries + 1))
    if [ $tries -gt 100 ] || ! kill -0 "$server" 2>/dev/null; then
      cat "$private/log" >&2
      status=69 fail "the private sound server did not start"
    fi
    sleep 0.1
  done
  # As it comes, a null sink takes back what it played and loses its place. Old ones know no other way.
  for option in norewinds=1 ''; do
    # shellcheck disable=SC2086 # one word or none
    pactl load-module module-null-sink sink_name=nobody_hears_this $option >/dev/null 2>&1 && return
  done
  status=69 fail "the private sound server has no null sink"
}

# One line a word of FILES.
words_of_files() {
  if [ -e "$FILES" ]; then
    printf '%s\n' "$FILES"
  else
    printf '%s\n' "$FILES" | xargs -n 1 printf '%s\n'
  fi
}

program=${1:?usage: play.sh PROGRAM}
[ -x "$program" ] || fail "$program is not there: run make build"
set --
if [ -n "${FILES:-}" ]; then
  # Not every shell has made a home of this before make saw it.
  case $FILES in '~'/*) FILES=$HOME/${FILES#??} ;; esac
  words=$(words_of_files 2>/dev/null) || status=64 fail "FILES has a quote that does not end: $FILES"
  while IFS= read -r word; do
    case $word in '~'/*) word=$HOME/${word#??} ;; esac
    if [ -e "$word" ]; then
      set -- "$@" "$word"
      continue
    fi
    # Brackets do not match anything: many albums have them in their names.
    pattern=$(printf '%s\n' "$word" | sed 's/\[/\\[/g')
    IFS=
    # shellcheck disable=SC2086 # patterns are meant to match
    for found in $pattern; do
      if [ "$found" = "$pattern" ]; then found=$word; fi
      set -- "$@" "$found"
    done
    unset IFS
  done <<WORDS
$words
WORDS
fi

progress=
if ! server_answers; then
  # Nothing will be heard, so there has to be something to see.
  progress=--progress
  say "No sound server answers here: starting a private one with a null sink, so nothing will be heard."
  start_private_server
fi
status=0
# shellcheck disable=SC2086 # one word or none
"$program" play --here $progress "$@" || status=$?
exit $status
