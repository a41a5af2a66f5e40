// SPDX-License-Identifier: MIT

/// The tag that encoders write into a silent first frame: how much sound there is, and what to cut from it.
///
/// Xing's part says how many frames and bytes there are, LAME's part how many samples the encoder put before and behind
/// the sound.
struct InfoTag: Equatable {
  /// Frames of data. The one with the tag should not be counted; see `countsSoundOnly`.
  let frames: Int?
  /// Bytes from the tag's own frame on.
  let bytes: Int?
  /// LAME's part, where there is one.
  let encoder: Encoder?

  struct Encoder: Equatable {
    /// Name and version: "LAME3.100".
    let name: [UInt8]
    /// Samples before the sound.
    let delay: Int
    /// Samples behind it.
    let padding: Int
    /// Whether one sound was cut into several files, and another one comes after this.
    let hasNext: Bool
    /// Whether one sound was cut into several files, and another one comes before this.
    let hasPrevious: Bool
  }

  /// Reads the tag in a frame of layer III; nil if it has none.
  init?(frame: [UInt8], header: MPEGFrameHeader) {
    // Encoders write the tag at the same place whether there is a checksum or not.
    let start = MPEGFrameHeader.size + header.sideInformation.count
    var rest = frame.dropFirst(start)
    guard header.layer == 3, rest.starts(with: "Xing".utf8) || rest.starts(with: "Info".utf8) else {
      return nil
    }
    rest = rest.dropFirst(4)
    guard let flags = Self.number(&rest) else { return nil }
    frames = flags & 1 != 0 ? Self.number(&rest) : nil
    bytes = flags & 2 != 0 ? Self.number(&rest) : nil
    if flags & 4 != 0 { rest = rest.dropFirst(100) }
    if flags & 8 != 0 { rest = rest.dropFirst(4) }
    encoder = Encoder(Array(rest.prefix(Encoder.size)))
  }

  /// Whether `frames` certainly leaves out the frame with the tag. LAME and FFmpeg leave it out. iTunes and the encoder
  /// of mp3HD count it in, and what others do is not known.
  var countsSoundOnly: Bool { isBy("LAME", "Lavc", "Lavf") }

  /// Whether the tag's delay and padding can be trusted, because it was written by a known encoder.
  var hasKnownWriter: Bool { countsSoundOnly || isBy("iTunes") }

  private func isBy(_ names: String...) -> Bool {
    guard let encoder else { return false }
    return names.contains { encoder.name.starts(with: $0.utf8) }
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 4 else { return nil }
    defer { bytes = bytes.dropFirst(4) }
    return bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }
}

extension InfoTag.Encoder {
  fileprivate static let size = 24

  fileprivate init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size, bytes[0] != 0 else { return nil }
    name = Array(bytes[..<9])
    delay = Int(bytes[21]) << 4 | Int(bytes[22]) >> 4
    padding = (Int(bytes[22]) & 0x0F) << 8 | Int(bytes[23])
    hasNext = bytes[19] & 0x40 != 0
    hasPrevious = bytes[19] & 0x80 != 0
  }
}
