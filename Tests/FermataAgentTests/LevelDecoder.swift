// SPDX-License-Identifier: MIT
import AudioModel
import DecodeIO
import FermataTestKit
import Glibc
import Synchronization

/// A decoder of no file: every sample has the same level, by which a recording tells whose it is.
final class LevelDecoder: Decoder {
  init(_ content: Content) throws(DecodeError) {
    throw DecodeError(.unknownContent, file: "", reason: "made for tests only")
  }

  let format: AudioFormat
  private let level: Float
  private let frames: Int
  private let gate: (gate: Gate, frame: Int)?
  private let breaksAt: Int?
  private(set) var position = 0

  /// With a gate, it has to be opened before anything behind `frame` is read. At the frame `breaksAt` it is found to be damaged.
  init(_ level: Float, frames: Int, format: AudioFormat, gate: (Gate, Int)? = nil, breaksAt: Int? = nil) {
    self.breaksAt = breaksAt
    self.level = level
    self.frames = frames
    self.format = format
    self.gate = gate.map { (gate: $0.0, frame: $0.1) }
  }

  var length: SoundLength { .exact(frames) }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    var count = min(samples.count / format.channels, frames - position)
    if let gate {
      if position >= gate.frame { gate.gate.pass() } else { count = min(count, gate.frame - position) }
    }
    if let breaksAt {
      if position >= breaksAt { throw DecodeError(.damaged, file: "broken.flac", reason: "is torn") }
      count = min(count, breaksAt - position)
    }
    for index in 0..<count * format.channels { samples[index] = level }
    position += count
    return count
  }

  func seek(to frame: Int, goesOn _: () -> Bool) throws(DecodeError) { position = min(frame, frames) }
  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int { frames }
}

extension SoundRequest {
  static func level(
    _ id: PlayID, _ level: Float, frames: Int, format: AudioFormat = AudioFormat(rate: 44_100, channels: 2),
    start: Duration = .zero, gate: (Gate, Int)? = nil, breaksAt: Int? = nil,
    crossfade: Crossfade = .none
  ) -> SoundRequest {
    SoundRequest(play: id, start: start, crossfade: crossfade) {
      LevelDecoder(level, frames: frames, format: format, gate: gate, breaksAt: breaksAt)
    }
  }
}
