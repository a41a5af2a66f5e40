// SPDX-License-Identifier: MIT

/// What the values of one message may still cost: memory, and depth of nesting.
///
/// A message of 128 MiB is legal, and one of bytes costs two dozen times that once it is values; so whoever reads or
/// writes pays from a budget first.
package struct WireBudget: Sendable {
  /// How deep containers may stand in each other, variants among them: the specification's limit.
  package static let deepest = 64
  /// What one value costs at least, its text not counted.
  package static let valueCost = MemoryLayout<WireValue>.stride
  /// Enough for an edit of 100,000 tracks.
  package static let standardLimit = 32 << 20

  /// What there was at the beginning, in bytes.
  package let limit: Int
  private var left: Int
  private var depth = 0

  /// A budget of so many bytes.
  package init(limit: Int = standardLimit) {
    self.limit = limit
    left = limit
  }

  /// Pays for one value with so many bytes of text.
  package mutating func pay(_ bytes: Int = 0) throws(WireError) {
    let cost = bytes.addingReportingOverflow(Self.valueCost)
    guard !cost.overflow, cost.partialValue <= left else { throw .tooLarge(limit: limit) }
    left -= cost.partialValue
  }

  /// Goes into a container.
  package mutating func enter() throws(WireError) {
    guard depth < Self.deepest else { throw .tooDeep }
    depth += 1
  }

  /// Comes out of it again.
  package mutating func leave() { depth -= 1 }
}
