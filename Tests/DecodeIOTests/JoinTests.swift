// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import MediaModel
import Testing

@testable import DecodeIO

/// One sound cut into three files and played in a row is the sound as it was.
@Suite("A join between files")
struct JoinTests {
  static let whole = Signal.sines(rate: 44_100, channels: 2, frames: 100_777)
  static let cuts = [0, 30_000, 70_001, 100_777]
  static let parts = (0..<3).map { whole[cuts[$0]..<cuts[$0 + 1]] }

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func inputs() throws -> [String] {
    try Self.parts.indices.map { try directory.write("\($0).wav", WAVFile.bytes(Self.parts[$0])) }
  }

  /// Plays files as an album: each is joined to the one before it. Also says which were.
  private func play(_ paths: [String]) throws -> (samples: [Float], joined: [Bool]) {
    var samples: [Float] = []
    var joined: [Bool] = []
    var previous: (any Decoder)?
    for path in paths {
      let decoder = try Decoders.open(path: path)
      joined.append(previous.map { decoder.join(after: $0, if: { true }) } ?? false)
      samples += try decoder.frames()
      previous = decoder
    }
    return (samples, joined)
  }

  @Test(
    "of files encoded each for itself has no frame too many or too few, and no error but the codec's",
    arguments: [
      ("mp3", 44_100, ["lame", "--quiet", "-b", "192", "IN", "OUT"]),
      ("mp3", 44_100, ["lame", "--quiet", "-V2", "IN", "OUT"]),
      ("flac", 44_100, ["flac", "-s", "-o", "OUT", "IN"]),
      ("ogg", 44_100, ["oggenc", "-Q", "-q", "8", "-o", "OUT", "IN"]), ("wav", 44_100, ["cp", "IN", "OUT"]),
      ("opus", 48_000, ["opusenc", "--quiet", "--bitrate", "256", "IN", "OUT"]),
    ])
  func separate(kind: String, rate: Int, encoder: [String]) throws {
    func encode(_ signal: Signal, _ name: String) throws -> String {
      let input = try directory.write("\(name).in.wav", WAVFile.bytes(signal))
      let output = directory.path("\(name).\(kind)")
      try Tool.run(encoder.map { $0 == "IN" ? input : $0 == "OUT" ? output : $0 })
      return output
    }
    var whole = Self.whole
    whole.rate = rate
    let own = difference(try decode(try encode(whole, "whole")).samples, whole.samples)
    let parts = Self.parts.map { Signal(rate: rate, channels: 2, samples: $0.samples) }
    let played = try play(try parts.enumerated().map { try encode($1, "\($0)") })
    #expect(played.joined == [false, false, false])
    // Each part begins as hard as the whole does, only at another phase.
    #expect(difference(played.samples, whole.samples) <= 2 * own)
  }

  @Test("after a file that ends inside a frame is none, and nothing of the next is lost")
  func afterHalfFrame() throws {
    var paths: [String] = []
    for (index, input) in try inputs().prefix(2).enumerated() {
      paths.append(directory.path("\(index).mp3"))
      try Tool.run(["lame", "--quiet", "-t", "-b", "128", input, paths[index]])
    }
    let own = try paths.map { try decode($0).samples }
    let bytes = try contents(of: paths[0])
    let cut = try directory.write("cut.mp3", bytes.dropLast(200))
    let played = try play([cut, paths[1]])
    #expect(played.samples.suffix(own[1].count).elementsEqual(own[1]))
    #expect(played.joined == [false, false])
    #expect(try play(paths).joined == [false, true])
  }

