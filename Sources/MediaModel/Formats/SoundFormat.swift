// SPDX-License-Identifier: MIT

/// The formats of sound that are played. This is the only table of them: the bytes that mark each in a file, its name for people, the extensions of its
/// files, and its MIME types.
///
/// For a new format, add a case here with its facts. The compiler then names the places that have to say who decodes it (`Decoders`) and who reads its
/// tags (`TagReader`). A format that FFmpeg decodes needs a line in `ForeignDecoder` too.
package enum SoundFormat: Sendable, CaseIterable {
  // Lossless formats come first: if several files fit the name in a CUE sheet, the one of the first format is taken.
  case flac, oggFLAC, wav, wave64, aiff, caf, au, wavPack, monkeys, trueAudio, dsf, dsdiff, vorbis, opus, mpeg
  // These containers hold various codings, and the name does not tell whether one is lossless.
  case mp4, matroska, adts, musepack, windowsMedia, ac3, dts

  private var facts: Facts {
    switch self {
    case .flac: Facts("FLAC", "flac", ["fLaC"], ["audio/flac", "audio/x-flac"])
    case .oggFLAC: Facts("Ogg FLAC", "", [.ogg("\u{7F}FLAC")], ["audio/x-flac+ogg"])
    case .wav:
      Facts(
        "WAV", "wav wave rf64", ["RIFF????WAVE", "RIFX????WAVE", "RF64????WAVE"],
        ["audio/wav", "audio/x-wav", "audio/vnd.wave"])
    // A mark of 16 bytes. Desktops have no MIME type for these files.
    case .wave64:
      Facts(
        "Wave64", "w64",
        [Mark(Array("riff".utf8) + [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 4, 0xC1, 0, 0])], [])
    case .aiff:
      Facts("AIFF", "aiff aif aifc", ["FORM????AIFF", "FORM????AIFC"], ["audio/aiff", "audio/x-aiff"])
    case .caf: Facts("CAF", "caf", ["caff"], ["audio/x-caf"])
    case .au: Facts("AU", "au snd", [".snd", "dns."], ["audio/basic"])
    case .vorbis:
      Facts(
        "Ogg Vorbis", "ogg oga", [.ogg("\u{1}vorbis")],
        ["audio/ogg", "application/ogg", "audio/x-vorbis+ogg", "audio/vorbis"])
    case .opus: Facts("Ogg Opus", "opus", [.ogg("OpusHead")], ["audio/x-opus+ogg", "audio/opus"])
    // MPEG audio has no mark: `MPEGSync` searches for its frames.
    case .mpeg: Facts("MP3 and MP2", "mp3 mp2 mpga", [], ["audio/mpeg", "audio/mp3", "audio/x-mp3"])
    // Files of these two may contain video, so `FileContent` looks further into them.
    case .mp4:
      Facts(
        "AAC and ALAC in MP4", "m4a m4b m4r alac", ["????ftyp"],
        ["audio/mp4", "audio/x-m4a", "audio/m4a", "audio/x-m4b"])
    case .matroska:
      Facts(
        "Matroska and WebM", "mka weba", [Mark([0x1A, 0x45, 0xDF, 0xA3])], ["audio/x-matroska", "audio/webm"])
    // These have no mark: `FileContent` recognises them by two frames in a row.
    case .adts: Facts("AAC (ADTS)", "aac adts", [], ["audio/aac", "audio/x-aac"])
    case .ac3: Facts("AC-3", "ac3 eac3", [], ["audio/ac3", "audio/eac3"])
    case .dts: Facts("DTS", "dts", [Mark([0x7F, 0xFE, 0x80, 0x01])], ["audio/vnd.dts"])
    case .wavPack: Facts("WavPack", "wv", ["wvpk"], ["audio/x-wavpack"])
    case .monkeys: Facts("Monkey's Audio", "ape", ["MAC "], ["audio/x-ape"])
    case .trueAudio: Facts("True Audio", "tta", ["TTA1"], ["audio/x-tta"])
    case .musepack: Facts("Musepack", "mpc mp+", ["MPCK", "MP+"], ["audio/x-musepack"])
    case .windowsMedia:
      Facts(
        "Windows Media", "wma", [Mark([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11])],
        ["audio/x-ms-wma"])
    case .dsf: Facts("DSD (DSF)", "dsf", ["DSD "], ["audio/x-dsf"])
    case .dsdiff: Facts("DSD (DSDIFF)", "dff", ["FRM8"], ["audio/x-dff"])
    }
  }

  private struct Facts {
    let name: String
    let extensions: [String]
    let marks: [Mark]
    let mimeTypes: [String]

    init(_ name: String, _ extensions: String, _ marks: [Mark], _ mimeTypes: [String]) {
      self.name = name
      self.extensions = extensions.split(separator: " ").map(String.init)
      (self.marks, self.mimeTypes) = (marks, mimeTypes)
    }
  }

  /// The format's name for a person.
  package var name: String { facts.name }
  /// The extensions of the format's files, without the dot; empty if its files are named like those of another format.
  package var extensions: [String] { facts.extensions }

  /// The names of all formats, for messages.
  package static var names: String { allCases.map(\.name).joined(separator: ", ") }

  /// All MIME types that desktops use for these formats.
  package static let mimeTypes = allCases.flatMap(\.facts.mimeTypes)

  /// The index of the file name's extension in the list of all formats' extensions. Lossless formats come first: if several files fit the name that a
  /// CUE sheet gives, the one with the lowest index is taken. Nil if no format has the extension.
  package static func rank(of name: FilePath) -> Int? { ranks[name.pathExtension] }

  private static let ranks = Dictionary(
    uniqueKeysWithValues: allCases.flatMap(\.extensions).enumerated().map { ($1, $0) })

  /// The format whose mark these bytes have; nil if they have none.
  static func marked(in head: FileHead) -> SoundFormat? {
    marks.first { _, marks in marks.contains(where: head.has) }?.format
  }

  private static let marks = allCases.map { (format: $0, marks: $0.facts.marks) }

  /// The bytes that begin the first packet of the format's Ogg stream; nil for a format that is not in Ogg.
  package var oggMark: [UInt8]? { facts.marks.first { $0.isInOgg }?.bytes }
}

