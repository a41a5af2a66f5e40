# SPDX-License-Identifier: MIT
#
# Writes tags, and says which ones are in a file, by mutagen; see Mutagen.swift.
#
#     mutagen-tags.py make FOLDER SEED ROUNDS
#     mutagen-tags.py read FILE...
#
# What is written is chosen by chance. What is read is put under names of its own here, so that a mistake in the reader's tables of
# fields is not made twice.
import base64, os, random, shutil, struct, sys
from mutagen import File, id3
from mutagen.aiff import AIFF
from mutagen.flac import FLAC, Picture
from mutagen.mp3 import MP3
from mutagen.wave import WAVE

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==")
LATIN = ["a", "The", "süß", "Ænima", "ñandú", "O'Neil", "(1)", "50 %", "A/B", "x=y", "ÿþ", "Ÿ"[:0] + "¿qué?"]
WIDE = ["Жизнь", "日本語", "𝄞 clef", "e\u0301tude", "שלום", "\ufb01ne", "Łódź", "👩‍👧"]

def words(r, latin):
    pool = LATIN if latin else LATIN + WIDE
    return " ".join(r.choice(pool) for _ in range(r.randint(1, 4)))

def several(r, latin):
    found = []
    for _ in range(r.choice([1, 1, 1, 2, 3])):
        text = words(r, latin)
        if text not in found: found.append(text)
    return found

def date(r):
    year = r.randint(1900, 2030)
    return r.choice(["%d" % year, "%d-%02d" % (year, r.randint(1, 12)),
                     "%d-%02d-%02d" % (year, r.randint(1, 12), r.randint(1, 28))])

def wish(r, latin=False):
    w = {}
    def maybe(name, value):
        if r.random() < 0.75: w[name] = value if isinstance(value, list) else [value]
    for name in ("title", "album", "comment", "lyrics", "sortTitle", "sortArtist", "sortAlbum",
                 "sortAlbumArtist", "sortComposer"):
        maybe(name, words(r, latin))
    for name in ("artist", "albumArtist", "composer"): maybe(name, several(r, latin))
    maybe("genre", r.sample(["Rock", "Folk", "Drum & Bass", "Eigene Gattung", "Jazz"], r.choice([1, 1, 2])))
    maybe("track", "%d" % r.randint(1, 99)); maybe("disc", "%d" % r.randint(1, 9))
    if "track" in w: maybe("trackCount", "%d" % r.randint(1, 99))
    if "disc" in w: maybe("discCount", "%d" % r.randint(1, 9))
    maybe("date", date(r)); maybe("bpm", "%d" % r.randint(40, 250))
    if r.random() < 0.4: w["compilation"] = ["1"]
    maybe("trackGain", "%.2f dB" % r.uniform(-15, 9)); maybe("trackPeak", "%.6f" % r.uniform(0.01, 1.2))
    maybe("albumGain", "%.2f dB" % r.uniform(-15, 9)); maybe("albumPeak", "%.6f" % r.uniform(0.01, 1.2))
    maybe("r128Track", "%d" % r.randint(-5000, 3000)); maybe("r128Album", "%d" % r.randint(-5000, 3000))
    if r.random() < 0.6: w["picture"] = [PNG.hex()]
    if r.random() < 0.4: w["gainsAsNumbers"] = ["1"]
    return w

TEXTS = {"TIT2": "title", "TALB": "album", "TPE1": "artist", "TPE2": "albumArtist", "TCOM": "composer",
         "TBPM": "bpm", "TSOT": "sortTitle", "TSOP": "sortArtist", "TSOA": "sortAlbum",
         "TSO2": "sortAlbumArtist", "TSOC": "sortComposer", "TCMP": "compilation"}
GAINS = {"replaygain_track_gain": "trackGain", "replaygain_track_peak": "trackPeak",
         "replaygain_album_gain": "albumGain", "replaygain_album_peak": "albumPeak"}

def pair(w, name):
    if name not in w: return []
    return [w[name][0] + ("/" + w[name + "Count"][0] if name + "Count" in w else "")]