  @Test(
    "of files cut by one run of LAME is exact, with and without tags, at constant and variable rate",
    arguments: [true, false], [["-b", "128"], ["-V2"], ["-m", "m", "-b", "32"]])
  func nogap(tags: Bool, options: [String]) throws {
    let tagging = tags ? ["--nogaptags"] : []
    try Tool.run(
      ["lame", "--quiet"] + options + tagging + ["--nogap"] + inputs() + ["--nogapout", directory.path])
    let whole = try directory.write("whole.wav", WAVFile.bytes(Self.whole))
    try Tool.run(
      ["lame", "--quiet"] + options + (tags ? [] : ["-t"]) + [whole, directory.path("whole.mp3")])
    let uncut = try decode(directory.path("whole.mp3"))
    let played = try play((0..<3).map { directory.path("\($0).mp3") })
    #expect(played.joined == [false, true, true])
    #expect(played.samples.count == uncut.samples.count)
    // LAME flushes its reservoir at each cut, so that the coding differs a little.
    #expect(difference(played.samples, uncut.samples) < 0.03)
    let own = difference(uncut.samples, Self.whole.samples)
    if tags, options[0] != "-m" { #expect(difference(played.samples, Self.whole.samples) <= own + 0.001) }
  }

  @Test("is the same as one decoder fed with all frames")
  func sameAsOneDecoder() throws {
    try Tool.run(["lame", "--quiet", "-V2", "--nogap"] + inputs() + ["--nogapout", directory.path])
    let paths = (0..<3).map { directory.path("\($0).mp3") }
    let fed = try directory.write("fed.mp3", paths.flatMap { try contents(of: $0) })
    #expect(try play(paths).samples == decode(fed).samples)
  }

  @Test("gives the second file the end of the first before its own frame 0, and seeks as ever")
  func positions() throws {
    try Tool.run(
      ["lame", "--quiet", "-V2", "--nogaptags", "--nogap"] + inputs() + ["--nogapout", directory.path])
    let first = try Decoders.open(path: directory.path("0.mp3"))
    let second = try Decoders.open(path: directory.path("1.mp3"))
    let alone = try Decoders.open(path: directory.path("1.mp3")).frames()
    #expect(second.join(after: first, if: { true }))
    #expect(second.position == -1_105)
    #expect(try second.frames(1_105).count == 1_105 * 2)
    #expect(second.position == 0)
    let joined = try second.frames()
    #expect(joined.count == alone.count)
    #expect(second.length.exactFrames == second.position)
    try second.seek(to: 20_000)
    #expect(try second.frames(500) == Array(alone[40_000..<41_000]))
  }

  @Test("is not made where another track plays before it, as in shuffle", arguments: [true, false])
  func shuffled(isNext: Bool) throws {
    try Tool.run(
      ["lame", "--quiet", "-V2", "--nogaptags", "--nogap"] + inputs() + ["--nogapout", directory.path])
    func request(_ id: PlayID, _ name: String) -> SoundRequest {
      let path = directory.path(name)
      return SoundRequest(play: id, isNeighbour: { isNext }) { () throws(DecodeError) in
        try Decoders.open(FilePath(stringLiteral: path))
      }
    }
    let line = ProductionLine()
    line.apply(.play(request(1, "1.mp3")), .follow(1, with: request(2, "1.mp3")))
    line.work()
    let frames = try Decoders.open(path: directory.path("1.mp3")).frames().count / 2
    // At a join 1,105 frames come first that are the end of the track before.
    #expect(line.log == ["began 1 at 0:0", "began 2 at 0:\(frames + (isNext ? 1_105 : 0))", "exhausted 2"])
  }

  @Test("is not made where the files do not continue each other")
  func unrelated() throws {
    let input = try inputs()
    try Tool.run(["lame", "--quiet", "-b", "128", input[0], directory.path("tagged.mp3")])
    try Tool.run(["lame", "--quiet", "-b", "128", "-t", input[1], directory.path("bare.mp3")])
    try Tool.run(["lame", "--quiet", "-b", "128", "-t", "-m", "m", input[1], directory.path("mono.mp3")])
    try Tool.run(["flac", "-s", "-o", directory.path("other.flac"), input[1]])
    for (first, second) in [("tagged", "bare"), ("bare", "tagged"), ("bare", "mono"), ("tagged", "tagged")] {
      let previous = try Decoders.open(path: directory.path("\(first).mp3"))
      let decoder = try Decoders.open(path: directory.path("\(second).mp3"))
      #expect(!decoder.join(after: previous, if: { true }), "\(first), \(second)")
      #expect(decoder.position == 0)
    }
    let flac = try Decoders.open(path: directory.path("other.flac"))
    #expect(!flac.join(after: try Decoders.open(path: directory.path("bare.mp3")), if: { true }))
  }
}
