// SPDX-License-Identifier: MIT
import AudioModel
import DecodeIO
import FermataTestKit
import MediaModel

/// A sine that was cut in three and encoded, a file for each piece.
struct CutSine {
  /// How it was encoded.
  enum Encoding: String, CaseIterable {
    case mp3 = "MP3, LAME tags"
    case tagged = "MP3, --nogap --nogaptags"
    case untagged = "MP3, --nogap"
    case flac = "FLAC"
    case vorbis = "Vorbis"
    case opus = "Opus"
    case wav = "WAV"
    case aacEdit = "AAC, edit list"
    case aacText = "AAC, iTunSMPB"
    case aacBoth = "AAC, both"
    case aacNeither = "AAC, neither"
    case alac = "ALAC"
    case wavPack = "WavPack"
    case trueAudio = "True Audio"
    case monkeys = "Monkey's Audio"
    case opusMKA = "Opus in Matroska"

    /// Those that FFmpeg decodes for us, in another process.
    static let foreign: [Self] = [
      .aacEdit, .aacText, .aacBoth, .aacNeither, .alac, .wavPack, .trueAudio, .monkeys, .opusMKA,
    ]
    /// Those that our own decoders play.
    static let own = allCases.filter { !foreign.contains($0) }

    /// Opus knows no other rate.
    var rate: Int { self == .opus || self == .opusMKA ? 48_000 : 44_100 }
    /// Whether nothing in the files tells of what the encoder put before and behind.
    var saysNothing: Bool { self == .untagged || self == .aacNeither }
    var isLossless: Bool { [.flac, .wav, .alac, .wavPack, .trueAudio, .monkeys].contains(self) }
    /// Whether the encoder knew what follows each piece.
    var isJoined: Bool { self == .tagged || self == .untagged }
    var isMP3: Bool { self == .mp3 || isJoined }
  }

  static let period = 100.0
  // Odd, so that no piece is a whole number of anybody's blocks or of the sine's periods.
  private static let lengths = [88_211, 70_003, 61_999]
  static let total = lengths.reduce(0, +)
  /// The first frame of the second piece and of the third.
  static let joins = [lengths[0], lengths[0] + lengths[1]]
  /// How far from a join its error is looked for.
  static let reach = 2000

  let encoding: Encoding
  let format: AudioFormat
  let files: [String]
  /// The same sine in one file, by the same encoder.
  let uncut: String

  init(_ encoding: Encoding, in directory: TemporaryDirectory) throws {
    self.encoding = encoding
    let format = AudioFormat(rate: encoding.rate, channels: 2)
    self.format = format
    // It begins at its peak: a first sample of 0 could not be told from silence.
    let pieces = Self.lengths.indices.map { index in
      Tone.sine(
        Double(format.rate) / Self.period, frames: Self.lengths[index], format,
        offset: 25 + Self.lengths[..<index].reduce(0, +))
    }
    uncut = try Self.encode("uncut", Array(pieces.joined()), encoding, format, directory)
    if encoding.isJoined {
      let flags = ["-V0"] + (encoding == .tagged ? ["--nogaptags"] : [])
      files = try ToneFile.gaplessMP3s("joined", pieces, format, flags: flags, in: directory)
    } else {
      files = try pieces.enumerated().map {
        try Self.encode("piece\($0)", $1, encoding, format, directory)
      }
    }
  }

  private static func encode(
    _ name: String, _ samples: [Float], _ encoding: Encoding, _ format: AudioFormat,
    _ directory: TemporaryDirectory
  ) throws -> String {
    switch encoding {
    case .mp3, .tagged, .untagged:
      try ToneFile.mp3("\(name).mp3", samples, format, flags: ["-V0"], in: directory)
    case .flac: try ToneFile.flac("\(name).flac", samples, format, in: directory)
    case .vorbis: try ToneFile.vorbis("\(name).ogg", samples, format, flags: ["-q8"], in: directory)
    case .opus: try ToneFile.opus("\(name).opus", samples, format, in: directory)
    case .wav: try ToneFile.wav("\(name).wav", samples, format, in: directory)
    case .monkeys: try encodeByJava("\(name).ape", samples, format, directory)
    case .alac, .wavPack, .trueAudio, .opusMKA, .aacEdit, .aacText, .aacBoth, .aacNeither:
      try encodeByFFmpeg(name, samples, encoding, format, directory)
    }
  }