def put_id3(tags, w, encoding):
    def add(frame, texts):
        if texts: tags.add(getattr(id3, frame)(encoding=encoding, text=texts))
    for frame, name in TEXTS.items(): add(frame, w.get(name))
    add("TCON", w.get("genre")); add("TDRC", w.get("date"))
    add("TRCK", pair(w, "track")); add("TPOS", pair(w, "disc"))
    if "comment" in w:
        tags.add(id3.COMM(encoding=encoding, lang="eng", desc="", text=w["comment"]))
        tags.add(id3.COMM(encoding=encoding, lang="eng", desc="made by", text=["not this one"]))
    if "lyrics" in w: tags.add(id3.USLT(encoding=encoding, lang="deu", desc="", text=w["lyrics"][0]))
    if "gainsAsNumbers" in w:
        for desc in ("track", "album"):
            gain, peak = w.get(desc + "Gain"), w.get(desc + "Peak")
            if gain and peak:
                tags.add(id3.RVA2(desc=desc, channel=1, gain=float(gain[0][:-3]), peak=float(peak[0])))
    else:
        for desc, name in GAINS.items():
            if name in w: tags.add(id3.TXXX(encoding=encoding, desc=desc, text=w[name]))
    if "picture" in w:
        tags.add(id3.APIC(encoding=encoding, mime="image/png", type=3, desc="front", data=PNG))

def id3_v22(w, encoding):
    codec = {0: "latin-1", 1: "utf-16"}[encoding]
    end = b"\0" if encoding == 0 else b"\0\0"
    out = b""
    def frame(name, data):
        nonlocal out
        out += name.encode() + struct.pack(">I", len(data))[1:] + data
    def text(name, values):
        if values: frame(name, bytes([encoding]) + end.join(v.encode(codec) for v in values))
    short = {"TIT2": "TT2", "TALB": "TAL", "TPE1": "TP1", "TPE2": "TP2", "TCOM": "TCM", "TBPM": "TBP",
             "TSOT": "TST", "TSOP": "TSP", "TSOA": "TSA", "TSO2": "TS2", "TSOC": "TSC", "TCMP": "TCP"}
    for name, old in short.items(): text(old, w.get(TEXTS[name]))
    text("TCO", w.get("genre")); text("TRK", pair(w, "track")); text("TPA", pair(w, "disc"))
    if "date" in w: text("TYE", [w["date"][0][:4]])
    for name, old, lang in (("comment", "COM", b"eng"), ("lyrics", "ULT", b"deu")):
        if name in w: frame(old, bytes([encoding]) + lang + "".encode(codec) + end + w[name][0].encode(codec))
    if "picture" in w: frame("PIC", b"\0PNG\3\0" + PNG)
    size = len(out) + 20
    safe = bytes([size >> 21 & 127, size >> 14 & 127, size >> 7 & 127, size & 127])
    return b"ID3\2\0\0" + safe + out + bytes(20)

COMMENTS = {"title": "TITLE", "album": "ALBUM", "artist": "ARTIST", "albumArtist": "ALBUMARTIST",
            "composer": "COMPOSER", "genre": "GENRE", "track": "TRACKNUMBER", "trackCount": "TRACKTOTAL",
            "disc": "DISCNUMBER", "discCount": "DISCTOTAL", "date": "DATE", "bpm": "BPM",
            "comment": "COMMENT", "lyrics": "LYRICS", "compilation": "COMPILATION",
            "sortTitle": "TITLESORT", "sortArtist": "ARTISTSORT", "sortAlbum": "ALBUMSORT",
            "sortAlbumArtist": "ALBUMARTISTSORT", "sortComposer": "COMPOSERSORT",
            "trackGain": "REPLAYGAIN_TRACK_GAIN", "trackPeak": "REPLAYGAIN_TRACK_PEAK",
            "albumGain": "REPLAYGAIN_ALBUM_GAIN", "albumPeak": "REPLAYGAIN_ALBUM_PEAK",
            "r128Track": "R128_TRACK_GAIN", "r128Album": "R128_ALBUM_GAIN"}

def put_comments(file, w, r):
    for name, field in COMMENTS.items():
        if name in w: file[field if r.random() < 0.5 else field.lower()] = w[name]
    if "picture" not in w: return
    picture = Picture()
    picture.data, picture.type, picture.mime, picture.desc = PNG, 3, "image/png", "front"
    if isinstance(file, FLAC): file.add_picture(picture)
    else: file["METADATA_BLOCK_PICTURE"] = [base64.b64encode(picture.write()).decode()]

