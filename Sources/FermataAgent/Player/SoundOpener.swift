// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import DecodeIO
import MediaModel
import PlaybackLogic
import ReaderIO
import ReaderModel
import SourceIO

/// Opens the sounds of queue entries, and makes the requests by which the producer decodes them.
enum SoundOpener {
  /// Runs the processes that decode formats for which we have no decoder of our own. One for the whole program.
  static let outside = DecoderClient()

  /// The request to play an entry one time. `key` must differ from that of any request with another file or another loudness. The gain comes from
  /// the file's tags, which `reader` reads when the file is opened, and from these settings. If the tags have no gain, `measured` is asked.
  /// `besideItsAlbum` says whether a neighbour in the play order is of the same album; that may decide which gain counts.
  static func request(
    _ playing: Playing, key: SoundKey, loudness: LoudnessSettings, besideItsAlbum: Bool,
    reader: ReaderClient, measured: (@Sendable (FilePath) -> Loudness?)? = nil
  ) -> SoundRequest {
    let location = playing.entry.location
    return SoundRequest(
      play: playing.play, key: key, range: playing.entry.span.map(range), start: playing.start,
      crossfade: playing.crossfade, isNeighbour: { isNeighbour(playing, reader) },
      gain: { gain(of: location, loudness, besideItsAlbum, reader, measured) }
    ) { () throws(DecodeError) -> any Decoder in
      if location == Tune.location { return try Tune.decoder() }
      return try open(location)
    }
  }

  /// Opens the sound at a location and returns its length; nil if the decoder does not know it. Throws if it cannot be opened. Blocks.
  static func tryToOpen(_ location: String) throws(DecodeError) -> Duration? {
    let decoder = try open(location)
    return decoder.length.frames.map { decoder.format.duration(ofFrames: $0) }
  }

  /// Why the sound at a location cannot be opened; nil if it can. Blocks.
  static func refusal(of location: String) -> String? {
    do throws(DecodeError) {
      _ = try tryToOpen(location)
      return nil
    } catch {
      return error.reason
    }
  }

  /// The exact length of an entry's sound; nil if it cannot be played. Blocks, and reads the whole file if the length cannot be found otherwise. Ends
  /// early with nil once `goesOn` returns false.
  static func length(of entry: Entry, goesOn: () -> Bool) -> Duration? {
    guard let decoder = try? open(entry.location),
      let frames = try? decoder.measure(goesOn: goesOn)
    else { return nil }
    let whole = decoder.format.duration(ofFrames: frames)
    return entry.span.map { $0.length(in: whole) ?? .zero } ?? whole
  }

  /// Whether the track of a playing and the track before it are neighbours on an album. Blocks.
  private static func isNeighbour(_ playing: Playing, _ reader: ReaderClient) -> Bool {
    guard let neighbour = playing.neighbour else { return false }
    let (tags, neighbours) = (tags(of: playing.entry, reader), tags(of: neighbour, reader))
    return playing.entry.isOfOneAlbum(with: neighbour, tags: tags, neighbours: neighbours)
  }

  private static func tags(of entry: Entry, _ reader: ReaderClient) -> MediaTags {
    let path = try? path(of: entry.location)
    return path.flatMap { try? reader.tags(of: $0).tags } ?? MediaTags()
  }

  private static func gain(
    of location: String, _ settings: LoudnessSettings, _ besideItsAlbum: Bool, _ reader: ReaderClient,
    _ measured: (@Sendable (FilePath) -> Loudness?)?
  ) -> Float {
    guard settings.mode != .off, location != Tune.location, let path = try? path(of: location) else {
      return 1
    }
    var loudness = (try? reader.tags(of: path).tags.loudness) ?? Loudness()
    // Gains in the tags are trusted more than measured ones, and the two are never mixed.
    if loudness.isUnknown, let found = measured?(path) { loudness = found }
    return settings.factor(for: loudness, besideItsAlbum: besideItsAlbum)
  }

