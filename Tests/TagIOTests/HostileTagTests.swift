// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import MediaModel
import ReaderModel
import TagIO
import Testing

/// Files made to hurt. Memory is measured of the whole process, so these run one after another.
@Suite("Hostile tags", .serialized)
struct HostileTagTests {
  private let files: SoundFiles
  private let reader = TagReader()

  init() throws { files = try SoundFiles() }

  /// Reads tags and picture and gives by how much the process's peak rose meanwhile.
  private func peak(_ path: FilePath) throws -> Int {
    let descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(write(descriptor, "5", 1) == 1)
    let before = try memory("VmRSS")
    _ = try? reader.tags(of: path)
    _ = try? reader.picture(of: path)
    return try memory("VmHWM") - before
  }

  private func expectModest(_ bytes: [UInt8], _ name: String, title: String? = nil) throws {
    let path = try files.folder.file(name, bytes)
    let start = ContinuousClock.now
    let rise = try peak(path)
    #expect(rise < 96 << 20, "\(name) cost \(rise >> 20) MiB")
    #expect(start.duration(to: .now) < .seconds(10), "\(name) took \(start.duration(to: .now))")
    if let title { #expect(try reader.tags(of: path).tags.title == title, "\(name)") }
  }

  @Test("compressed frames stay packed in every file that has ID3")
  func bombs() throws {
    let bomb = ID3.frame("TPE1", ID3.bigEndian(100) + ID3.bomb(bytes: 2 << 20), flags: 0x80)
    let tag = ID3.tag([ID3.text("TIT2", "before"), bomb, ID3.text("TALB", "after")])
    try expectModest(tag + contents(of: files.tagged("mp3")), "bomb.mp3", title: "before")
    try expectModest(tag + contents(of: files.tagged("flac")), "bomb.flac", title: "Süße Töne")
    for (format, name) in [("wav", "id3 "), ("aiff", "ID3 ")] {
      let sound = try contents(of: files.folder.at("plain." + format))
      try expectModest(ID3.adding(name, tag, to: sound), "bomb." + format, title: "before")
    }
  }

  @Test("chapters within chapters are not followed")
  func nesting() throws {
    var chapter = ID3.text("TIT2", "deep")
    for _ in 0..<2_000 {
      chapter = ID3.frame("CHAP", [0x61, 0] + [UInt8](repeating: 0, count: 16) + chapter)
    }
    let tag = ID3.tag([ID3.text("TIT2", "top"), chapter])
    try expectModest(tag + contents(of: files.tagged("mp3")), "nested.mp3", title: "top")
  }

  @Test("very many small things in ID3 and APE cost what a few cost")
  func crowdsOfFrames() throws {
    let mp3 = try contents(of: files.tagged("mp3"))
    let frames = ID3.many(ID3.frame("TPE1", [0]), 400_000)
    try expectModest(ID3.tag([ID3.text("TIT2", "few"), frames]) + mp3, "frames.mp3", title: "few")
    let values = ID3.frame("TPE1", [0] + ID3.many([0x61, 0], 2 << 20))
    try expectModest(ID3.tag([ID3.text("TIT2", "few"), values]) + mp3, "values.mp3", title: "few")
    let items = ID3.many([1, 0, 0, 0, 0, 0, 0, 0, 0x61, 0x62, 0, 0x63], 500_000)
    try expectModest(mp3 + apeTag(items, count: 500_000), "items.mp3", title: "Süße Töne")
  }

  @Test("very many small things in comments and chunks cost what a few cost")
  func crowdsOfComments() throws {
    let comments =
      ID3.littleEndian(0) + ID3.littleEndian(1 << 20) + ID3.many([3, 0, 0, 0, 0x61, 0x3d, 0x62], 1 << 20)
    let flac = try contents(of: files.tagged("flac"))
    let size = ID3.bigEndian(comments.count).dropFirst()
    try expectModest(flac[..<42] + [4] + size + comments + flac[42...], "comments.flac")
    let opus = try contents(of: files.tagged("opus"))
    let first = opus[..<47]  // the page with the identification header
    let packet = Array("OpusTags".utf8) + comments
    try expectModest(first + ID3.oggPages(packet, stream: Array(opus[14..<18])), "comments.opus")
    let wav = try contents(of: files.folder.at("plain.wav"))
    try expectModest(wav + ID3.many(Array("junk\0\0\0\0".utf8), 2_000_000), "chunks.wav")
    try Tool.run("sox", files.folder.at("plain.wav").text, files.folder.at("plain.caf").text)
    let caf = try contents(of: files.folder.at("plain.caf"))
    try expectModest(caf + ID3.many(Array("junk\0\0\0\0\0\0\0\0".utf8), 2_000_000), "chunks.caf")
  }

  @Test("a tag of 200 MB that is mostly a hole still gives its title")
  func huge() throws {
    let size = 200 << 20
    let tag = ID3.tag([ID3.text("TIT2", "small")], claiming: size)
    let path = try files.folder.file("huge.mp3", tag)
    #expect(truncate(path.text, size + 10) == 0)
    #expect(try peak(path) < 100 << 20)
    #expect(try reader.tags(of: path).tags.title == "small")
  }

  @Test("sizes beyond the end of the file give what is there")
  func lies() throws {
    let tag = ID3.tag([ID3.text("TIT2", "there"), ID3.frame("TPE1", [0, 0x61])], claiming: 0xfff_ffff)
    try expectModest(tag, "lie.mp3", title: "there")
    var flac = try contents(of: files.tagged("flac"))
    flac.replaceSubrange(43..<46, with: [0xff, 0xff, 0xff])
    try expectModest(flac, "lie.flac")
    var wav = try contents(of: files.tagged("wav"))
    wav.replaceSubrange(16..<20, with: [0xff, 0xff, 0xff, 0xff])
    try expectModest(wav, "lie.wav")
    var aiff = try contents(of: files.folder.at("plain.aiff"))
    let layout = try #require((0..<aiff.count).first { aiff[$0...].starts(with: "COMM".utf8) })
    aiff.replaceSubrange(layout + 16..<layout + 26, with: [0x40, 0x3d] + [UInt8](repeating: 0x7f, count: 8))
    try expectModest(aiff, "lie.aiff")
    try Tool.run("sox", files.folder.at("plain.wav").text, files.folder.at("lie.caf").text)
    var caf = try contents(of: files.folder.at("lie.caf"))
    caf.replaceSubrange(20..<24, with: [0x43, 0xdf, 0xff, 0xff])  // 2^62 and more a second
    try expectModest(caf, "lie.caf")
  }

  @Test("a picture and a text beyond the limits are left out, the rest stays")
  func limits() throws {
    let large = SoundFiles.png + [UInt8](repeating: 7, count: TagReader.largestPicture)
    let text = String(repeating: "x", count: TagReader.longestText + 1)
    let tag = ID3.tag([
      ID3.text("TIT2", "kept"), ID3.frame("TPE1", [0] + Array(text.utf8)), ID3.picture(large),
      ID3.text("TALB", "Album"),
    ])
    let path = try files.folder.file("large.mp3", tag + contents(of: files.tagged("mp3")))
    let found = try reader.tags(of: path)
    #expect(found.tags.title == "kept")
    // The file's older tag says it.
    #expect(found.tags.artist == ["Artist"])
    #expect(!found.hasPicture)
  }

  @Test("text is kept as it came: escapes, and what is not UTF-8 mended")
  func text() throws {
    let escape = "\u{1b}]0;title\u{7}\u{1b}[31m"
    let tag = ID3.tag([
      ID3.text("TIT2", escape), ID3.frame("TPE1", [3, 0xff, 0xfe, 0x41]),
      ID3.frame("TALB", [1, 0xff, 0xfe, 0, 0xd8]),
    ])
    let found = try reader.tags(of: files.folder.file("text.mp3", tag + contents(of: files.tagged("mp3"))))
    #expect(found.tags.title == escape)
    #expect(found.tags.artist.allSatisfy { $0.contains("A") || $0.contains("\u{fffd}") })
  }

  @Test("truncated files give something or an error")
  func truncated() throws {
    for format in SoundFiles.formats {
      let bytes = try contents(of: files.tagged(format))
      for end in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
        let path = try files.folder.file("cut." + format, Array(bytes[..<end]))
        _ = try? reader.tags(of: path)
        _ = try? reader.picture(of: path)
      }
    }
  }

