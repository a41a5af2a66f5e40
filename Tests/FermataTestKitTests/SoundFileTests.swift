// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@Suite("Sounds and sound files")
struct SoundFileTests {
  private let stereo = AudioFormat(rate: 44_100, channels: 2)

  @Test("a tone has as many samples as asked for, alike in all channels, and goes on where another left off")
  func tone() {
    let whole = Tone.sine(frames: 300, stereo)
    #expect(whole.count == 600)
    #expect(whole == Tone.sine(frames: 100, stereo) + Tone.sine(frames: 200, stereo, offset: 100))
    #expect(stride(from: 0, to: 600, by: 2).allSatisfy { whole[$0] == whole[$0 + 1] })
    #expect(whole.max().map { $0 <= 0.5 && $0 > 0.49 } == true)
    #expect(Tone.chirp(frames: 10, stereo).count == 20)
  }

  @Test("a WAV header says what follows", arguments: WAVFile.Encoding.allCases)
  func header(encoding: WAVFile.Encoding) throws {
    let format = AudioFormat(rate: 96_000, channels: 3)
    let file = WAVFile.bytes([0, 0.5, -1], format, encoding)
    let width = [WAVFile.Encoding.int16: 2, .int24: 3, .float32: 4][encoding] ?? 0
    #expect(number(file, at: 4, 4) == file.count - 8)
    #expect(file.count % 2 == 0)
    #expect(number(file, at: 22, 2) == 3)
    #expect(number(file, at: 24, 4) == 96_000)
    #expect(number(file, at: 28, 4) == 96_000 * 3 * width)
    #expect(number(file, at: 32, 2) == 3 * width)
    #expect(number(file, at: 40, 4) == 0x7)  // front left, right, centre
    #expect(number(file, at: 64, 4) == 3 * width)
  }

  @Test("integers are rounded, little-endian and clipped to full scale")
  func integers() {
    let mono = AudioFormat(rate: 8000, channels: 1)
    let file16 = WAVFile.bytes([0.5, -1, 1, 2, -2], mono, .int16)
    #expect(Array(file16.dropFirst(68)) == [0, 0x40, 0, 0x80, 0xff, 0x7f, 0xff, 0x7f, 0, 0x80])
    let file24 = WAVFile.bytes([-0.5, 1], mono, .int24)
    #expect(Array(file24.dropFirst(68)) == [0, 0, 0xc0, 0xff, 0xff, 0x7f])
  }

  @Test("each encoder writes a file that begins as its kind does")
  func encoders() throws {
    let folder = try TemporaryDirectory()
    let chirp = Tone.chirp(frames: 4410, stereo)
    let files = try [
      (ToneFile.wav("a.wav", chirp, stereo, .int24, in: folder), "RIFF"),
      (ToneFile.mp3("a.mp3", chirp, stereo, flags: ["-V0", "--tt", "A title"], in: folder), "ID3"),
      (ToneFile.flac("a.flac", chirp, stereo, .int24, flags: ["-T", "TITLE=A title"], in: folder), "fLaC"),
      (ToneFile.vorbis("a.ogg", chirp, stereo, flags: ["-t", "A title"], in: folder), "OggS"),
      (ToneFile.opus("a.opus", chirp, stereo, in: folder), "OggS"),
    ]
    let head = try Program.named("head", package: "coreutils")
    for (path, magic) in files {
      #expect(try Child.run(head, ["-c", "\(magic.utf8.count)", path]) == magic, "\(path)")
    }
    let list = try Program.named("ls", package: "coreutils")
    #expect(try Child.run(list, [folder.path]).split(separator: "\n").count == files.count)
  }

  @Test("what LAME cuts out of one stream comes as one file a stretch")
  func gapless() throws {
    let folder = try TemporaryDirectory()
    let sine = Tone.sine(frames: 20_000, stereo)
    let paths = try ToneFile.gaplessMP3s(
      "album", [Array(sine[..<20_000]), Array(sine[20_000...])], stereo, in: folder)
    let size = try Program.named("stat", package: "coreutils")
    for path in paths {
      #expect(Int(try Child.run(size, ["-c%s", path]).dropLast()).map { $0 > 1000 } == true)
    }
  }

  @Test("a temporary directory is private, has what is written to it, and goes whole")
  func directory() throws {
    let list = try Program.named("stat", package: "coreutils")
    var path = ""
    do {
      let directory = try TemporaryDirectory()
      path = directory.path
      #expect(path.utf8.count < 60)
      #expect(try Child.run(list, ["-c%a", path]) == "700\n")
      try directory.makeFolder("a/b")
      let file = try directory.write("a/b/c.txt", "two words")
      let cat = try Program.named("cat", package: "coreutils")
      #expect(try Child.run(cat, [file]) == "two words")
      let link = try Program.named("ln", package: "coreutils")
      try Child.run(link, ["-s", "/etc", directory.path("a/link")])
    }
    #expect(throws: KitError.self) { try Child.run(list, [path]) }
    try Child.run(list, ["/etc/passwd"])  // a link is removed, not followed
  }

  private func number(_ bytes: [UInt8], at start: Int, _ count: Int) -> Int {
    bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
