// SPDX-License-Identifier: MIT

/// RIFF WAVE of either byte order, and its 64-bit form.
enum WAV: SndfileFormat {
  static let name = "WAV"

  static func recognises(_ content: Content) -> Bool {
    content.has("WAVE", at: 8) && (content.has("RIFF") || content.has("RIFX") || content.has("RF64"))
  }
}
