// SPDX-License-Identifier: MIT
internal import CTagLib
internal import MediaModel

/// The kinds of file that may have tags, told by their content and, for MPEG without a sign, by their name.
enum SoundFileKind: Equatable {
  case mpeg, flac, vorbis, opus, wav, aiff
  /// CAF and AU: played, but without tags.
  case untagged

  /// TagLib's reader for it; nil where there are no tags to read.
  var format: ctag_format? {
    switch self {
    case .mpeg: CTAG_MPEG
    case .flac: CTAG_FLAC
    case .vorbis: CTAG_VORBIS
    case .opus: CTAG_OPUS
    case .wav: CTAG_WAV
    case .aiff: CTAG_AIFF
    case .untagged: nil
    }
  }

  /// The kind of an open file; nil for what isn't played.
  init?(_ file: borrowing RegularFile, name: FilePath) {
    var offset = 0
    var head = file.bytes(at: 0, count: 64)
    // Taggers stack ID3v2 tags by mistake; whoever stacks more than a few means no good.
    for _ in 0..<4 {
      guard let size = Self.id3Size(head) else { break }
      offset += size
      head = file.bytes(at: offset, count: 64)
    }
    if let kind = Self(magic: head) {
      self = kind
    } else if offset > 0 || ["mp3", "mp2", "mp1", "mpga"].contains(name.pathExtension) {
      self = .mpeg
    } else {
      return nil
    }
  }

  /// The kind that begins with these bytes.
  init?(magic head: [UInt8]) {
    func has(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
    if has("fLaC") {
      self = .flac
    } else if has("OggS") {
      self.init(oggPage: head)
    } else if has("RIFF") && has("WAVE", at: 8) {
      self = .wav
    } else if has("FORM") && (has("AIFF", at: 8) || has("AIFC", at: 8)) {
      self = .aiff
    } else if has("caff") || has(".snd") {
      self = .untagged
    } else if head.count >= 3 && Self.isFrameHeader(head) {
      self = .mpeg
    } else {
      return nil
    }
  }

  private init?(oggPage head: [UInt8]) {
    guard head.count > 27 else { return nil }
    let packet = head.dropFirst(27 + Int(head[26]))
    if packet.starts(with: "\u{1}vorbis".utf8) {
      self = .vorbis
    } else if packet.starts(with: "OpusHead".utf8) {
      self = .opus
    } else {
      return nil
    }
  }

  /// Eleven set bits, then a version, a layer, a bit rate and a sample rate that exist.
  private static func isFrameHeader(_ head: [UInt8]) -> Bool {
    head[0] == 0xff && head[1] & 0xe0 == 0xe0 && head[1] & 0x18 != 0x08 && head[1] & 0x06 != 0
      && head[2] & 0xf0 != 0xf0 && head[2] & 0x0c != 0x0c
  }

  /// The bytes of the whole ID3v2 tag that begins here; nil where none does.
  private static func id3Size(_ head: [UInt8]) -> Int? {
    guard head.count >= 10, head.starts(with: "ID3".utf8), head[6...9].allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    let body = head[6...9].reduce(0) { $0 << 7 | Int($1) }
    return 10 + body + (head[5] & 0x10 != 0 ? 10 : 0)
  }
}