  /// The times between which a cue sheet's part of a file lies. A part without an end lasts to the end of its file, so its end is later than any
  /// file.
  private static func range(_ span: CueSpan) -> Range<Duration> {
    let (start, end) = span.times(in: nil)
    return start..<(end ?? start + .seconds(1 << 30))
  }

  private static func open(_ location: String) throws(DecodeError) -> sending any Decoder {
    try Decoders.open(path(of: location), outside: outside)
  }

  /// The path at a location, which is a path, or a URI if the path is not valid text.
  private static func path(of location: String) throws(DecodeError) -> FilePath {
    guard let path = FilePath(location: location) else {
      throw DecodeError(.cannotOpen, file: location, reason: "is no path")
    }
    return path
  }
}

/// A short tune that is part of the program, for a user who wants to hear something and names no file.
package enum Tune {
  /// The location of a queue entry that stands for the tune.
  package static let location = "fermata:tune"

  private static let rate = 44_100
  /// Each note's pitch in half tones above a′, and its length in beats. The last note is held: a fermata.
  private static let notes: [(pitch: Int, beats: Double)] = [
    (-5, 1), (0, 1), (4, 1), (7, 1.5), (5, 0.5), (4, 1), (2, 1), (0, 1), (-1, 1), (0, 3),
  ]
  private static let beat = 0.4

  /// A decoder for the tune, made as a WAV file in memory.
  static func decoder() throws(DecodeError) -> any Decoder {
    try Decoders.open(MemorySource(name: "a tune", bytes: file()))
  }

  private static func samples() -> [Float] {
    notes.flatMap { note in
      let frames = Int(Double(rate) * beat * note.beats)
      let frequency = 440 * exp2(Double(note.pitch) / 12)
      return (0..<frames).map {
        Float(0.25 * tone(frequency, Double($0) / Double(rate), of: Double(frames) / Double(rate)))
      }
    }
  }

  /// A sound like that of a plucked string: a sine with two overtones that dies away, and ends without a click.
  private static func tone(_ frequency: Double, _ time: Double, of length: Double) -> Double {
    let phase = 2 * Double.pi * frequency * time
    let string = sine(phase) + 0.4 * sine(2 * phase) + 0.15 * sine(3 * phase)
    return string * min(1, time * 200) * min(1, (length - time) * 40) / (1 + 3 * time)
  }

  private static func file() -> [UInt8] {
    let data = samples().flatMap { sample -> [UInt8] in little(UInt16(bitPattern: Int16(sample * 32_767)), 2)
    }
    let format =
      little(1, 2) + little(1, 2) + little(rate, 4) + little(rate * 2, 4) + little(2, 2) + little(16, 2)
    return Array("RIFF".utf8) + little(36 + data.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + format
      + Array("data".utf8) + little(data.count, 4) + data
  }

  private static func little(_ value: some BinaryInteger, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  // The standard library has no sine, and one tune is not worth a dependency.
  private static func sine(_ phase: Double) -> Double {
    let x = phase.remainder(dividingBy: 2 * .pi)
    let square = x * x
    return x
      * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110)))))
  }

  private static func exp2(_ exponent: Double) -> Double {
    // Exponents are always twelfths here, so powers of the twelfth root of two are enough.
    let root = 1.059_463_094_359_295_3
    let steps = Int((exponent * 12).rounded())
    return (0..<abs(steps)).reduce(1) { power, _ in steps < 0 ? power / root : power * root }
  }
}

/// A file that exists only in memory, which a decoder can read.
private final class MemorySource: ByteSource {
  let name: String
  private let bytes: [UInt8]

  init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  var size: Int { bytes.count }

  func read(_ count: Int, at offset: Int, into target: inout MutableRawSpan) throws(DecodeError) -> Int {
    let count = max(0, min(count, size - offset))
    for index in 0..<count {
      target.storeBytes(of: bytes[offset + index], toByteOffset: index, as: UInt8.self)
    }
    return count
  }
}
