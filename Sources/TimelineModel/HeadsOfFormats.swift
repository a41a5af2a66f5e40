// SPDX-License-Identifier: MIT
import MediaModel

/// The facts at the beginning of a Musepack file about the length and the loudness of its sound.
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

  /// By how much the sound is to be played louder by itself; nil if the file does not tell.
  package private(set) var track: Gain?
  /// The same for the sound as a part of its album.
  package private(set) var album: Gain?

  /// A gain in dB, and the largest sample as a fraction of full scale; nil if that is not known.
  package struct Gain: Sendable, Equatable {
    package let decibels: Double
    package let peak: Double?
  }

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
    let packets = cursor
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
    readGains(packets)
  }

  /// Finds the packet with the gains among the first ones. A gain is a loudness in 256ths of a dB, which is to become 64.82 dB; a peak is in 256ths of a
  /// dB above one step of 16 bits. Zero stands for what is not known.
  private mutating func readGains(_ packets: ByteCursor) {
    var cursor = packets
    for _ in 0..<4 {
      let before = cursor.rest.count
      guard let name = cursor.take(2), let size = Self.number(&cursor) else { return }
      guard name.elementsEqual("RG".utf8) else {
        guard cursor.take(size - (before - cursor.rest.count)) != nil else { return }
        continue
      }
      let gain = { (cursor: inout ByteCursor) -> Gain? in
        guard let loudness = cursor.number(2, .bigEndian), let peak = cursor.number(2, .bigEndian),
          loudness > 0
        else { return nil }
        return Gain(
          decibels: 64.82 - Double(loudness) / 256,
          peak: peak == 0 ? nil : Self.factor(steps: peak) / 32_768)
      }
      guard cursor.take(mark: [1]) else { return }
      track = gain(&cursor)
      album = gain(&cursor)
      return
    }
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
      let flags = cursor.number(1, .littleEndian), cursor.take(1) != nil,
      let gains = cursor.take(8), let ending = cursor.number(4, .littleEndian)
    else { return nil }
    var numbers = ByteCursor(gains)
    track = Self.gain7(&numbers)
    album = Self.gain7(&numbers)
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

  /// A 256th of a dB, as a factor of the amplitude.
  private static let step = 1.0004498247918177

  /// `step` to the power of `steps`.
  private static func factor(steps: Int) -> Double {
    var (factor, power, rest) = (1.0, step, steps)
    while rest > 0 {
      if rest & 1 == 1 { factor *= power }
      power *= power
      rest >>= 1
    }
    return factor
  }

  /// A peak in steps of 16 bits and a gain in hundredths of a dB, as in version 7. Zero stands for what is not known.
  private static func gain7(_ cursor: inout ByteCursor) -> Gain? {
    guard let peak = cursor.number(2, .littleEndian), let gain = cursor.number(2, .littleEndian), gain != 0
    else { return nil }
    return Gain(
      decibels: Double(Int16(truncatingIfNeeded: gain)) / 100, peak: peak == 0 ? nil : Double(peak) / 32_768)
  }
}

/// What the header of a Windows Media file says before anything is decoded.
package enum WindowsMediaHeader {
  /// The marks of the objects that say how the packets are encrypted.
  private static let locks: [[UInt8]] = [
    [0xfb, 0xb3, 0x11, 0x22, 0x23, 0xbd, 0xd2, 0x11, 0xb4, 0xb7, 0x00, 0xa0, 0xc9, 0x55, 0xfc, 0x6e],
    [0x14, 0xe6, 0x8a, 0x29, 0x22, 0x26, 0x17, 0x4c, 0xb9, 0x35, 0xda, 0xe0, 0x7e, 0xe9, 0x28, 0x9c],
    [0x33, 0x85, 0x05, 0x43, 0x81, 0x69, 0xe6, 0x49, 0x9b, 0x74, 0xad, 0x12, 0xcb, 0x86, 0xd5, 0x8c],
  ]
  /// How many objects are looked at; a header with more was made to be slow.
  private static let mostObjects = 1_000
  /// Before the objects stand the header's own mark and size, their number and two bytes.
  private static let start = 30

  /// Whether the sound is encrypted, so that only the shop's own player can play it. `read` returns bytes of the file, fewer where it ends.
  package static func isLocked(_ read: (_ offset: Int, _ count: Int) -> [UInt8]) -> Bool {
    var header = ByteCursor(read(16, 8))
    guard let size = header.number(8, .littleEndian) else { return false }
    var offset = start
    for _ in 0..<mostObjects {
      let bytes = read(offset, 24)
      var object = ByteCursor(bytes.dropFirst(16))
      guard offset < size, let length = object.number(8, .littleEndian), length >= 24, length <= size - offset
      else { return false }
      if locks.contains(where: bytes.starts) { return true }
      offset += length
    }
    return false
  }
}
