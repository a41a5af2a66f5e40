// SPDX-License-Identifier: MIT
package import AgentLoop
import AudioModel
import DecodeIO
package import MediaModel
import PlaybackLogic
package import ReaderIO
import ReaderModel
package import SourceIO

/// Opens the sounds of queue entries, and makes the requests by which the producer decodes them.
enum SoundOpener {
  /// Runs the processes that decode formats for which we have no decoder of our own. One for the whole program.
  static let outside = DecoderClient()

  /// The request to play an entry one time. `name` must differ from that of any request with another file or another loudness. The gain comes from
  /// the file's tags, which `reader` reads when the file is opened, and from these settings. If the tags have no gain, `measured` is asked.
  /// `besideItsAlbum` says whether a neighbour in the play order is of the same album; that may decide which gain counts.
  static func request(
    _ playing: Playing, named name: String, loudness: LoudnessSettings, besideItsAlbum: Bool,
    reader: ReaderClient, measured: (@Sendable (FilePath) -> Loudness?)? = nil
  ) -> SoundRequest {
    let location = playing.entry.location
    return SoundRequest(
      id: playing.play, name: name, range: playing.entry.span.map(range), start: playing.start,
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

/// Finds the sounds in the files and folders that people name. Files of a small folder are ordered by their tags.
package enum Sources {
  /// All sounds that the requests stand for; relative paths begin at `base`. Blocks on the disk. `reader` reads the tags. `job` is told which file is
  /// being looked at, and the search ends when it is cancelled.
  ///
  /// - Throws: if none of them can be played, or if a file or folder that was named does not exist.
  package static func expand(
    _ requests: [SourceRequest], from base: FilePath, reader: ReaderClient, _ job: BlockingJob = BlockingJob()
  ) throws(SourceError) -> SourceExpansion {
    for case .path(let path) in requests.prefix(1) { job.looks(at: path.text) }
    return try SourceExpander(
      base: base,
      tagsOf: { path in
        job.looks(at: path.text)
        return try? reader.tags(of: path).tags
      },
      refusal: { path in
        job.looks(at: path.text)
        return SoundOpener.refusal(of: path.location)
      }
    ).expand(requests, progress: { job.looks(at: $0.current.text) }, isCancelled: { !job.goesOn() })
  }
}

/// The properties by which the sound server and its mixers know our connections and streams.
package enum StreamIdentity {
  /// Properties of our connection to the sound server.
  package static let application = [
    "application.name": "fermata", "application.id": "org.fermata.Agent", "application.icon_name": "fermata",
  ]

  /// Properties of the music stream. Because of its role, calls silence it. Its volume is remembered under a name of its own, so that other players
  /// with the same role cannot change it.
  package static let music = [
    "media.role": "music", "module-stream-restore.id": "sink-input-by-application-id:org.fermata.Agent",
    "media.icon_name": "audio-x-generic",
  ]

  /// Properties of the connection of another program that has a player of ours inside it.
  static func application(of program: String) -> [String: String] { ["application.name": program] }

  /// Properties of the music stream of another program that has a player of ours inside it. Its volume is remembered separately from the agent's,
  /// and no agent pauses it for a lost output.
  static func music(of program: String) -> [String: String] {
    var properties = music
    properties["module-stream-restore.id"] = "sink-input-by-application-name:\(program)"
    properties[StreamProgram.selfGuardedKey] = program
    return properties
  }

  /// Properties of the pads' stream. It has a volume and a mute of its own. Its role is that of an instrument: servers leave such streams alone
  /// during calls, so none of them leaves this one muted. The pads' own session silences it instead.
  package static let pads = [
    "media.role": "production", SinkInput.padsMark: "pads",
    "module-stream-restore.id": "sink-input-by-application-id:org.fermata.Agent.Pads",
    "media.icon_name": "audio-x-generic",
  ]
}