/// A format that is known and not played, so that people are told its name when its files are refused.
struct ForeignFormat {
  let name: String
  let extensions: String
  let marks: [Mark]

  private init(_ name: String, _ extensions: String = "", _ marks: Mark...) {
    (self.name, self.extensions, self.marks) = (name, extensions, marks)
  }

  /// The format whose mark these bytes have; nil if they have none.
  static func marked(in head: FileHead) -> ForeignFormat? {
    all.first { $0.marks.contains(where: head.has) }
  }

  /// The name of the format that an extension means; nil if it means none of these.
  static func name(ofExtension text: String) -> String? { names[text] }

  private static let names = Dictionary(
    all.flatMap { format in format.extensions.split(separator: " ").map { (String($0), format.name) } },
    uniquingKeysWith: { first, _ in first })

  /// Whether the format with this name is not sound at all, such as a picture.
  static func isSilent(_ name: String) -> Bool { silentNames.contains(name) }

  private static let silentNames = Set(others.map(\.name))

  private static let all = ogg + sound + notes + video + others

  private static let ogg = [
    ForeignFormat("Ogg Speex", "spx", .ogg("Speex   ")),
    ForeignFormat("Theora video without sound", "ogv ogm ogx", Mark([0x80] + "theora".utf8, isInOgg: true)),
    ForeignFormat("Ogg video", "", .ogg("\u{1}video")),
    ForeignFormat("Dirac video", "", .ogg("BBCD")),
    ForeignFormat("Ogg CELT", "", .ogg("CELT    ")),
    ForeignFormat("Ogg PCM", "", .ogg("PCM     ")),
    ForeignFormat("Ogg with texts only", "", Mark([0x80] + "kate".utf8, isInOgg: true)),
  ]

  private static let matroska = "Matroska or WebM"
  private static let mpeg4Film = "MPEG-4 video"

  static func isPlayedByName(_ name: String) -> Bool { name == matroska || name == mpeg4Film }

  private static let sound = [
    ForeignFormat("MP4 that is locked (DRM)", "m4p"),
    // `FileContent` recognises this one by more than a mark.
    ForeignFormat(mpeg4Film, "mp4 m4v mov 3gp"),
    ForeignFormat("AAC (ADIF)", "", "ADIF"),
    ForeignFormat("True Audio 2", "", "TTA2"),
    ForeignFormat("OptimFROG", "ofr", "OFR "),
    ForeignFormat("TAK", "tak", "tBaK"),
    ForeignFormat("Shorten", "shn", "ajkg"),
    ForeignFormat("Lossless Audio", "", "LA0"),
    ForeignFormat("AMR", "amr awb", "#!AMR"),
    ForeignFormat("Windows Media video", "asf wmv"),
    ForeignFormat("RealAudio", "ra", Mark([0x2E, 0x72, 0x61, 0xFD])),
    ForeignFormat("RealMedia (RealAudio)", "rm", ".RMF"),
    ForeignFormat("Creative Voice", "voc", "Creative Voice File"),
    ForeignFormat("Amiga 8SVX", "", "????????8SVX"),
    ForeignFormat("NIST Sphere", "", "NIST_1A"),
  ]