  /// By the one encoder of Monkey's Audio that Debian has. It needs Java, so tests do without. It takes only a header of the oldest form, and refuses
  /// others without an error.
  private static func encodeByJava(
    _ name: String, _ samples: [Float], _ format: AudioFormat, _ directory: TemporaryDirectory
  ) throws -> String {
    let target = directory.path(name)
    let workshop = try TemporaryDirectory()
    let source = try workshop.write("source.wav", WAVFile.bytes(samples, format))
    let plain = workshop.path("plain.wav")
    try Child.run(.named("sox", package: "sox"), [source, plain])
    try Child.run(.named("jmac", package: "libjmac-java"), ["c2", plain, target])
    return target
  }

  private static func encodeByFFmpeg(
    _ name: String, _ samples: [Float], _ encoding: Encoding, _ format: AudioFormat,
    _ directory: TemporaryDirectory
  ) throws -> String {
    func make(_ ending: String, _ options: String...) throws -> String {
      try ToneFile.foreign(name + ending, samples, format, options: options, in: directory)
    }
    switch encoding {
    case .alac: return try make(".m4a", "-c:a", "alac")
    case .wavPack: return try make(".wv", "-c:a", "wavpack")
    case .trueAudio: return try make(".tta", "-c:a", "tta")
    case .opusMKA: return try make(".mka", "-c:a", "libopus", "-b:a", "256k")
    default:
      let path = try make(".m4a", "-c:a", "aac", "-b:a", "256k")
      let file = try directory.bytes("\(name).m4a")
      let frames = samples.count / format.channels
      guard let edited = edited(file, encoding, frames: frames) else {
        throw KitError("\(path) is not built as FFmpeg builds them")
      }
      return try directory.write("\(name).m4a", edited)
    }
  }

  /// An M4A by FFmpeg, which has an edit list, with that or the text of iTunes or both or neither.
  private static func edited(_ file: [UInt8], _ encoding: Encoding, frames: Int) -> [UInt8]? {
    let priming = 1_024
    switch encoding {
    case .aacNeither: return MP4Boxes.without("edts", in: file)
    case .aacBoth: return MP4Boxes.withSMPB(priming: priming, length: frames, in: file)
    case .aacText:
      return MP4Boxes.without("edts", in: file).flatMap {
        MP4Boxes.withSMPB(priming: priming, length: frames, in: $0)
      }
    default: return file
    }
  }

  /// The error that the codec itself makes: at the ends of each piece by itself, or, where the encoder knew what follows,
  /// at the same places of the uncut sine.
  func ownError() throws -> Double {
    if encoding.isJoined {
      let samples = try Self.decode(uncut)
      return Self.joins.map { join in
        SineFit(samples, 20_000..<60_000, period: Self.period)
          .error(samples, join - Self.reach..<join + Self.reach)
      }.max() ?? 0
    }
    return try files.map { file in
      let samples = try Self.decode(file)
      let middle = samples.count / 2
      let fit = SineFit(samples, middle - 20_000..<middle + 20_000, period: Self.period)
      let ends = [0..<Self.reach, samples.count - Self.reach..<samples.count]
      return ends.map { fit.error(samples, $0) }.max() ?? 0
    }.max() ?? 0
  }

  /// The first channel of a file.
  private static func decode(_ path: String) throws -> [Float] {
    let decoder = try Decoders.open(FilePath(stringLiteral: path))
    let channels = decoder.format.channels
    var channel: [Float] = []
    var buffer = [Float](repeating: 0, count: 4096 * channels)
    while true {
      var span = buffer.mutableSpan
      let count = try decoder.read(into: &span)
      guard count > 0 else { return channel }
      channel += (0..<count).map { buffer[$0 * channels] }
    }
  }
}
