// SPDX-License-Identifier: MIT

/// One key of a dictionary with its value.
package struct DictionaryEntry: Sendable, Hashable {
  /// The key, of a basic type.
  package var key: WireValue
  /// The value for the key.
  package var value: WireValue

  /// A value under a key.
  package init(_ key: WireValue, _ value: WireValue) {
    self.key = key
    self.value = value
  }
}
