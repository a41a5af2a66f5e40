// SPDX-License-Identifier: MIT
import MediaModel

/// The facts at the beginning of a Musepack file about the length of its sound.
///
/// A Musepack decoder's output is 481 frames late, because of the delay of its filters. FFmpeg does not cut these frames off, nor the encoder's
/// padding at the end.
package struct MusepackHeader: Sendable, Equatable {
  package let rate: Int
  package let channels: Int
  /// How many frames are to be heard; nil if the file does not tell.
  package let frames: Int?
  /// The first frame to be heard, counted from the first that a decoder delivers.
  package let start: Int

  private static let filterDelay = 481
  private static let packetSize = 1_152
  private static let rates = [44_100, 48_000, 37_800, 32_000]

  /// Reads the first bytes of a file, at most a hundred; nil if they are not a valid Musepack header.
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

  /// The part of the decoded frames that is to be heard. The end is nil if the file does not tell.
  package var cut: (start: Int, end: Int?) { (start, frames.map { start + $0 }) }

  /// Reads a file of version 8: a sequence of packets, each with a name of two letters and its size. The header is the first packet.
  private init?(version8 cursor: inout ByteCursor) {
    guard cursor.take(mark: "SH".utf8), Self.number(&cursor) != nil, cursor.take(4 + 1) != nil,
      let count = Self.number(&cursor), let silence = Self.number(&cursor),
      let rate = cursor.number(1, .bigEndian),
      let channels = cursor.number(1, .bigEndian), Self.rates.indices.contains(rate >> 5)
    else { return nil }
    self.rate = Self.rates[rate >> 5]
    self.channels = channels >> 4 + 1
    // An encoder that could not return to the header, as in a pipe, left the count at zero.
    frames = count > silence ? count - silence : nil
    start = Self.filterDelay + silence
  }

  /// A number with seven bits in each byte. The highest bit of a byte says that another one follows.
  private static func number(_ cursor: inout ByteCursor) -> Int? {
    var number = 0
    for _ in 0..<7 {
      guard let byte = cursor.number(1, .bigEndian) else { return nil }
      number = number << 7 | byte & 0x7f
      if byte & 0x80 == 0 { return number }
    }
    return nil
  }

  /// Reads a file of version 7, whose header has the number of packets, and how many frames of the last one are sound.
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
    // If the last packet is nearly full, the delay moves the end of the sound past all that FFmpeg decodes.
    frames = min(sound, decoded - Self.filterDelay)
  }
}
