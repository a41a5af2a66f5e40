// SPDX-License-Identifier: MIT

/// Why a text is not a valid template.
package struct TemplateError: Error, Hashable {
  /// The wrong part, as it is written in the text.
  package let subject: String
  /// Why it is wrong.
  package let reason: String
  /// What to write instead.
  package let remedy: String
}