def see(path):
    out = {}
    def note(name, values):
        values = [v for v in values if v]
        if values: out.setdefault(name, []).extend(values)
    file = File(path)
    tags = file.tags if file.tags is not None else {}
    if hasattr(tags, "getall"):
        for frame, name in TEXTS.items():
            for f in tags.getall(frame): note(name, [str(t) for t in f.text])
        for f in tags.getall("TCON"): note("genre", f.genres)
        for f in tags.getall("TDRC"): note("date", [str(t) for t in f.text])
        for frame, name in (("TRCK", "track"), ("TPOS", "disc")):
            for f in tags.getall(frame):
                number, _, count = f.text[0].partition("/")
                note(name, [number]); note(name + "Count", [count])
        for f in tags.getall("COMM"):
            if f.desc in ("", "ID3v1 Comment"): note("comment", f.text)
        for f in tags.getall("USLT"): note("lyrics", [f.text])
        for f in tags.getall("TXXX"):
            if f.desc.lower() in GAINS: note(GAINS[f.desc.lower()], f.text)
        for f in tags.getall("RVA2"):
            # Mutagen writes 16 bits of a peak, and makes a fraction with a small error of it.
            note(f.desc + "Gain", ["%r dB" % f.gain]); note(f.desc + "Peak", ["%r" % (round(f.peak * 32768) / 32768)])
        for f in tags.getall("APIC"): note("picture", [f.data.hex()])
    else:
        for name, field in COMMENTS.items(): note(name, tags.get(field, []))
        for block in tags.get("METADATA_BLOCK_PICTURE", []):
            note("picture", [Picture(base64.b64decode(block)).data.hex()])
        for picture in getattr(file, "pictures", []): note("picture", [picture.data.hex()])
    note("length", ["%.4f" % file.info.length])
    note("channels", ["%d" % file.info.channels])
    note("rate", ["%d" % getattr(file.info, "sample_rate", 48000)])
    return out

def tell(path):
    parts = [os.path.basename(path)]
    for name, values in see(path).items():
        for value in values: parts += [name, value]
    print("\x1f".join(parts))

def make(folder, seed, rounds):
    for number in range(rounds):
        r = random.Random("%d %d" % (seed, number))
        def copy(name, kind):
            path = os.path.join(folder, "%s-%d.%s" % (name, number, kind))
            shutil.copyfile(os.path.join(folder, "plain." + kind), path)
            return path
        for version in (3, 4):
            for encoding in ((0, 1) if version == 3 else (0, 1, 2, 3)):
                for kind, opened in (("mp3", MP3), ("wav", WAVE), ("aiff", AIFF)):
                    path = copy("v2%d-%d" % (version, encoding), kind)
                    file = opened(path)
                    if file.tags is None: file.add_tags()
                    put_id3(file.tags, wish(r, latin=encoding == 0), encoding)
                    if version == 3: file.tags.update_to_v23()
                    separator = r.choice([None, "/"]) if version == 3 else None
                    if kind == "mp3":
                        file.save(v2_version=version, v23_sep=separator, v1=r.choice([0, 2]))
                    else: file.save(v2_version=version, v23_sep=separator)
                    tell(path)
        for encoding in (0, 1):
            path = copy("v22-%d" % encoding, "mp3")
            tag = id3_v22(wish(r, latin=encoding == 0), encoding)
            with open(path, "rb") as f: sound = f.read()
            with open(path, "wb") as f: f.write(tag + sound)
            tell(path)
        path = copy("v1", "mp3")
        w = wish(r, latin=True)
        if "genre" in w: w["genre"] = ["Folk"]
        file = MP3(path)
        if file.tags is None: file.add_tags()
        for frame in ("title", "artist", "album"): w[frame] = [words(r, True)[:30].strip()]
        put_id3(file.tags, w, 0)
        file.tags.save(path, v1=2)
        id3.delete(path, delete_v1=False, delete_v2=True)
        tell(path)
        for kind in ("flac", "ogg", "opus", "oga"):
            path = copy("comments", kind)
            file = File(path)
            if file.tags is None: file.add_tags()
            for key in list(file.keys()): del file[key]
            put_comments(file, wish(r), r)
            file.save()
            tell(path)

if sys.argv[1] == "make": make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
else:
    for path in sys.argv[2:]: tell(path)
