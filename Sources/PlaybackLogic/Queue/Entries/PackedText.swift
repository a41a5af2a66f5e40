// SPDX-License-Identifier: MIT

/// A text that is part of a block of bytes, which it shares with its neighbours.
///
/// This saves memory: a `String` of 60 bytes takes an allocation of 112, but nearly every byte of a block is text. A block lives
/// as long as one of its texts is used. Blocks are small, so a single remaining text does not keep much memory in use.
struct PackedText: Sendable {
  /// The largest size of a shared block, in bytes. A longer text has a block to itself.
  static let blockSize = 4_096

  private let block: [UInt8]
  private let start: UInt32
  private let length: UInt32

  /// A text in a block of its own.
  init(_ text: String) { self.init(block: Array(text.utf8), start: 0, length: text.utf8.count) }

  private init(block: [UInt8], start: Int, length: Int) {
    self.block = block
    self.start = UInt32(start)
    self.length = UInt32(length)
  }

  /// The text in UTF-8.
  var utf8: ArraySlice<UInt8> { block[Int(start)..<Int(start) + Int(length)] }
  /// The text. Makes a new string at each call.
  var string: String { String(decoding: utf8, as: UTF8.self) }

  /// Packs these texts into shared blocks, in this order.
  static func packing(_ texts: some Collection<String>) -> [PackedText] { packing(texts.lazy.map(\.utf8)) }

  /// Packs these texts, given in UTF-8, into shared blocks, in this order.
  static func packing(_ texts: some Collection<some Collection<UInt8>>) -> [PackedText] {
    var packed: [PackedText] = []
    packed.reserveCapacity(texts.count)
    var filling: [UInt8] = []
    var lengths: [Int] = []
    for text in texts {
      if !filling.isEmpty, filling.count + text.count > blockSize {
        seal(&filling, &lengths, into: &packed)
      }
      filling.append(contentsOf: text)
      lengths.append(text.count)
    }
    seal(&filling, &lengths, into: &packed)
    return packed
  }

  private static func seal(_ filling: inout [UInt8], _ lengths: inout [Int], into packed: inout [PackedText])
  {
    // A copy has exactly the needed capacity, but the array that grew has some to spare.
    let block = Array(filling[...])
    var start = 0
    for length in lengths {
      packed.append(PackedText(block: block, start: start, length: length))
      start += length
    }
    filling.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
  }
}

extension PackedText: Hashable {
  static func == (left: PackedText, right: PackedText) -> Bool { left.utf8 == right.utf8 }
  func hash(into hasher: inout Hasher) { hasher.combine(utf8) }
}
