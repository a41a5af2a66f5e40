// SPDX-License-Identifier: MIT

extension Content {
  /// Whether one of the streams that begin this Ogg file begins with a packet that begins with `signature`.
  ///
  /// All streams of a group announce themselves before any goes on, so that a Skeleton may stand first.
  func hasOggStream(_ signature: [UInt8]) -> Bool {
    var page = 0
    while has("OggS", at: page), page + 27 <= head.count, head[page + 5] & 0x02 != 0 {
      let segments = Int(head[page + 26])
      let packet = page + 27 + segments
      guard packet <= head.count else { return false }
      if head[packet...].starts(with: signature) { return true }
      page = packet + head[page + 27..<packet].reduce(0) { $0 + Int($1) }
    }
    return false
  }
}
