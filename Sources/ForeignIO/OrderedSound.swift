// SPDX-License-Identifier: MIT
package import ReaderModel

/// A sound that an agent's orders apply to: opened, decoded, moved to a place, and dropped when the next one is opened. The caller's functions supply
/// its bytes and take its samples. Used by one thread.
package struct OrderedSound {
  private let library: ForeignLibrary
  private var sound: ForeignSound?

  package init(_ library: ForeignLibrary) { self.library = library }

  /// Carries out an order. `bytes` makes the source that a new sound is read from, given the file's size. `decode` has the sound decode up to `frames`
  /// frames into memory of the caller's choice, and returns how many there were.
  package mutating func carryOut(
    _ order: DecodeOrder, bytes: (_ size: Int) -> ForeignBytes,
    decode: (ForeignSound, _ frames: Int) throws(DecodeFailure) -> Int
  ) throws(DecodeFailure) -> DecodeReply {
    switch order {
    case .open(let container, let size):
      sound = nil
      let opened = try ForeignSound(container, bytes(size), library)
      sound = opened
      return .opened(opened.sound)
    case .decode(let frames): return .frames(try decode(try opened(), frames))
    case .drop(let frames): return .frames(unsafe try opened().read(frames, into: nil))
    case .seek(let frame): return .sought(framesLeft: try opened().seek(to: frame))
    case .bytes: throw DecodeFailure(.damaged, "was not asked for")
    }
  }

  private func opened() throws(DecodeFailure) -> ForeignSound {
    guard let sound else { throw DecodeFailure(.damaged, "is not open") }
    return sound
  }
}
