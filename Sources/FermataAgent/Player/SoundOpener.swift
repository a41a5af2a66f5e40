// SPDX-License-Identifier: MIT
import DecodeIO
import MediaModel
import PlaybackLogic

/// Turns an entry of the queue into what the producer opens.
enum SoundOpener {
  static func request(_ playing: Playing, gain: Float = 1) -> SoundRequest {
    let location = playing.entry.location
    return SoundRequest(
      id: playing.play, range: playing.entry.span.map(range), start: playing.start, gain: gain
    ) { () throws(DecodeError) -> any Decoder in
      if location == Tune.location { return try Tune.decoder() }
      return try Decoders.open(path: try path(of: location))
    }
  }

  /// Cue sheets count in parts of a second; one that goes on to the end of the file ends with it.
  private static func range(_ span: CueSpan) -> Range<Duration> {
    let start = time(span.start)
    return start..<(span.end.map(time) ?? start + .seconds(1 << 30))
  }

  private static func time(_ frame: UInt32) -> Duration { .seconds(Int(frame)) / CueSpan.framesPerSecond }

  private static func path(of location: String) throws(DecodeError) -> String {
    guard location.hasPrefix("file:") else { return location }
    do {
      let path = try FilePath(uri: location)
      guard let text = path.exactText else {
        throw DecodeError(.cannotOpen, file: location, reason: "its name is no text that can be opened here")
      }
      return text
    } catch let error as FileURIError {
      throw DecodeError(.cannotOpen, file: location, reason: "\(error)")
    } catch let error as DecodeError {
      throw error
    } catch {
      throw DecodeError(.cannotOpen, file: location, reason: "\(error)")
    }
  }
}
