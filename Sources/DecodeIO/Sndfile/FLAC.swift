// SPDX-License-Identifier: MIT

/// Free Lossless Audio Codec in its own container.
enum FLAC: SndfileFormat {
  static let name = "FLAC"

  static func recognises(_ content: Content) -> Bool { content.has("fLaC") }
}
