// SPDX-License-Identifier: MIT

/// A text within a block that it shares with its neighbours.
///
/// A `String` of 60 bytes is an allocation of 112; of the blocks here nearly every byte is text. A block
/// lives as long as one of its texts, and is small, so that a lone survivor does not keep much.
struct PackedText: Sendable {
  /// How large a block may get; a longer text has one to itself.
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
  /// The text itself, made anew at each call.
  var string: String { String(decoding: utf8, as: UTF8.self) }

  /// The same texts, packed close.
  static func packing(_ texts: some Collection<String>) -> [PackedText] { packing(texts.lazy.map(\.utf8)) }

  /// Texts in UTF-8, packed close.
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
    // A copy has no room to spare, which the array that grew has.
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
