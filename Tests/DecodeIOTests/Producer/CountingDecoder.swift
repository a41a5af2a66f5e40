// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit

@testable import DecodeIO

/// A decoder of no file: each sample says which track and which frame it is.
final class CountingDecoder: Decoder {
  init(_ content: Content) throws(DecodeError) {
    throw DecodeError(.unknownContent, file: "", reason: "made for tests only")
  }

  let format: AudioFormat
  private let track: Int
  private let frames: Int
  private let failsAt: Int?
  private let tellsLength: Bool
  /// Counts the decoders that were let go.
  private let gone: Counter?
  private(set) var position = 0

  /// `track` is what its samples are counted from, times a million.
  init(
    track: Int, frames: Int, format: AudioFormat = .counting, failsAt: Int? = nil, tellsLength: Bool = true,
    gone: Counter? = nil
  ) {
    self.track = track
    self.frames = frames
    self.format = format
    self.failsAt = failsAt
    self.tellsLength = tellsLength
    self.gone = gone
  }

  deinit { gone?.increase() }

  var length: SoundLength { tellsLength ? .exact(frames) : .unknown }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    if let failsAt, position >= failsAt {
      throw DecodeError(.damaged, file: "track \(track)", reason: "torn")
    }
    let count = min(samples.count / format.channels, (failsAt ?? frames) - position, frames - position)
    for index in 0..<count * format.channels {
      samples[index] = Float(track * 1_000_000 + position + index / format.channels)
    }
    position += count
    return count
  }

  func seek(to frame: Int, goesOn _: () -> Bool) throws(DecodeError) { position = min(frame, frames) }
  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int { frames }
}

extension AudioFormat {
  static let counting = AudioFormat(rate: 8_000, channels: 1)
}

extension SoundRequest {
  static func counting(
    _ track: Int, frames: Int, format: AudioFormat = .counting, failsAt: Int? = nil,
    range: Range<Duration>? = nil,
    start: Duration = .zero, gain: Float = 1, crossfade: Crossfade = .none
  ) -> SoundRequest {
    SoundRequest(
      play: PlayID(rawValue: UInt64(track)), range: range, start: start, crossfade: crossfade, gain: { gain }
    ) {
      CountingDecoder(track: track, frames: frames, format: format, failsAt: failsAt)
    }
  }

  static func failing(_ track: Int) -> SoundRequest {
    SoundRequest(play: PlayID(rawValue: UInt64(track))) { () throws(DecodeError) -> any Decoder in
      throw DecodeError(.cannotOpen, file: "track \(track)", reason: "not there")
    }
  }
}
