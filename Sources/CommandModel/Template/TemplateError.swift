// SPDX-License-Identifier: MIT

/// Why a text is no template.
package struct TemplateError: Error, Hashable {
  /// What is wrong, as it stands in the text.
  package let subject: String
  /// Why it is.
  package let reason: String
  /// What to write instead.
  package let remedy: String
}