  /// Files with notes instead of sound. The instruments are in the file, or the player must have them.
  private static let notes = [
    ForeignFormat("MIDI, notes without sound", "mid midi kar rmi", "MThd", "????????RMID"),
    ForeignFormat("a tracker module (XM)", "xm", "Extended Module: "),
    ForeignFormat("a tracker module (IT)", "it", "IMPM"),
    ForeignFormat("a tracker module (S3M)", "s3m", Mark(Array("SCRM".utf8), at: 44)),
    ForeignFormat("a tracker module (MTM)", "", "MTM"),
    ForeignFormat("a tune for the Commodore 64 (SID)", "sid", "PSID", "RSID"),
    ForeignFormat("a tune for a games console (NSF)", "nsf", "NESM\u{1A}"),
    ForeignFormat("a tune for a games console (SPC)", "spc", "SNES-SPC700"),
    ForeignFormat("a tune for a games console (VGM)", "vgm", "Vgm "),
    // The oldest modules have their mark after the names of their instruments.
    ForeignFormat(
      "a tracker module (MOD)", "mod", .module("M.K."), .module("M!K!"), .module("FLT4"), .module("FLT8"),
      .module("4CHN"), .module("6CHN"), .module("8CHN"), .module("CD81"), .module("OKTA")),
  ]

  private static let video = [
    ForeignFormat(matroska, "mkv webm"),
    ForeignFormat("AVI video", "avi", "????????AVI "),
    ForeignFormat("Flash video", "flv", "FLV\u{1}"),
    ForeignFormat("MPEG video", "", Mark([0, 0, 1, 0xBA]), Mark([0, 0, 1, 0xB3])),
    ForeignFormat("QuickTime", "", "????moov", "????mdat", "????wide"),
  ]

  private static let others = [
    ForeignFormat("a playlist", "", "[playlist]"),
    ForeignFormat("XML", "", Mark(Array("<?xml".utf8))),
    ForeignFormat("a web page", "", "<html", "<!DOCTYPE"),
    ForeignFormat("a ZIP archive", "", "PK\u{3}\u{4}"),
    ForeignFormat("a RAR archive", "", "Rar!"),
    ForeignFormat("a 7z archive", "", Mark([0x37, 0x7A, 0xBC, 0xAF])),
    ForeignFormat("packed by gzip", "", Mark([0x1F, 0x8B, 8])),
    ForeignFormat("a PDF document", "", "%PDF"),
    ForeignFormat("a JPEG picture", "", Mark([0xFF, 0xD8, 0xFF])),
    ForeignFormat("a PNG picture", "", Mark([0x89, 0x50, 0x4E, 0x47])),
    ForeignFormat("a GIF picture", "", "GIF8"),
    ForeignFormat("a program", "", Mark([0x7F, 0x45, 0x4C, 0x46])),
  ]
}

extension FilePath {
  /// Whether the name is that of a sound file. This is only a guess, used for files in folders; when a file is played, its content decides.
  package var looksPlayable: Bool { SoundFormat.rank(of: self) != nil }

  /// Whether the name is that of a CUE sheet.
  package var isSheet: Bool {
    // Asked of each name in a library, so no text is made of it.
    let bytes = bytes
    guard bytes.count > 4, bytes[bytes.count - 5] != .slash, bytes[bytes.count - 4] == .dot else {
      return false
    }
    return zip(bytes.suffix(3), "cue".utf8).allSatisfy { $0 | 0x20 == $1 }
  }

  /// Whether the name is that of a sound file or film of a format that is not played here. Such a file is no playlist, whatever is in it.
  package var looksForeign: Bool { foreignFormat != nil }

  /// The name for people of the format that the extension means, if that is one that is not played here; otherwise nil.
  package var foreignFormat: String? { ForeignFormat.name(ofExtension: pathExtension) }
}

/// Bytes that show a format: at a fixed offset of the file, or at the beginning of an Ogg stream's first packet.
struct Mark: ExpressibleByStringLiteral {
  let bytes: [UInt8]
  let offset: Int
  let isInOgg: Bool
  /// The byte that matches every byte of a file; nil if each byte of the mark matches only itself.
  private let wildcard: UInt8?

  init(_ bytes: [UInt8], at offset: Int = 0, isInOgg: Bool = false) {
    (self.bytes, self.offset, self.isInOgg, wildcard) = (bytes, offset, isInOgg, nil)
  }

  /// Text at the beginning of the file. A question mark in it stands for any byte.
  init(stringLiteral text: String) {
    (bytes, offset, isInOgg, wildcard) = (Array(text.utf8), 0, false, UInt8(ascii: "?"))
  }

  static func ogg(_ text: String) -> Mark { Mark(Array(text.utf8), isInOgg: true) }
  static func module(_ text: String) -> Mark { Mark(Array(text.utf8), at: 1_080) }

  /// Whether these bytes begin with the mark.
  func fits(_ front: ArraySlice<UInt8>) -> Bool {
    front.count >= bytes.count && zip(bytes, front).allSatisfy { $0 == $1 || $0 == wildcard }
  }
}
