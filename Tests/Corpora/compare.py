#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what fermata says of strangers' sound files with what others say.

Usage: Tests/Corpora/compare.py [--fermata PROGRAM] [--sound] FOLDER...

The folders hold sound files of other projects' test suites, which are no part of this tree. Fetch some, for example

    apt-get source --download-only libaudio-scan-perl taglib libvorbis flac quodlibet libcue mixxx
    pip download --no-binary :all: --no-deps mutagen beets picard

and unpack them into a folder outside of the tree. A private agent on a bus of its own (dbus-run-session) reads each
file. Its tags are held against those of mutagen and, where that cannot read a file, of ffprobe; its durations against
both. With --sound each file is decoded by fermata's own decoders (DecodeIOProbe, which `swift build --build-tests` makes)
and by ffmpeg, Opus and Vorbis by opusdec and oggdec as well: lossless sound has to be the same in each sample, other sound
within a hundredth of its loudness, from the same frame to the same frame.

What is not there is named and left out: without folders, mutagen (as a module of this Python) and ffprobe there is
nothing to compare, which is no failure; --sound needs numpy. Where fermata says otherwise than all others, the line says
who says what; the last line counts. Exit code 0: nothing to compare or no difference; 1: differences. Others are wrong in places too:
each line wants a look, not obedience.

These differences were looked at, and are meant:
- MP3 whose tag is by another encoder than LAME begins 529 frames earlier: that is the decoder's own delay.
- Musepack begins 481 frames earlier, as mpcdec has it, too.
- Windows Media begins two packets later in FFmpeg, which are silent in Microsoft's files, but not in FFmpeg's own.
- A sample that was cut short says how long the whole was; fermata says what is there.
- Compressed ID3 frames are left out; so are ADIF and the voice codec of Windows Media.
- Where several sounds are in one Windows Media file, FFmpeg's library chooses the other one than FFmpeg's program.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata
from urllib.parse import unquote

import sound

try:
    import mutagen
    import mutagen.apev2
    import mutagen.id3
except ImportError:
    mutagen = None

EXTENSIONS = {
    "mp3", "mp2", "flac", "ogg", "oga", "opus", "wav", "aif", "aiff", "aifc", "au", "snd", "caf",
    "ape", "mpc", "wv", "tta", "m4a", "m4b", "mp4", "wma", "mka", "dsf", "dff", "aac", "ac3", "dts",
}
# Of the duration, in seconds: what a frame or a page may differ by.
NEAR = 0.15
# How many files are added at a time: a command line holds so many names.
ROWS = 80


def sounds(folders):
    for folder in folders:
        for place, _, names in os.walk(folder):
            for name in sorted(names):
                path = os.path.join(place, name)
                if name.rsplit(".", 1)[-1].lower() in EXTENSIONS and os.path.isfile(path):
                    yield os.path.abspath(path)


class Agent:
    """An agent with settings, state and runtime folder of its own."""

    def __init__(self, program, folder):
        self.program = program
        for name in ["config", "state", "cache", "runtime", "home"]:
            os.makedirs(os.path.join(folder, name), mode=0o700)
        self.environment = dict(
            os.environ,
            HOME=folder + "/home",
            XDG_CONFIG_HOME=folder + "/config",
            XDG_STATE_HOME=folder + "/state",
            XDG_CACHE_HOME=folder + "/cache",
            XDG_RUNTIME_DIR=folder + "/runtime",
        )
        self.bus = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=self.environment, text=True)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = self.bus.stdout.readline().strip()
        self.agent = subprocess.Popen(
            [program, "agent"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            if self.run("queue", "--json")[0] == 0:
                break
            time.sleep(0.05)

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], env=self.environment, capture_output=True)
        return done.returncode, done.stdout.decode("utf-8", "replace")

    def read(self, paths):
        """What the agent says of each file, by its path."""
        self.run("queue", "clear")
        self.run("add", *paths)
        rows = {}
        for row in json.loads(self.run("queue", "list", "--json", "--tags")[1])["entries"]:
            path = unquote(row["url"].removeprefix("file://"), errors="surrogateescape")
            if path in rows:
                # A book has a row for each chapter: only what all of them share is compared.
                row = {key: it for key, it in row.items() if rows[path].get(key) == it}
                row["isBook"] = True
            rows[path] = row
        return rows

    def end(self):
        self.agent.terminate()
        self.agent.wait()
        self.bus.terminate()
        self.bus.wait()


def words(values):
    if values is None:
        return []
    values = values if isinstance(values, list) else [values]
    split = [part for value in values for part in str(value).split("\0")]
    unique = dict.fromkeys(unicodedata.normalize("NFC", part.strip(" \t\r\n\0")) for part in split)
    return [part for part in unique if part]


