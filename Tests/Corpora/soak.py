#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gives an agent random orders about strangers' files, for as long as is asked for, and looks whether it bears them.

Usage: Tests/Corpora/soak.py --fermata PROGRAM [--minutes 60] [--seed N] FOLDER...

The folders hold sound files, lists and sheets of other projects' test suites (compare.py says where from). The agent has a
private bus, a private PulseAudio, a state folder of its own, and its log on a pipe that is read only now and then. Two
clients give orders at once; some are interrupted in the middle, and now and then the agent is killed as by a crash.

It fails when a command takes longer than its limit (a hang), when the agent ends by itself, when it grows beyond a limit
(a leak), and when the queue after a crash is not the one that the last answered order left (a loss). The first line has the
seed, the last one the figures.
"""
import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

LIMIT = 60  # seconds for one command; only a hang takes so long
GROWTH = 80  # MB that the agent may have at the end more than after its first minute
SETUP = """load-module module-native-protocol-unix socket={0}/native auth-anonymous=1
load-module module-null-sink sink_name=one norewinds=1
load-module module-null-sink sink_name=two norewinds=1
"""


class Failure(Exception):
    pass


class Stage:
    """A bus, a sound server and an agent in a folder of their own."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.children = []
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": folder, "XDG_RUNTIME_DIR": folder, "PULSE_SERVER": f"unix:{folder}/native",
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={folder}/none",
        }
        setup = os.path.join(folder, "setup.pa")
        with open(setup, "w") as file:
            file.write(SETUP.format(folder))
        self.start(["pulseaudio", "-n", "-F", setup, "--exit-idle-time=-1", "--daemonize=no"])
        bus = self.start(["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        while not os.path.exists(f"{folder}/native"):
            time.sleep(0.01)
        self.agent = None
        self.restart()

    def start(self, words, **options):
        options.setdefault("stdout", subprocess.DEVNULL)
        options.setdefault("stderr", subprocess.DEVNULL)
        child = subprocess.Popen(words, env=self.environment, stdin=subprocess.DEVNULL, **options)
        self.children.append(child)
        return child

    def restart(self):
        if self.agent:
            self.agent.kill()
            self.agent.wait()
            self.agent.stderr.close()
        self.agent = self.start([self.program, "agent", "--verbose"], stderr=subprocess.PIPE)
        os.set_blocking(self.agent.stderr.fileno(), False)
        end = time.monotonic() + LIMIT
        while self.run("status")[0] != 0:
            if time.monotonic() > end:
                raise Failure("the agent does not come on the bus")

    def read_log(self):
        try:
            return os.read(self.agent.stderr.fileno(), 1 << 20)
        except (BlockingIOError, ValueError):
            return b""

    def run(self, *words, interrupt=None):
        """Runs a command to its end; returns its status and what it wrote. `interrupt` is after how many seconds Ctrl-C comes."""
        child = subprocess.Popen(
            [self.program, *words], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        try:
            if interrupt is not None:
                try:
                    child.wait(interrupt)
                except subprocess.TimeoutExpired:
                    child.send_signal(signal.SIGINT)
            output, _ = child.communicate(timeout=LIMIT)
            return child.returncode, output
        except subprocess.TimeoutExpired:
            child.kill()
            raise Failure(f"hangs: {' '.join(words)[:300]}")

    def memory(self):
        with open(f"/proc/{self.agent.pid}/status") as file:
            line = next(line for line in file if line.startswith("RssAnon"))
        return int(line.split()[1]) / 1024

    def queue(self):
        status, output = self.run("queue", "list", "--json")
        if status != 0:
            raise Failure(f"the queue cannot be read: {status}")
        return [(item["entry"], item["url"]) for item in json.loads(output)["entries"]]

    def stop(self):
        self.agent.send_signal(signal.SIGTERM)
        try:
            if self.agent.wait(20) != 0:
                raise Failure(f"the agent ends with {self.agent.returncode}")
        except subprocess.TimeoutExpired:
            raise Failure("SIGTERM does not end the agent")

    def end(self):
        for child in reversed(self.children):
            if child.poll() is None:
                child.kill()
                child.wait()


class Orders:
    def __init__(self, chance, files, folders):
        self.chance, self.files, self.folders = chance, files, folders

    def some(self, most=6):
        return self.chance.sample(self.files, min(len(self.files), self.chance.randint(1, most)))

    def next(self):
        row = str(self.chance.randint(1, 40))
        return self.chance.choice([
            ["play", *self.some()], ["play", "--shuffle", *self.some()], ["play", self.chance.choice(self.folders)],
            ["add", *self.some()], ["add", "--next", *self.some()], ["add", self.chance.choice(self.folders)],
            ["add", "--at", "1", *self.some(2)], ["play"], ["pause"], ["toggle"], ["toggle"], ["stop"], ["next"], ["next"],
            ["next"], ["previous"], ["seek", self.chance.choice(["+1", "-1", "0", "0:01", "+30", "-30"])],
            ["seek", "--begin", "forward"], ["seek", "--begin", "backward"], ["seek", "--end"], ["volume", "-3%"],
            ["volume", "+3%"], ["repeat", self.chance.choice(["none", "one", "all", "all", "default"])],
            ["shuffle", self.chance.choice(["off", "songs", "albums", "default"])], ["queue", "jump", row],
            ["queue", "remove", row], ["queue", "move", row, str(self.chance.randint(1, 40))], ["queue", "undo"],
            ["queue", "redo"], ["queue", "clear"], ["queue"], ["queue", "list", "--json"], ["status"], ["status", "--json"],
            ["art"],
        ])


def client(stage, orders, end, counts, failures, turn):
    try:
        while time.monotonic() < end and not failures:
            interrupt = orders.chance.random() * 0.05 if orders.chance.random() < 0.1 else None
            words = orders.next()
            with turn:
                status, _ = stage.run(*words, interrupt=interrupt)
            # Whoever waits for the turn gets it.
            time.sleep(0.001)
            if status not in (0, 1, 65, 66, 75, -signal.SIGINT, 130):
                raise Failure(f"{' '.join(words)[:300]} exits with {status}")
            counts.append(status)
    except Failure as failure:
        failures.append(str(failure))


def settled(stage):
    """The queue when nothing of an interrupted order is under way any more."""
    last = stage.queue()
    while True:
        time.sleep(0.3)
        now = stage.queue()
        if now == last:
            return now
        last = now


def crash(stage, turns, failures):
    """Kills the agent while nobody gives orders, and looks whether all that was answered is there again."""
    for turn in turns:
        turn.acquire()
    try:
        before = settled(stage)
        stage.restart()
        if stage.queue() != before:
            failures.append("after a crash the queue is another")
    except Failure as failure:
        failures.append(str(failure))
    finally:
        for turn in turns:
            turn.release()


def soak(stage, chance, files, folders, minutes):
    end = time.monotonic() + minutes * 60
    counts, failures, crashes, beginning = [], [], 0, None
    turns = [threading.Lock(), threading.Lock()]
    clients = [
        threading.Thread(
            target=client,
            args=(stage, Orders(random.Random(chance.random()), files, folders), end, counts, failures, turn))
        for turn in turns
    ]
    start = time.monotonic()
    for thread in clients:
        thread.start()
    while any(thread.is_alive() for thread in clients):
        time.sleep(1)
        if stage.agent.poll() is not None:
            failures.append(f"the agent has ended by itself with {stage.agent.returncode}: {stage.read_log()[-2000:]}")
            break
        if chance.random() < 0.3:
            stage.read_log()
        if beginning is None and time.monotonic() - start > 60:
            beginning = stage.memory()
        if chance.random() < 0.03:
            crash(stage, turns, failures)
            crashes += 1
            beginning = None
            start = time.monotonic()
    grown = 0 if failures else stage.memory() - (beginning or stage.memory())
    if grown > GROWTH:
        failures.append(f"the agent has grown by {grown:.0f} MB")
    return counts, failures, crashes, grown


def main():
    parser = argparse.ArgumentParser(description="Random orders about strangers' files.")
    parser.add_argument("--fermata", required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("folders", nargs="*")
    options = parser.parse_args()
    files = [
        os.path.join(place, name) for folder in options.folders for place, _, names in os.walk(os.path.abspath(folder))
        for name in sorted(names)
    ]
    if not files or not shutil.which("pulseaudio") or not shutil.which("dbus-daemon"):
        print("soak: no files, no pulseaudio or no dbus-daemon: nothing was tried")
        return 0
    print(f"soak: seed {options.seed}, {len(files)} files", flush=True)
    folder = tempfile.mkdtemp(prefix="fermata-soak-")
    stage = Stage(os.path.abspath(options.fermata), folder)
    try:
        places = sorted({os.path.dirname(file) for file in files})
        counts, failures, crashes, grown = soak(
            stage, random.Random(options.seed), files, places, options.minutes)
        if not failures:
            stage.stop()
    except Failure as failure:
        counts, failures, crashes, grown = [], [str(failure)], 0, 0
    finally:
        stage.end()
        shutil.rmtree(folder, ignore_errors=True)
    for failure in failures:
        print(f"soak: {failure}")
    print(
        f"soak: {len(counts)} orders, {counts.count(0)} done, {crashes} crashes, {grown:.1f} MB grown, "
        + ("failed" if failures else "passed"))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
