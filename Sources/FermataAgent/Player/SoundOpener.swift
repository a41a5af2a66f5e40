// SPDX-License-Identifier: MIT
import AudioModel
import DecodeIO
import MediaModel
import PlaybackLogic
import TagIO

/// Turns an entry of the queue into what the producer opens.
enum SoundOpener {
  /// The request for a playing; the name says what its file and its loudness depend on. Its loudness is that of the tags, as the
  /// settings want it; they are read where the file is opened.
  static func request(
    _ playing: Playing, named name: String, loudness: LoudnessSettings, besideItsAlbum: Bool
  ) -> SoundRequest {
    let location = playing.entry.location
    return SoundRequest(
      id: playing.play, name: name, range: playing.entry.span.map(range), start: playing.start,
      gain: { gain(of: location, loudness, besideItsAlbum) }
    ) { () throws(DecodeError) -> any Decoder in
      if location == Tune.location { return try Tune.decoder() }
      return try open(location)
    }
  }

  /// How long the sound at a location is, where its decoder knows. Throws where it cannot be opened. Blocks.
  static func tryToOpen(_ location: String) throws(DecodeError) -> Duration? {
    let decoder = try open(location)
    return decoder.length.frames.map { decoder.format.duration(ofFrames: $0) }
  }

  /// Why the sound at a location cannot be opened; nil where it can. Blocks.
  static func refusal(of location: String) -> String? {
    do throws(DecodeError) {
      _ = try tryToOpen(location)
      return nil
    } catch {
      return error.reason
    }
  }

  /// How long the sound of an entry is, exactly. Reads all of the file where only that tells, and blocks; nil where it cannot be
  /// played.
  static func length(of entry: Entry) -> Duration? {
    guard let decoder = try? open(entry.location),
      let frames = try? decoder.measure()
    else { return nil }
    let whole = decoder.format.duration(ofFrames: frames)
    guard let range = entry.span.map(range) else { return whole }
    return max(.zero, min(range.upperBound, whole) - range.lowerBound)
  }

  private static func gain(of location: String, _ settings: LoudnessSettings, _ besideItsAlbum: Bool) -> Float
  {
    guard settings.mode != .off, location != Tune.location, let path = try? path(of: location),
      let tags = try? TagReader().tags(of: path)
    else { return 1 }
    return settings.factor(for: tags.tags.loudness, besideItsAlbum: besideItsAlbum)
  }

  /// Cue sheets count in parts of a second; one that goes on to the end of the file ends with it.
  private static func range(_ span: CueSpan) -> Range<Duration> {
    let start = time(span.start)
    return start..<(span.end.map(time) ?? start + .seconds(1 << 30))
  }

  private static func time(_ frame: UInt32) -> Duration { .seconds(Int(frame)) / CueSpan.framesPerSecond }

  private static func open(_ location: String) throws(DecodeError) -> sending any Decoder {
    let path = try path(of: location)
    return try Decoders.open(bytes: path.bytes, name: path.text)
  }

  /// A path, or a URI where the path is no text.
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