def by_mutagen(path):
    """Title, artist and so on as mutagen has them; nothing where it cannot read the file."""
    try:
        file = mutagen.File(path)
    except Exception:  # it fails in many ways on files that are made to be bad
        return None
    if file is None:
        return None
    found = {"duration": getattr(file.info, "length", None) or None}
    tags = file.tags
    if tags is None and path.lower().endswith(".mp3"):
        try:
            tags = mutagen.apev2.APEv2(path)
        except mutagen.MutagenError:
            pass
    if isinstance(tags, mutagen.id3.ID3):
        frames = {
            "title": "TIT2", "artist": "TPE1", "album": "TALB", "track": "TRCK", "date": "TDRC", "genre": "TCON",
        }
        for name, frame in frames.items():
            if frame not in tags:
                found[name] = []
                continue
            value = tags[frame].genres if name == "genre" else [str(text) for text in tags[frame].text]
            found[name] = words(value)
    elif tags is not None and hasattr(tags, "get"):
        names = {
            "track": "tracknumber" if "tracknumber" in tags else "track",
            "date": "date" if "date" in tags else "year",
        }
        for name in ["title", "artist", "album", "track", "date", "genre"]:
            try:
                found[name] = words(tags.get(names.get(name, name)))
            except (KeyError, ValueError, TypeError):
                pass
    return found


def by_ffprobe(path):
    done = subprocess.run(
        ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", path],
        capture_output=True, timeout=120)
    try:
        found = json.loads(done.stdout or "{}")
    except ValueError:
        return None
    if "format" not in found:
        return None
    tags = {}
    for stream in found.get("streams", []):
        if stream.get("codec_type") == "audio":
            tags.update({key.lower(): value for key, value in stream.get("tags", {}).items()})
    tags.update({key.lower(): value for key, value in found["format"].get("tags", {}).items()})
    length = found["format"].get("duration")
    result = {name: words(tags.get(name)) for name in ["title", "artist", "album", "track", "date", "genre"]}
    result["duration"] = float(length) if length else None
    return result


def number(values):
    found = re.match(r"\s*0*(\d+)", values[0]) if values else None
    return int(found.group(1)) if found and int(found.group(1)) else None


def agree(name, ours, theirs):
    if name == "duration":
        return abs((ours or 0) - (theirs or 0)) <= NEAR + 0.01 * (theirs or 0)
    if name == "track":
        return ours == number(theirs)
    if name == "date":
        years = [year for year in re.findall(r"\d{4}", theirs[0]) if year != "0000"] if theirs else []
        return (ours or "")[:4] == (years or [""])[0]
    ours = words(ours)
    # Several values are one text elsewhere, with some mark between.
    return set(ours) == set(theirs) or all(value in "".join(theirs) for value in ours) and bool(ours) == bool(theirs)


def compare(path, row, witnesses):
    """The properties in which fermata stands alone."""
    row = dict(row)
    told = [said["title"] for said in witnesses.values() if said and said.get("title")]
    if row.get("title") == os.path.basename(path).rsplit(".", 1)[0] and not told:
        row.pop("title")  # a file without a title is called by its name
    own = [] if row.get("isBook") else ["title", "track", "duration"]
    for name in ["artist", "album", "date", "genre", *own]:
        told = {who: said.get(name) for who, said in witnesses.items() if said is not None and name in said}
        if name == "duration":
            told = {who: length for who, length in told.items() if length}
        if told and not any(agree(name, row.get(name), theirs) for theirs in told.values()):
            yield f"{name}: fermata {row.get(name)!r}, " + ", ".join(f"{who} {it!r}" for who, it in told.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--fermata", default=".build/debug/fermata")
    parser.add_argument("--sound", action="store_true", help="compare the decoded samples as well")
    options = parser.parse_args()
    paths = list(sounds(options.folders))
    missing = [tool for tool in ["ffprobe", "ffmpeg", "opusdec", "oggdec"] if shutil.which(tool) is None]
    missing += [] if mutagen else ["mutagen"]
    probe = os.path.join(os.path.dirname(os.path.abspath(options.fermata)), "DecodeIOProbe")
    if options.sound:
        missing += [] if sound.numpy else ["numpy"]
        missing += [] if os.access(probe, os.X_OK) else ["DecodeIOProbe"]
    hears = options.sound and not {"ffprobe", "ffmpeg", "numpy", "DecodeIOProbe"} & set(missing)
    for name in missing:
        print(f"not there, so not compared with: {name}")
    if not paths or ("ffprobe" in missing and "mutagen" in missing):
        print("nothing to compare: " + ("no witness is installed" if paths else "no folder with sound files was named"))
        return 0
    if shutil.which("dbus-daemon") is None or shutil.which(options.fermata) is None:
        print("nothing to compare: dbus-daemon and a built fermata are needed")
        return 0
    differing = unread = 0
    with tempfile.TemporaryDirectory() as folder:
        agent = Agent(os.path.abspath(options.fermata), folder)
        try:
            for start in range(0, len(paths), ROWS):
                batch = paths[start:start + ROWS]
                rows = agent.read(batch)
                for path in batch:
                    if path not in rows:
                        unread += 1
                        print(f"{path}: not taken")
                        continue
                    witnesses = {}
                    if mutagen:
                        witnesses["mutagen"] = by_mutagen(path)
                    if "ffprobe" not in missing:
                        witnesses["ffprobe"] = by_ffprobe(path)
                    lines = list(compare(path, rows[path], witnesses))
                    if hears:
                        lines += sound.compare(probe, path)
                    differing += bool(lines)
                    for line in lines:
                        print(f"{path}: {line}")
        finally:
            agent.end()
    print(f"{len(paths)} files, {differing} with differences, {unread} not taken")
    return 1 if differing or unread else 0


if __name__ == "__main__":
    sys.exit(main())
