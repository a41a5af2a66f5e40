// SPDX-License-Identifier: MIT
internal import MediaModel

/// The kinds of file that may have tags. They are told apart by their content, and MPEG that can't be recognised by its
/// content by the file's name.
enum SoundFileKind {
  case mpeg, flac, wav, aiff, caf, au
  case ogg(OggFile.Codec, stream: ArraySlice<UInt8>)

  /// The kind of what begins at an offset, behind any ID3v2 tags; nil for what isn't played.
  init?(_ file: FileBytes, at offset: Int, name: FilePath) {
    let head = file.bytes(at: offset, count: 16)
    func has(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
    let isWave = has("WAVE", at: 8)
    if has("fLaC") {
      self = .flac
    } else if let sound = OggFile.sound(file, at: offset) {
      self = .ogg(sound.codec, stream: sound.stream)
    } else if isWave && (has("RIFF") || has("RIFX") || has("RF64")) {
      self = .wav
    } else if has("FORM") && (has("AIFF", at: 8) || has("AIFC", at: 8)) {
      self = .aiff
    } else if has("caff") {
      self = .caf
    } else if has(".snd") || has("dns.") {
      self = .au
    } else if Self.isMPEG(head) || offset > 0 || ["mp3", "mp2", "mp1", "mpga"].contains(name.pathExtension) {
      self = .mpeg
    } else {
      return nil
    }
  }

  /// Reads a file of this kind from there on; false where it is broken.
  func read(_ file: FileBytes, at offset: Int, into findings: inout TagFindings) -> Bool {
    switch self {
    case .mpeg: return MPEGFile.read(file, at: offset, hasTag: offset > 0, into: &findings)
    case .wav: return WAVFile.read(file, at: offset, into: &findings)
    case .aiff: return AIFFFile.read(file, at: offset, into: &findings)
    case .caf: return CAFFile.read(file, at: offset, into: &findings)
    case .au: return AUFile.read(file, at: offset, into: &findings)
    case .flac, .ogg: return readXiph(file, at: offset, into: &findings)
    }
  }

  /// The tags of these formats are inside; ID3 before them only adds what is missing.
  private func readXiph(_ file: FileBytes, at offset: Int, into findings: inout TagFindings) -> Bool {
    let leading = findings.properties
    findings.properties = TagProperties()
    let isRead: Bool
    if case .ogg(let codec, let stream) = self {
      isRead = OggFile.read(file, (codec, stream), at: offset, into: &findings)
    } else {
      isRead = FLACFile.read(file, at: offset, into: &findings)
    }
    findings.properties.fill(from: leading)
    return isRead
  }

  /// Eleven set bits, then a version, a layer, a bit rate and a sample rate that exist.
  private static func isMPEG(_ head: [UInt8]) -> Bool {
    head.count >= 3 && head[0] == 0xff && head[1] & 0xe0 == 0xe0 && head[1] & 0x18 != 0x08
      && head[1] & 0x06 != 0 && head[2] & 0xf0 != 0xf0 && head[2] & 0x0c != 0x0c
  }
}
