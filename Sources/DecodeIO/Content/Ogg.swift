// SPDX-License-Identifier: MIT

extension Content {
  /// The beginnings of the first packets of those codecs in Ogg that are played here.
  static let oggSound = [
    [1] + Array("vorbis".utf8), Array("OpusHead".utf8), [0x7F] + Array("FLAC".utf8),
  ]

  /// This content from the first page that begins a sound, if something else stands before that page: a recording of a
  /// stream may begin with the end of another song. Nil if the content begins properly, or if no such page is near.
  func fromLaterOggStart() throws(DecodeError) -> Content? {
    // What begins like MPEG audio is taken for MPEG audio.
    guard head.first != 0xFF, has("OggS") || !isForeign else { return nil }
    let start = head.indices.first { page in
      // The letter is compared first because it is quick and seldom right.
      head[page] == UInt8(ascii: "O") && has("OggS", at: page)
        && Self.oggSound.contains { hasOggStream($0, at: page) }
    }
    guard let start, start > 0 else { return nil }
    return try Content(of: source, from: self.start + start)
  }

  /// Whether one of the streams that begin this Ogg file begins with a packet that begins with `signature`.
  ///
  /// All streams of a group announce themselves before any of them goes on, so another one, such as a Skeleton, may
  /// stand first.
  func hasOggStream(_ signature: [UInt8], at start: Int = 0) -> Bool {
    var page = start
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
