// SPDX-License-Identifier: MIT

/// A base that is being written to the disk, cut into parts, so that commits can go between them. A base is the whole queue as it was
/// after one command.
struct NewBase {
  /// The size of a part in bytes: small enough that a commit does not wait long behind one.
  static let partSize = 256 << 10

  private let bytes: [UInt8]
  private let first: Int64
  /// The number of the last command that it contains.
  let sequence: Int64
  let checksum: UInt64
  private var written = 0

  init(bytes: [UInt8], first: Int64, sequence: Int64) {
    self.bytes = bytes
    self.first = first
    self.sequence = sequence
    checksum = Checksum(bytes).value
  }

  private var parts: Int { max(1, (bytes.count + Self.partSize - 1) / Self.partSize) }
  /// The keys of all parts.
  var keys: Range<Int64> { first..<first + Int64(parts) }
  /// The key of the next part.
  var next: Int64 { first + Int64(written) }
  /// What is in the next part.
  var nextBytes: ArraySlice<UInt8> {
    bytes[min(bytes.count, written * Self.partSize)..<min(bytes.count, (written + 1) * Self.partSize)]
  }

  /// Goes on to the next part. Returns whether the last part is done.
  mutating func advance() -> Bool {
    written += 1
    return written == parts
  }
}
