// SPDX-License-Identifier: MIT
package import AgentLoop
import AudioModel
import DecodeIO
package import MediaModel
import PlaybackLogic
package import ReaderIO
import ReaderModel
package import SourceIO

/// Turns an entry of the queue into what the producer opens.
enum SoundOpener {
  /// The processes that decode what our own decoders do not. This program has them once, as it has threads.
  static let outside = DecoderClient()

  /// The request for a playing. `name` has to differ from that of any request with another file or another loudness. The loudness comes
  /// from the tags, by these settings; `reader` reads them when the file is opened. Where they say nothing, `measured` is asked.
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

  /// The exact length of an entry's sound; nil if it cannot be played. Blocks, and reads the whole file if only that tells.
  /// Also nil once `goesOn` answers false.
  static func length(of entry: Entry, goesOn: () -> Bool) -> Duration? {
    guard let decoder = try? open(entry.location),
      let frames = try? decoder.measure(goesOn: goesOn)
    else { return nil }
    let whole = decoder.format.duration(ofFrames: frames)
    guard let range = entry.span.map(range) else { return whole }
    return max(.zero, min(range.upperBound, whole) - range.lowerBound)
  }

  /// Whether a playing and the one before are neighbours on an album. Blocks.
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
    // Who has tagged a file knows better, so the two are never mixed.
    if loudness.isUnknown, let found = measured?(path) { loudness = found }
    return settings.factor(for: loudness, besideItsAlbum: besideItsAlbum)
  }

  /// The range in time of a cue sheet's part. A part without an end lasts to the end of its file, so it gets an end beyond any file.
  private static func range(_ span: CueSpan) -> Range<Duration> {
    let start = time(span.start)
    return start..<(span.end.map(time) ?? start + .seconds(1 << 30))
  }

  private static func time(_ frame: UInt32) -> Duration { .seconds(Int(frame)) / CueSpan.framesPerSecond }

  private static func open(_ location: String) throws(DecodeError) -> sending any Decoder {
    try Decoders.open(path(of: location), outside: outside)
  }

  /// The path of a location. The location is a path, or a URI if the path is not valid text.
  private static func path(of location: String) throws(DecodeError) -> FilePath {
    guard location.hasPrefix("file:") else {
      guard let path = FilePath(location) else {
        throw DecodeError(.cannotOpen, file: location, reason: "is no path")
      }
      return path
    }
    do throws(FileURIError) { return try FilePath(uri: location) } catch {
      throw DecodeError(.cannotOpen, file: location, reason: "\(error)")
    }
  }
}

/// Finds what is to be played in the files and folders that people name. Small folders are ordered by the tags of their files.
package enum Sources {
  /// Everything that the requests stand for; relative paths begin at `base`. Blocks on the disk. `reader` reads the tags. `job` is told
  /// what is looked at, and the search ends when it is cancelled.
  ///
  /// - Throws: if nothing can be played, or if something that was named does not exist.
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

/// How the sound server knows us.
package enum StreamIdentity {
  /// Properties of our connection to the sound server.
  package static let application = [
    "application.name": "fermata", "application.id": "org.fermata.Agent", "application.icon_name": "fermata",
  ]

  /// Properties of the music stream. Because of its role, calls silence it. Its volume is kept under a name of its own, so that other
  /// players with the same role cannot change it.
  package static let music = [
    "media.role": "music", "module-stream-restore.id": "sink-input-by-application-id:org.fermata.Agent",
    "media.icon_name": "audio-x-generic",
  ]

  /// Properties of the connection of somebody else's program that has a player of ours inside.
  static func application(of program: String) -> [String: String] { ["application.name": program] }

  /// Properties of the music stream of such a program, with a volume of its own.
  static func music(of program: String) -> [String: String] {
    var properties = music
    properties["module-stream-restore.id"] = "sink-input-by-application-name:\(program)"
    return properties
  }

  /// Properties of the pads' stream. It has a volume and a mute of its own. Its role is that of an instrument, which servers leave alone
  /// during calls: the pads' session decides what becomes of it, so no server can leave it muted.
  package static let pads = [
    "media.role": "production", padsMark: "pads",
    "module-stream-restore.id": "sink-input-by-application-id:org.fermata.Agent.Pads",
    "media.icon_name": "audio-x-generic",
  ]

  private static let padsMark = "org.fermata.stream"

  /// Whether a stream is that of our pads. It is no stranger's, and says nothing about where the music goes.
  static func isPads(_ input: SinkInput) -> Bool { input.properties[padsMark] != nil }
}
