// SPDX-License-Identifier: MIT
import AudioModel

/// Free Lossless Audio Codec in its own container or in Ogg, on libFLAC: libsndfile knows neither 32 bits nor
/// Ogg.
final class FLACDecoder: Decoder {
  static let formatName = "FLAC"
  static func recognises(_ content: Content) -> Bool { content.has("fLaC") || isOgg(content) }

  let format: AudioFormat
  private(set) var length: SoundLength
  private(set) var position = 0

  private let handle: FLACHandle
  private var isAtEnd = false

  init(_ content: Content) throws(DecodeError) {
    let handle = try FLACHandle(content, isOgg: Self.isOgg(content))
    let blocks = handle.blocks
    try content.check(channels: blocks.channels)
    format = try content.format(rate: blocks.rate, layout: .usual(channels: blocks.channels))
    // If the length is not stated, one block is decoded to see whether there is sound. It is kept for the first read.
    let isStated = blocks.statedFrames > 0
    let hasSound = isStated ? true : try handle.nextBlock()
    length = isStated ? .exact(blocks.statedFrames) : hasSound ? .unknown : .exact(0)
    self.handle = handle
  }

  func read(into samples: inout MutableSpan<Float>) throws(DecodeError) -> Int {
    let room = samples.count / format.channels
    precondition(room > 0, "no room for a frame")
    if isAtEnd { return 0 }
    guard try handle.nextBlock() else {
      try end()
      return 0
    }
    // Blocks that were lost to damage leave a hole; what follows keeps its position.
    position = handle.blocks.position
    let frames = handle.blocks.take(frames: room, into: &samples)
    position += frames
    return frames
  }

  func seek(to frame: Int) throws(DecodeError) {
    precondition(frame >= 0, "a sound has no frame \(frame)")
    let target = min(frame, try measure())
    isAtEnd = target == length.exactFrames
    if !isAtEnd { try handle.seek(to: target) }
    position = target
  }

  func measure() throws(DecodeError) -> Int { try measure { true } }

  func measure(goesOn: () -> Bool) throws(DecodeError) -> Int {
    if let frames = length.exactFrames { return frames }
    let place = position
    while try handle.nextBlock() {
      guard goesOn() else { throw .calledOff(file: handle.name) }
      position = handle.blocks.position + handle.blocks.framesLeft
      handle.blocks.drop()
    }
    let frames = position
    length = .exact(frames)
    try seek(to: place)
    return frames
  }

  private static func isOgg(_ content: Content) -> Bool { content.hasOggStream([0x7F] + "FLAC".utf8) }

  private func end() throws(DecodeError) {
    guard let stated = length.exactFrames else {
      length = .exact(position)
      return
    }
    guard position < stated else { return }
    throw handle.error(.cutShort, "ends after \(position) frames, though it says that there are \(stated)")
  }
}
