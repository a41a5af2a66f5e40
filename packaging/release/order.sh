#!/bin/sh
# SPDX-License-Identifier: MIT
#
# order.sh PROGRAM FILE...
#
# Writes agent.order: the functions that an agent runs, ours and those of Swift's libraries. First come those that it runs to start
# and to wait, then those for playing each FILE and for obeying, and last those of the command and its screen, which is another
# program and passes over the agent's own. The linker puts them side by side, so that a process has their pages in memory and not,
# for some function on each, nearly all of its program. A name that is no longer there is passed over; what is
# missing costs memory and nothing else. So this is run when the toolchain changes, before a release, or when the memory grows.
#
# PROGRAM and PROGRAM-agent, which lies beside it, need their symbols (make order). Wanted: valgrind, dbus-daemon, PulseAudio, and FILEs of the usual formats.
set -eu
cd "$(dirname "$0")/../.."

order=packaging/release/agent.order
private=$(mktemp -d)
children=

fail() {
  printf 'order: %s\n' "$*" >&2
  exit 1
}

# shellcheck disable=SC2317,SC2329 # the trap runs it
end() {
  for child in $children; do kill "$child" 2>/dev/null || true; done
  wait
  rm -rf "$private"
}
trap end EXIT

[ $# -gt 1 ] || fail "usage: order.sh PROGRAM FILE..."
for tool in valgrind dbus-daemon pulseaudio script; do
  command -v "$tool" >/dev/null || fail "$tool is missing"
done
program=$1
shift

until_there() {
  tries=0
  until "$@" >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || fail "does not come about: $*"
    sleep 0.2
  done
}

serve() {
  HOME=$private XDG_RUNTIME_DIR=$private LC_ALL=C.UTF-8
  DBUS_SESSION_BUS_ADDRESS=unix:path=$private/bus PULSE_SERVER=unix:$private/sound
  export HOME XDG_RUNTIME_DIR LC_ALL DBUS_SESSION_BUS_ADDRESS PULSE_SERVER
  unset XDG_STATE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME
  cat >"$private/server.pa" <<PA
load-module module-null-sink sink_name=nobody_hears_this
load-module module-native-protocol-unix socket=$private/sound auth-anonymous=1 auth-cookie-enabled=0
PA
  dbus-daemon --session --nofork --nopidfile --address="$DBUS_SESSION_BUS_ADDRESS" 2>/dev/null &
  children="$children $!"
  pulseaudio -n --daemonize=no --exit-idle-time=-1 --log-level=error -F "$private/server.pa" 2>/dev/null &
  children="$children $!"
  until_there test -S "$private/bus"
  until_there test -S "$private/sound"
}

# An agent's life under valgrind: nothing but waiting, or with files to play and orders. Each begins with the queue of the one before.
live() {
  valgrind -q --tool=callgrind --demangle=no --callgrind-out-file="$private/run.$1" "$program-agent" agent 2>/dev/null &
  agent=$!
  children="$children $agent"
  until_there "$program" status
  sleep 3
  [ "$1" = idle ] || obey "$@"
  kill "$agent"
  wait "$agent" || true
}

obey() {
  shift
  for file in "$@"; do
    "$program" play "$file" >/dev/null
    sleep 4
  done
  for command in pause play next previous 'seek 1' status 'queue list' 'volume 50' stop; do
    # shellcheck disable=SC2086 # words of a command
    "$program" $command >/dev/null 2>&1 || true
    sleep 1
  done
}

# The screen under valgrind beside an agent, in a terminal that presses some keys.
show() {
  "$program-agent" agent 2>/dev/null &
  agent=$!
  children="$children $agent"
  until_there "$program" status
  "$program" play "$@" >/dev/null
  # shellcheck disable=SC2016 # the other shell expands it
  keys='sleep 8; for key in j j k 2 j l 5 7 1 q; do printf %s "$key"; sleep 1; done; sleep 3'
  run="valgrind -q --tool=callgrind --demangle=no --callgrind-out-file=$private/run.screen $program ui 2>/dev/null"
  sh -c "$keys" | TERM=xterm-256color timeout 90 script -qec "stty cols 100 rows 30; $run" /dev/null >/dev/null
  kill "$agent"
  wait "$agent" || true
}

# The functions that ran in these lives, by their names in the program.
ran() {
  sed -n 's/^c\{0,1\}fn=([0-9]*) //p' "$@" | sed "s/'[0-9]*$//" | LC_ALL=C sort -u
}

serve
live first "$@"
live idle
live second
show "$@"

ran "$private/run.idle" >"$private/idle"
ran "$private/run.first" "$private/run.second" >"$private/busy"
LC_ALL=C sort -u "$private/idle" "$private/busy" >"$private/agents"
{
  echo '# Made by order.sh: functions that an agent runs, and the screen.'
  cat "$private/idle"
  LC_ALL=C comm -13 "$private/idle" "$private/busy"
  ran "$private/run.screen" | LC_ALL=C comm -13 "$private/agents" -
} >"$private/order"
[ "$(wc -l <"$private/order")" -gt 1000 ] || fail "hardly anything ran: have $program and $program-agent their symbols?"
mv "$private/order" "$order"
printf '%s: %s functions\n' "$order" "$(grep -vc '^#' "$order")"
