// SPDX-License-Identifier: MIT

extension Content {
  /// The error for content of a known format that no decoder here plays; nil for anything else. Ask this before the
  /// decoders: they search for MPEG audio, and every large file has bytes that look like it.
  func foreign(playable: [String]) -> DecodeError? {
    foreignName.map { refusal("is \($0)", playable) }
  }

  /// The error for content that nobody recognised.
  func unknown(playable: [String]) -> DecodeError {
    refusal("is no sound that can be recognised", playable)
  }

  private func refusal(_ what: String, _ playable: [String]) -> DecodeError {
    error(.unknownContent, "\(what); fermata plays \(playable.joined(separator: ", "))")
  }

  /// Whether the format is known as one that is not played here.
  var isForeign: Bool { foreignName != nil }

  /// What a person calls the format.
  private var foreignName: String? {
    if has("OggS") { return foreignOgg }
    if has("ftyp", at: 4) { return mpeg4 }
    if has("#EXTM3U") {
      return contains("#EXT-X-") ? "an HLS list, which names the pieces of a stream" : "a playlist"
    }
    if let known = Signature.all.first(where: { has($0.bytes, at: $0.offset) }) { return known.name }
    if isTransportStream { return "an MPEG transport stream" }
    if hasADTS { return "AAC (ADTS)" }
    return hasAC3 ? "AC-3" : nil
  }

  // MARK: Containers

  /// The name of an Ogg file by a codec in it that is known; nil if one of its codecs is played here.
  private var foreignOgg: String? {
    let isOurs = Self.oggSound.contains { hasOggStream($0) }
    if isOurs { return nil }
    return Self.oggOthers.first { hasOggStream($0.signature) }?.name ?? "Ogg with a codec that is not known"
  }

  private static let oggOthers: [(signature: [UInt8], name: String)] = [
    (Array("Speex   ".utf8), "Ogg Speex"), ([0x80] + Array("theora".utf8), "Theora video without sound"),
    ([1] + Array("video".utf8), "Ogg video"), (Array("BBCD".utf8), "Dirac video"),
    (Array("CELT    ".utf8), "Ogg CELT"), (Array("PCM     ".utf8), "Ogg PCM"),
    ([0x80] + Array("kate".utf8), "Ogg with texts only"),
  ]

  /// The name of an MPEG-4 file. Its codec is named in its description, which may stand behind the sound, out of the
  /// head's reach.
  private var mpeg4: String {
    if contains("avc1") || contains("hvc1") || contains("av01") { return "MPEG-4 video" }
    if contains("alac") { return "MPEG-4 (ALAC)" }
    return contains("mp4a") ? "MPEG-4 (AAC)" : "MPEG-4 (AAC or ALAC)"
  }

  // MARK: Streams without a header of their own

  private var isTransportStream: Bool {
    head.count > 188 * 4 && (0...4).allSatisfy { head[$0 * 188] == 0x47 }
  }

  /// Two frames of AAC in a row, each of which says how long it is.
  private var hasADTS: Bool {
    func size(at offset: Int) -> Int? {
      guard offset + 7 <= head.count, head[offset] == 0xFF, head[offset + 1] & 0xF6 == 0xF0 else {
        return nil
      }
      let size = Int(head[offset + 3] & 3) << 11 | Int(head[offset + 4]) << 3 | Int(head[offset + 5]) >> 5
      return size > 7 ? size : nil
    }
    return size(at: 0).flatMap { size(at: $0) } != nil
  }

  /// Two frames of AC-3 or E-AC-3 in a row.
  private var hasAC3: Bool {
    guard has([0x0B, 0x77], at: 0), head.count > 5 else { return false }
    let (code, isEnhanced) = (Int(head[4]), head[5] >> 3 > 10)
    if isEnhanced { return has([0x0B, 0x77], at: ((Int(head[2]) & 7) << 8 | Int(head[3])) * 2 + 2) }
    guard code & 0x3F < Self.ac3Kilobits.count * 2 else { return false }
    let kilobits = Self.ac3Kilobits[(code & 0x3F) / 2]
    switch code >> 6 {
    case 0: return has([0x0B, 0x77], at: kilobits * 4)
    case 1: return has([0x0B, 0x77], at: (kilobits * 320 / 147 + code & 1) * 2)
    case 2: return has([0x0B, 0x77], at: kilobits * 6)
    default: return false
    }
  }

  private static let ac3Kilobits = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  // MARK: Looking

