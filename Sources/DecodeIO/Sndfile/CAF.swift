// SPDX-License-Identifier: MIT

/// Core Audio Format.
enum CAF: SndfileFormat {
  static let name = "CAF"

  static func recognises(_ content: Content) -> Bool { content.has("caff") }
}
