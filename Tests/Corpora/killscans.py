#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kills an agent, or the processes that read files for it, again and again while it scans, and looks whether anything is lost.

Usage: Tests/Corpora/killscans.py --fermata PROGRAM [--rounds 100] [--files 6000] [--seed N] [agent|reader]...

The agent has a private bus, no sound, and folders of its own, with music that the script makes: small tagged files of which some
are changed, moved and removed between the rounds. In each round a scan is under way when SIGKILL comes, at a random moment.

It fails when a database does not pass SQLite's check, when the next scan does not come to its end, when a file is doubled or missing,
when a rating or a note is lost, when a file's title is not its own, and when a reader that was killed is blamed on a file. The first
line has the seed, the last one the figures.
"""
import argparse
import glob
import json
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

LIMIT = 120  # seconds for one command; only a hang takes so long


class Failure(Exception):
    pass


def song(title, sound):
    """An MP3 with a title; `sound` tells it from others."""
    frame = b"TIT2" + struct.pack(">I", len(title) + 1) + b"\0\0\3" + title.encode()
    size = bytes(len(frame) >> shift & 0x7F for shift in (21, 14, 7, 0))
    body = b"".join(b"\xff\xfb\x90\0" + struct.pack(">I", sound + 1) * 103 + b"\0" for _ in range(8))
    return b"ID3\3\0\0" + size + frame + body


class Music:
    """A folder of files, and what each of them is."""

    def __init__(self, folder, count, chance):
        self.folder, self.chance, self.files, self.next = folder, chance, {}, 0
        for _ in range(count):
            self.add()

    def add(self):
        path = os.path.join(self.folder, str(self.next // 50), f"{self.next}.mp3")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.write(path, f"Song {self.next}", self.next)
        self.next += 1

    def write(self, path, title, sound):
        with open(path, "wb") as file:
            file.write(song(title, sound))
        self.files[path] = (title, sound)

    def edit(self, times):
        for _ in range(times):
            path = self.chance.choice(list(self.files))
            title, sound = self.files[path]
            what = self.chance.randrange(4)
            if what == 0:
                self.add()
            elif what == 1:
                self.write(path, title + "+", sound)
            elif what == 2:
                new = os.path.join(self.folder, "moved", f"{self.next}-{sound}.mp3")
                self.next += 1
                os.makedirs(os.path.dirname(new), exist_ok=True)
                os.rename(path, new)
                self.files[new] = self.files.pop(path)
            elif len(self.files) > 100:
                # Rated ones stay, so that every rating has to be there at the end.
                if sound >= 20:
                    os.remove(path)
                    del self.files[path]


class Stage:
    def __init__(self, fermata, home):
        self.fermata, self.home, self.agent = fermata, home, None
        self.env = {"HOME": home, "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": home, "LANG": "C.UTF-8"}
        self.env["PULSE_SERVER"] = f"unix:{home}/none"
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.env)
        self.env["DBUS_SESSION_BUS_ADDRESS"] = self.bus.stdout.readline().decode().strip()

    def start(self):
        log = open(os.path.join(self.home, "log"), "ab")
        self.agent = subprocess.Popen([self.fermata, "agent"], env=self.env, stdout=log, stderr=log)
        end = time.time() + LIMIT
        while subprocess.run([self.fermata, "library", "status"], env=self.env, capture_output=True).returncode:
            if time.time() > end:
                raise Failure("the agent does not start")

    def run(self, *words):
        done = subprocess.run([self.fermata, *words], env=self.env, capture_output=True, timeout=LIMIT)
        if done.returncode:
            raise Failure(f"{' '.join(words)}: {done.stderr.decode()}")
        return done.stdout.decode()

    def readers(self):
        found = []
        for status in glob.glob("/proc/[0-9]*/stat"):
            try:
                name, rest = open(status).read().split("(", 1)[1].rsplit(")", 1)
            except (OSError, IndexError):
                continue
            if name == "fermata-reader" and int(rest.split()[1]) == self.agent.pid:
                found.append(int(status.split("/")[2]))
        return found

    def check_databases(self):
        """Looks at copies, as the next agent will find them."""
        folder = os.path.join(self.home, ".local/share/fermata")
        with tempfile.TemporaryDirectory() as copy:
            for name in os.listdir(folder):
                if "damaged" in name:
                    raise Failure(f"{name} was put aside")
                shutil.copy(os.path.join(folder, name), copy)
            for name in ["library.db", "listening.db"]:
                verdict = sqlite3.connect(os.path.join(copy, name)).execute("PRAGMA integrity_check").fetchone()
                if verdict != ("ok",):
                    raise Failure(f"{name}: {verdict}")

    def check_items(self, music):
        self.run("library", "scan", "--wait")
        items = json.loads(self.run("library", "list", "--json"))["items"]
        found = {}
        for item in items:
            path = item["location"] if "location" in item else item["url"]
            if path in found:
                raise Failure(f"{path} is doubled")
            found[path] = item
        wanted = {("file://" + path if next(iter(found)).startswith("file:") else path): facts
                  for path, facts in music.files.items()}
        if set(found) != set(wanted):
            raise Failure(f"{len(found)} items for {len(wanted)} files: {list(set(found) ^ set(wanted))[:3]}")
        for path, (title, sound) in wanted.items():
            if found[path].get("title") != title:
                raise Failure(f"{path} is {found[path].get('title')} and not {title}")
            rating = found[path].get("rating") or 0
            if sound < 20 and rating != sound % 5 + 1 or sound >= 20 and rating:
                raise Failure(f"{path} has the rating {rating}")
        if any(item.get("failure") for item in items):
            raise Failure("a file is blamed")
        log = open(os.path.join(self.home, "log"), errors="replace").read()
        if "left alone" in log or "damaged" in log:
            raise Failure("the log tells of damage")

    def stop(self):
        for child in [self.agent, self.bus]:
            if child:
                child.terminate()
                child.wait()


def rounds(stage, music, what, options, chance):
    hit = 0
    for number in range(options.rounds):
        music.edit(options.files // 10)
        # Most files are to be read again: a scan of few is over too soon.
        for path in list(music.files)[: options.files * 2 // 3]:
            os.utime(path)
        stage.run("library", "scan")
        time.sleep(chance.random() * options.longest)
        if what == "agent":
            stage.agent.kill()
            stage.agent.wait()
            stage.check_databases()
            stage.start()
            hit += 1
        else:
            readers = stage.readers()
            for process in readers:
                os.kill(process, signal.SIGKILL)
            hit += bool(readers)
        if number % 10 == 9 or number == options.rounds - 1:
            stage.check_items(music)
    return hit


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--fermata", required=True)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--files", type=int, default=6_000)
    parser.add_argument("--longest", type=float, default=1.0, help="seconds until the kill, at most")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("what", nargs="*", default=["agent", "reader"])
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as home:
        music = Music(os.path.join(home, "Music"), options.files, chance)
        stage = Stage(os.path.abspath(options.fermata), home)
        try:
            stage.start()
            stage.run("library", "add", "--wait", music.folder)
            for item in json.loads(stage.run("library", "list", "--json"))["items"]:
                sound = int(item["title"].split()[1].rstrip("+"))
                if sound < 20:
                    stage.run("library", "rate", str(item["id"]), str(sound % 5 + 1))
            for what in options.what:
                hit = rounds(stage, music, what, options, chance)
                print(f"{what}: killed in {hit} of {options.rounds} scans, nothing lost", flush=True)
        except (Failure, subprocess.TimeoutExpired) as failure:
            print(f"FAILED: {failure}", flush=True)
            shutil.copy(os.path.join(home, "log"), "killscans.log")
            return 1
        finally:
            stage.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