  private func has(_ bytes: [UInt8], at offset: Int) -> Bool {
    offset + bytes.count <= head.count && head[offset..<offset + bytes.count].elementsEqual(bytes)
  }

  /// Whether this ASCII text stands anywhere in the head.
  private func contains(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return head.indices.contains { head[$0] == bytes[0] && has(bytes, at: $0) }
  }
}

/// The bytes that a format begins with, or has at a fixed place.
private struct Signature {
  let offset: Int
  let bytes: [UInt8]
  let name: String

  private init(_ text: String, at offset: Int = 0, _ name: String) {
    self.init(Array(text.utf8), at: offset, name)
  }

  private init(_ bytes: [UInt8], at offset: Int = 0, _ name: String) {
    (self.offset, self.bytes, self.name) = (offset, bytes, name)
  }

  static let all = [sound, trackers, oldModules, video, others].flatMap { $0 }

  private static let sound = [
    Signature("wvpk", "WavPack"), Signature("MAC ", "Monkey's Audio"), Signature("MPCK", "Musepack"),
    Signature("MP+", "Musepack"), Signature("TTA1", "True Audio"), Signature("TTA2", "True Audio"),
    Signature("OFR ", "OptimFROG"), Signature("tBaK", "TAK"), Signature("ajkg", "Shorten"),
    Signature("LA0", "Lossless Audio"), Signature("ADIF", "AAC (ADIF)"), Signature("#!AMR", "AMR"),
    Signature("DSD ", "DSD (DSF)"), Signature("FRM8", "DSD (DSDIFF)"),
    Signature([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "Windows Media (WMA or WMV)"),
    Signature([0x2E, 0x72, 0x61, 0xFD], "RealAudio"), Signature(".RMF", "RealMedia (RealAudio)"),
    Signature([0x7F, 0xFE, 0x80, 0x01], "DTS"), Signature("Creative Voice File", "Creative Voice"),
    Signature("8SVX", at: 8, "Amiga 8SVX"), Signature("NIST_1A", "NIST Sphere"),
  ]

  /// Files of notes. The instruments are in the file, or the file expects the player to have them.
  private static let trackers = [
    Signature("MThd", "MIDI, notes without sound"), Signature("RMID", at: 8, "MIDI, notes without sound"),
    Signature("Extended Module: ", "a tracker module (XM)"), Signature("IMPM", "a tracker module (IT)"),
    Signature("SCRM", at: 44, "a tracker module (S3M)"), Signature("MTM", "a tracker module (MTM)"),
    Signature("PSID", "a tune for the Commodore 64 (SID)"),
    Signature("RSID", "a tune for the Commodore 64 (SID)"),
    Signature("NESM\u{1A}", "a tune for a games console (NSF)"),
    Signature("SNES-SPC700", "a tune for a games console (SPC)"),
    Signature("Vgm ", "a tune for a games console (VGM)"),
  ]

  /// The oldest modules have their mark behind the names of their instruments.
  private static let oldModules = ["M.K.", "M!K!", "FLT4", "FLT8", "4CHN", "6CHN", "8CHN", "CD81", "OKTA"].map
  {
    Signature($0, at: 1_080, "a tracker module (MOD)")
  }

  private static let video = [
    Signature([0x1A, 0x45, 0xDF, 0xA3], "Matroska or WebM"), Signature("AVI ", at: 8, "AVI video"),
    Signature("FLV\u{1}", "Flash video"), Signature([0, 0, 1, 0xBA], "MPEG video"),
    Signature([0, 0, 1, 0xB3], "MPEG video"), Signature("moov", at: 4, "QuickTime"),
    Signature("mdat", at: 4, "QuickTime"), Signature("wide", at: 4, "QuickTime"),
  ]

  private static let others = [
    Signature("[playlist]", "a playlist"), Signature("<?xml", "XML"), Signature("<html", "a web page"),
    Signature("<!DOCTYPE", "a web page"), Signature("PK\u{3}\u{4}", "a ZIP archive"),
    Signature("Rar!", "a RAR archive"), Signature([0x37, 0x7A, 0xBC, 0xAF], "a 7z archive"),
    Signature([0x1F, 0x8B, 8], "packed by gzip"), Signature("%PDF", "a PDF document"),
    Signature([0xFF, 0xD8, 0xFF], "a JPEG picture"), Signature([0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
    Signature("GIF8", "a GIF picture"), Signature([0x7F, 0x45, 0x4C, 0x46], "a program"),
  ]
}
