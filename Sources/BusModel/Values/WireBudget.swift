// SPDX-License-Identifier: MIT

/// How much memory and how many levels of nesting the values of one message may still use.
///
/// A message of 128 MiB is legal. One that holds only bytes takes about two dozen times that in memory once it is read
/// into values. So whoever reads or writes values pays for each from a budget first.
package struct WireBudget: Sendable {
  /// How deep containers may be nested, variants included: the specification's limit.
  package static let deepest = 64
  /// What each value costs, in bytes, apart from its text.
  package static let valueCost = MemoryLayout<WireValue>.stride
  /// Enough for an edit of 100,000 tracks.
  package static let standardLimit = 32 << 20

  /// The size of the budget at the beginning, in bytes.
  package let limit: Int
  private var left: Int
  private var depth = 0

  /// A budget of so many bytes.
  package init(limit: Int = standardLimit) {
    self.limit = limit
    left = limit
  }

  /// Pays for one value with this many bytes of text; throws if the budget is too small.
  package mutating func pay(_ bytes: Int = 0) throws(WireError) {
    let cost = bytes.addingReportingOverflow(Self.valueCost)
    guard !cost.overflow, cost.partialValue <= left else { throw .tooLarge(limit: limit) }
    left -= cost.partialValue
  }

  /// Counts one more level of nesting; throws if that is too deep.
  package mutating func enter() throws(WireError) {
    guard depth < Self.deepest else { throw .tooDeep }
    depth += 1
  }

  /// Counts one level of nesting less.
  package mutating func leave() { depth -= 1 }
}