  @Test("2,000 mutations and random files neither crash nor hang", arguments: [1, 2] as [UInt64])
  func mutations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let start = ContinuousClock.now
    let plain = files.folder.at("plain.wav").text
    try Tool.run("flac", "-s", "--ogg", "-o", files.tagged("oga").text, files.tagged("flac").text)
    for format in ["caf", "au", "w64"] { try Tool.run("sox", plain, files.tagged(format).text) }
    let formats = SoundFiles.formats + ["oga", "caf", "au", "w64"]
    let originals = try formats.map { ($0, try contents(of: files.tagged($0))) }
    for round in 0..<1_000 {
      var (format, bytes) = originals[round % originals.count]
      if round % 10 == 9 {
        bytes =
          Array(bytes.prefix(12)) + (0..<2_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
      }
      for _ in 0..<Int.random(in: 1...16, using: &generator) {
        let range = 0..<min(bytes.count, round % 2 == 0 ? 512 : bytes.count)
        bytes[Int.random(in: range, using: &generator)] =
          [0, 0xff, .random(in: 0...255, using: &generator)]
          .randomElement(using: &generator) ?? 0
      }
      let path = try files.folder.file("mutated." + format, bytes)
      _ = try? reader.tags(of: path)
      _ = try? reader.picture(of: path)
    }
    #expect(start.duration(to: .now) < .seconds(60), "seed \(seed)")
  }

  @Test(
    "reading 1,000 files leaves no memory behind",
    .enabled(if: dlsym(nil, "__asan_init") == nil, "the sanitizer holds freed memory and finds leaks itself"))
  func noLeak() throws {
    func readAll(_ times: Int) throws {
      for round in 0..<times {
        let format = SoundFiles.formats[round % SoundFiles.formats.count]
        _ = try reader.tags(of: files.tagged(format))
        _ = try reader.picture(of: files.tagged(format))
      }
    }
    func growth() throws -> Int {
      let before = try memory("VmRSS")
      try readAll(1_000)
      return try memory("VmRSS") - before
    }
    try readAll(100)
    // What leaks grows every time; the tests beside this one take memory now and then.
    let isSteady = try (0..<8).contains { _ in try growth() < 8 << 20 }
    #expect(isSteady)
  }
}
