// SPDX-License-Identifier: MIT

/// Recognizes a sound file by its sound. It is the same after the file was moved or its tags were edited, because it is
/// made of the length, the format and a stretch of the sound itself, and of nothing in the tags.
///
/// Two files with one fingerprint are copies of one recording, as far as anybody can tell without reading them whole.
package struct AudioFingerprint: Sendable, Hashable {
  /// How many bytes a fingerprint has.
  package static let size = 16

  private let high: UInt64
  private let low: UInt64

  /// The fingerprint of these bytes; nil if there are not 16 of them.
  package init?(rawValue: [UInt8]) {
    guard rawValue.count == Self.size else { return nil }
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    (high, low) = (number(rawValue[..<8]), number(rawValue[8...]))
  }

  /// The 16 bytes.
  package var rawValue: [UInt8] {
    [high, low].flatMap { word in (0..<8).reversed().map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
  }
}
