# SPDX-License-Identifier: MIT
"""The sound of a file, as fermata decodes it and as others do, and how far they are apart.

Every decoder is a function of a path that gives a `Sound`, or None where it makes nothing of the file.
"""
import json
import os
import shutil
import subprocess
import tempfile

try:
    import numpy
except ImportError:
    numpy = None

# How far a start may be off, in frames: more than the delay that any encoder of lossy formats puts before the music.
SHIFT = 4_800
# How long a sound is compared. Where a decoder goes astray it does so early.
SECONDS = 120
# The loudest difference that counts as none, by the coding: exact ones differ by no more than the last bit of a float has.
EXACT = 2.0 ** -22
# What is left of a lossy sound when another's is taken from it, against the sound itself.
NEAR = 0.01
# What nobody hears, however quiet the sound is.
FAINT = 2.0 ** -13
# Sound that was cut out of a longer one begins with frames whose data went before. One decoder is silent there, another one guesses.
RUN_IN = 9_216
# One decoder adds to a lossy sound the packet that is not whole, another one the silence that a decoder keeps back.
END = 2_048
LOSSLESS = {"flac", "alac", "ape", "wavpack", "tta", "truehd", "mlp", "shorten", "wmalossless"}
TIMEOUT = 300
# Where each channel of a WAVE file stands among those of Vorbis and Opus, by their number.
XIPH = {3: [0, 2, 1], 5: [0, 2, 1, 3, 4], 6: [0, 2, 1, 5, 3, 4], 7: [0, 2, 1, 6, 5, 3, 4], 8: [0, 2, 1, 7, 5, 6, 3, 4]}


class Sound:
    """Frames of a rate; an array with a row for each."""

    def __init__(self, rate, frames, why=""):
        self.rate, self.frames, self.why = rate, frames, why

    @property
    def channels(self):
        return self.frames.shape[1]

    def __len__(self):
        return self.frames.shape[0]


