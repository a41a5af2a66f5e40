// SPDX-License-Identifier: MIT

/// What one exit status of a program means.
package struct ExitCodeDefinition: Sendable, Hashable {
  /// The status.
  package let code: Int32
  /// What it means, as a phrase without a full stop.
  package let meaning: String

  /// A status and its meaning.
  package init(_ code: Int32, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}
