// SPDX-License-Identifier: MIT

/// Why a text is no template.
public struct TemplateError: Error, Hashable {
  /// What is wrong, as it stands in the text.
  public let subject: String
  /// Why it is.
  public let reason: String
  /// What to write instead.
  public let remedy: String
}
