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
