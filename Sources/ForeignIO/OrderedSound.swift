// SPDX-License-Identifier: MIT
package import ReaderModel

/// The sound that an agent's orders are about: opened, decoded, moved to a place, and given up for the next one that is opened. Where its
/// bytes come from and where its samples go is for its owner to say. Used by one thread.
package struct OrderedSound {
  private let library: ForeignLibrary
  private var sound: ForeignSound?

  package init(_ library: ForeignLibrary) { self.library = library }

  /// Carries out an order. `bytes` makes the file's bytes for a file of this size, and `decode` puts so many frames, or fewer, where the
  /// owner wants them and returns how many it were.
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
    case .seek(let frame):
      try opened().seek(to: frame)
      return .sought
    case .bytes: throw DecodeFailure(.damaged, "was not asked for")
    }
  }

  private func opened() throws(DecodeFailure) -> ForeignSound {
    guard let sound else { throw DecodeFailure(.damaged, "is not open") }
    return sound
  }
}
