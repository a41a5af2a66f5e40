// SPDX-License-Identifier: MIT

/// Identifies a sound, independently of its file's name and tags. It is made from the sound's format and length and from a piece of the sound itself,
/// so it stays the same when tags or pictures change. Equal fingerprints mean copies of one sound, as far as one can tell without reading all of it.
package struct AudioFingerprint: Sendable, Hashable {
  /// How many bytes a fingerprint has.
  package static let size = 16

  // Two numbers instead of an array, because a library has a fingerprint for each file.
  private let high, low: UInt64

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// The fingerprint with these bytes; nil unless there are 16 of them.
  package init?(rawValue: [UInt8]) {
    guard rawValue.count == Self.size else { return nil }
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: number(rawValue[..<8]), low: number(rawValue[8...]))
  }

  /// The fingerprint as 16 bytes, for files and messages.
  package var rawValue: [UInt8] {
    [high, low].flatMap { number in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
    }
  }
}
