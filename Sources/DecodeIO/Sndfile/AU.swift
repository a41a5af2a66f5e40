// SPDX-License-Identifier: MIT

/// The format of Sun and NeXT, of either byte order.
enum AU: SndfileFormat {
  static let name = "AU"

  static func recognises(_ content: Content) -> Bool { content.has(".snd") || content.has("dns.") }
}
