// SPDX-License-Identifier: MIT

/// What one exit status of a program means.
public struct ExitCodeDefinition: Sendable, Hashable {
  /// The status.
  public let code: Int32
  /// What it says, as a phrase without a full stop.
  public let meaning: String

  /// A status and its meaning.
  public init(_ code: Int32, _ meaning: String) {
    self.code = code
    self.meaning = meaning
  }
}
