// SPDX-License-Identifier: MIT
import MediaModel

/// What the beginning of a Musepack file says about the time in which its sound lies.
///
/// A Musepack decoder gives what went into the encoder 481 frames late: so long is the delay of its filters. FFmpeg leaves them in, and
/// the encoder's padding at the end as well.
package struct MusepackHeader: Sendable, Equatable {
  package let rate: Int
  package let channels: Int
  /// How many frames are to be heard; nil where the file does not say.
  package let frames: Int?
  /// The frame with which they begin, counted from the first that a decoder gives.
  package let start: Int

  private static let filterDelay = 481
  private static let packetSize = 1_152
  private static let rates = [44_100, 48_000, 37_800, 32_000]

  /// Reads the first bytes of a file, a hundred at most; nil if they are not Musepack's, or make no sense.
  package init?(_ bytes: [UInt8]) {
    var cursor = ByteCursor(bytes.prefix(100))
    if cursor.take(mark: "MPCK".utf8) {
      self.init(version8: &cursor)
    } else if cursor.take(mark: "MP+".utf8) {
      self.init(version7: &cursor)
    } else {
      return nil
    }
  }

  /// Which part of what a decoder gives is to be heard, in frames. The end is nil where the file does not tell.
  package var cut: (start: Int, end: Int?) { (start, frames.map { start + $0 }) }

  /// Version 8 is a row of packets, each with a name of two letters and its size. The header is the first one.
  private init?(version8 cursor: inout ByteCursor) {
    guard cursor.take(mark: "SH".utf8), Self.number(&cursor) != nil, cursor.take(4 + 1) != nil,
      let count = Self.number(&cursor), let silence = Self.number(&cursor),
      let rate = cursor.number(1, .bigEndian),
      let channels = cursor.number(1, .bigEndian), Self.rates.indices.contains(rate >> 5)
    else { return nil }
    self.rate = Self.rates[rate >> 5]
    self.channels = channels >> 4 + 1
    // An encoder that could not go back to the header does not know how much it wrote.
    frames = count > silence ? count - silence : nil
    start = Self.filterDelay + silence
  }

  /// A number in pieces of seven bits. The highest bit of a byte says that more follow.
  private static func number(_ cursor: inout ByteCursor) -> Int? {
    var number = 0
    for _ in 0..<7 {
      guard let byte = cursor.number(1, .bigEndian) else { return nil }
      number = number << 7 | byte & 0x7f
      if byte & 0x80 == 0 { return number }
    }
    return nil
  }

  /// Version 7 counts packets, and says of the last how many of its frames are sound.
  private init?(version7 cursor: inout ByteCursor) {
    guard cursor.take(1) != nil, let packets = cursor.number(4, .littleEndian), packets > 0,
      cursor.take(2) != nil,
      let flags = cursor.number(1, .littleEndian), cursor.take(1 + 8) != nil,
      let ending = cursor.number(4, .littleEndian)
    else { return nil }
    rate = Self.rates[flags & 3]
    channels = 2
    start = Self.filterDelay
    let decoded = packets * Self.packetSize
    let last = ending >> 20 & 0x7ff
    let isStated = ending >> 31 != 0 && (1...Self.packetSize).contains(last)
    let sound = isStated ? decoded - Self.packetSize + last : decoded
    // Where the last packet is nearly full, the delay pushes the sound's end out of all that FFmpeg decodes.
    frames = min(sound, decoded - Self.filterDelay)
  }
}
