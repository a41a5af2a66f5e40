// SPDX-License-Identifier: MIT

/// One key of a dictionary with its value.
public struct DictionaryEntry: Sendable, Hashable {
  /// The key, of a basic type.
  public var key: WireValue
  /// What stands under it.
  public var value: WireValue

  /// A value under a key.
  public init(_ key: WireValue, _ value: WireValue) {
    self.key = key
    self.value = value
  }
}
