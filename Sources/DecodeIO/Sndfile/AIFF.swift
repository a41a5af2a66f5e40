// SPDX-License-Identifier: MIT

/// AIFF and AIFF-C.
enum AIFF: SndfileFormat {
  static let name = "AIFF"

  static func recognises(_ content: Content) -> Bool {
    content.has("FORM") && (content.has("AIFF", at: 8) || content.has("AIFC", at: 8))
  }
}