def run(arguments):
    try:
        return subprocess.run(arguments, capture_output=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return None


def frames(data, channels, kind="<f4"):
    size = numpy.dtype(kind).itemsize * channels
    return numpy.frombuffer(data[:len(data) // size * size], kind).reshape(-1, channels).astype("f8")


def by_fermata(probe, path):
    """The sound, or the reason why there is none."""
    done = run([probe, path, os.path.join(os.path.dirname(probe), "fermata-reader")])
    if done is None:
        return None, f"takes longer than {TIMEOUT} s"
    why = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode not in (0, 66):
        return None, why or f"ends with {done.returncode}"
    head, _, data = done.stdout.partition(b"\n")
    rate, channels = (int(word) for word in head.split())
    return Sound(rate, frames(data, channels), why), why


def wave(data):
    """The sound in the bytes of a WAVE file, also in one whose writer could not go back to fill in the sizes."""
    place, rate = 12, 0
    while place + 8 <= len(data):
        name, size = data[place:place + 4], int.from_bytes(data[place + 4:place + 8], "little")
        body = data[place + 8:place + 8 + size] if name != b"data" or size else data[place + 8:]
        if name == b"fmt ":
            kind = int.from_bytes(body[:2], "little")
            channels, rate = int.from_bytes(body[2:4], "little"), int.from_bytes(body[4:8], "little")
            bits = int.from_bytes(body[14:16], "little")
            if kind == 0xFFFE:
                kind = int.from_bytes(body[24:26], "little")
        if name == b"data" and rate:
            if kind == 3:
                return Sound(rate, frames(body, channels, f"<f{bits // 8}"))
            return Sound(rate, frames(body, channels, f"<i{bits // 8}") / 2.0 ** (bits - 1))
        place += 8 + size + size % 2
    return None


def by_ffmpeg(path):
    done = run(["ffmpeg", "-v", "quiet", "-nostdin", "-i", path, "-map", "0:a:0", "-c:a", "pcm_f32le", "-f", "wav", "-"])
    return playable(wave(done.stdout)) if done else None


def playable(sound):
    """The sound, with the mean of two frames for each two as long as there are more than can be played (fine DSD)."""
    while sound and sound.rate > 384_000:
        even = sound.frames[:len(sound.frames) // 2 * 2]
        sound = Sound(sound.rate // 2, (even[0::2] + even[1::2]) / 2)
    return sound


def by_opusdec(path):
    return by_tool(["opusdec", "--quiet", "--float", "--no-dither", "--rate", "48000", "--force-wav", path])


def by_oggdec(path):
    return by_tool(["oggdec", "-Q", path, "-o"])


def by_tool(arguments):
    with tempfile.NamedTemporaryFile(suffix=".wav") as out:
        run([*arguments, out.name])
        with open(out.name, "rb") as file:
            return wave(file.read())


def coding(path):
    """The name of the coding of the first sound in a file, as ffprobe has it."""
    done = run(["ffprobe", "-v", "quiet", "-select_streams", "a:0", "-show_streams", "-of", "json", path])
    try:
        return json.loads(done.stdout)["streams"][0]["codec_name"]
    except (AttributeError, ValueError, KeyError, IndexError):
        return ""


def witnesses(path):
    """Who else decodes such a file, by name."""
    name = coding(path)
    others = {"ffmpeg": by_ffmpeg} if shutil.which("ffmpeg") else {}
    if name == "opus" and shutil.which("opusdec"):
        others["opusdec"] = by_opusdec
    if name == "vorbis" and shutil.which("oggdec"):
        others["oggdec"] = by_oggdec
    return name, others


def shift(ours, theirs):
    """By how many frames their sound begins later than ours: where the two fit each other best."""
    size = min(len(ours), len(theirs), 1 << 19)
    first, second = (frames[:size].mean(axis=1) for frames in (ours, theirs))
    room = 1 << (2 * size - 1).bit_length()
    fit = numpy.fft.irfft(numpy.fft.rfft(second, room) * numpy.conj(numpy.fft.rfft(first, room)), room)
    reach = min(SHIFT, size - 1)
    fits = numpy.concatenate([fit[-reach:] if reach else fit[:0], fit[:reach + 1]])
    return int(numpy.argmax(fits)) - reach


def difference(ours, theirs, is_exact):
    """In what two sounds differ, in words; empty if in nothing."""
    if ours.rate != theirs.rate or ours.channels != theirs.channels:
        return f"{ours.rate} Hz, {ours.channels} channels against {theirs.rate} Hz, {theirs.channels}"
    if is_exact:
        return exact_difference(ours, theirs)
    # Some decoders write whole numbers, which end at 1.
    first, second = (numpy.clip(sound.frames[:SECONDS * sound.rate], -1, 1) for sound in (ours, theirs))
    loud = numpy.sqrt(numpy.mean(second ** 2))
    by = 0 if is_near(first, second, loud) else shift(first, second)
    first, second = first[max(0, -by):], second[max(0, by):]
    found = []
    if not is_near(first, second, loud):
        size = min(len(first), len(second))
        apart = numpy.abs(first[:size] - second[:size]).max(axis=1)
        place = RUN_IN + int(numpy.argmax(apart[RUN_IN:] > max(10 * NEAR * loud, FAINT)))
        found.append(f"sounds otherwise from frame {place} on, by up to {apart[RUN_IN:].max():.2g} at a loudness of {loud:.2g}")
    elif by:
        found.append(f"begins {abs(by)} frames {'earlier' if by > 0 else 'later'}")
    # A later begin is a shorter sound, and that was said.
    if abs(len(ours) + by - len(theirs)) > END:
        found.append(f"{len(ours)} frames against {len(theirs)}")
    return "; ".join(found)


def exact_difference(ours, theirs):
    size = min(len(ours), len(theirs), SECONDS * ours.rate)
    apart = numpy.abs(ours.frames[:size] - theirs.frames[:size]).max(axis=1)
    found = [f"{len(ours)} frames against {len(theirs)}"] if len(ours) != len(theirs) else []
    if size and apart.max() > EXACT:
        found.append(f"differs from frame {int(numpy.argmax(apart > EXACT))} on, by up to {apart.max():.2g}")
    return "; ".join(found)


def is_near(first, second, loud):
    """Whether two sounds are one behind their run-in."""
    size = min(len(first), len(second))
    rest = first[RUN_IN:size] - second[RUN_IN:size]
    return len(rest) == 0 or numpy.sqrt(numpy.mean(rest ** 2)) <= max(NEAR * loud, FAINT)


def compare(probe, path):
    """The ways in which fermata's sound stands alone, a line each."""
    name, others = witnesses(path)
    ours, why = by_fermata(probe, path)
    heard = {who: decode(path) for who, decode in others.items()}
    heard = {who: sound for who, sound in heard.items() if sound is not None and len(sound)}
    if ours is None:
        if heard:
            told = ", ".join(f"{who} {len(sound)} frames" for who, sound in heard.items())
            yield f"sound ({name}): refused: {why}; {told}"
        return
    if name in ("vorbis", "opus") and ours.channels in XIPH:
        ours.frames = ours.frames[:, XIPH[ours.channels]]
    is_exact = name in LOSSLESS or name.startswith("pcm_")
    apart = {who: difference(ours, sound, is_exact) for who, sound in heard.items()}
    if apart and all(apart.values()):
        note = f" (breaks off: {why})" if why else ""
        yield f"sound ({name}): " + "; ".join(f"{who}: {words}" for who, words in apart.items()) + note
