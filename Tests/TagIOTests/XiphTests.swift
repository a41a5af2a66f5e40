// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import MediaModel
import ReaderModel
import TagIO
import Testing

@Suite("FLAC, Vorbis and Opus as strangers write them")
struct XiphTests {
  private let files: SoundFiles
  private let reader = TagReader()

  init() throws { files = try SoundFiles() }

  /// A stream that is no sound: its beginning, and a page of it for later.
  private let other = ID3.oggPages(
    Array("fishead\0".utf8) + [0, 0], beginsStream: true, stream: [9, 9, 9, 9])
  private let otherPage = ID3.oggPages([1, 2, 3], stream: [9, 9, 9, 9], position: 1 << 40)

  /// Where the first page of a file ends.
  private func endOfFirstPage(_ bytes: [UInt8]) -> Int {
    27 + Int(bytes[26]) + bytes[27..<27 + Int(bytes[26])].reduce(0) { $0 + Int($1) }
  }

  @Test("Ogg FLAC has its tags, its picture and its length")
  func oggFLAC() throws {
    let path = files.folder.at("ogg.oga")
    try Tool.run("flac", "-s", "--ogg", "-o", path.text, files.tagged("flac").text)
    let found = try reader.tags(of: path)
    #expect(found.tags == (try reader.tags(of: files.tagged("flac")).tags))
    #expect(found.tags.title == "Süße Töne")
    #expect(found.format?.rate == 44_100)
    #expect(try reader.picture(of: path)?.bytes == SoundFiles.png)
  }

  @Test("a recording that begins with the end of another song has its own tags", arguments: ["ogg", "opus"])
  func endOfAnother(format: String) throws {
    let plain = files.tagged(format)
    let end = ID3.oggPages([1, 2, 3], stream: [9, 9, 9, 9], position: 1 << 40)
    let path = try files.folder.file("recorded." + format, end + contents(of: plain))
    #expect(try reader.tags(of: path).tags == reader.tags(of: plain).tags)
  }

  @Test("a stream beside the sound changes nothing", arguments: ["ogg", "opus", "oga"])
  func beside(format: String) throws {
    let plain = files.tagged(format)
    if format == "oga" {
      try Tool.run("flac", "-s", "--ogg", "-o", plain.text, files.tagged("flac").text)
    }
    let bytes = try contents(of: plain)
    let end = endOfFirstPage(bytes)
    let (first, rest) = (Array(bytes[..<end]), Array(bytes[end...]))
    let before = ID3.joined(other, first, otherPage, rest, otherPage)
    let after = ID3.joined(first, other, otherPage, rest)
    for (name, mixed) in [("before", before), ("after", after)] {
      let path = try files.folder.file("\(name).\(format)", mixed)
      #expect(try reader.tags(of: path).tags == reader.tags(of: plain).tags, "\(name)")
      #expect(try reader.picture(of: path) == reader.picture(of: plain), "\(name)")
    }
  }

  @Test("a recording that begins late is as long as what there is of it", arguments: ["ogg", "opus"])
  func late(format: String) throws {
    let bytes = try contents(of: files.tagged(format))
    var late = bytes
    var page = 0
    while let next = (page + 1..<bytes.count - 4).first(where: { bytes[$0...].starts(with: "OggS".utf8) }) {
      page = next
      // 2^22 frames later, where the page counts any.
      if bytes[page + 6..<page + 14].contains(where: { $0 != 0 }) { late[page + 8] += 64 }
    }
    let found = try reader.tags(of: files.folder.file("late." + format, late)).tags.duration
    let plain = try #require(try reader.tags(of: files.tagged(format)).tags.duration)
    let difference = try #require(found) - plain
    #expect(abs(difference / .milliseconds(1)) < 100)
  }

  @Test(
    "positions beyond all time give no length, and the tags all the same",
    arguments: [(Int.max, 0), (0, Int.max), (Int.max, Int.max), (1 << 53, 0), (-2, 1 << 62)])
  func impossiblePositions(first: Int, last: Int) throws {
    // Two channels, of which 65,535 frames are to be skipped.
    let head = Array("OpusHead".utf8) + [1, 2, 0xff, 0xff, 0x80, 0xbb, 0, 0, 0, 0, 0]
    let title = Array("TITLE=here".utf8)
    let comments = ID3.joined(
      Array("OpusTags".utf8), ID3.littleEndian(0), ID3.littleEndian(1), ID3.littleEndian(title.count), title)
    let bytes = ID3.joined(
      ID3.oggPages(head, beginsStream: true), ID3.oggPages(comments),
      ID3.oggPages([0x80], position: first), ID3.oggPages([0x80], position: last))
    let tags = try reader.tags(of: files.folder.file("impossible.opus", bytes)).tags
    #expect(tags.title == "here")
    #expect(tags.duration == nil)
  }

  @Test("a FLAC with an empty block of an unknown kind has its tags")
  func emptyBlock() throws {
    let bytes = try contents(of: files.tagged("flac"))
    let path = try files.folder.file("empty.flac", bytes[..<42] + [9, 0, 0, 0] + bytes[42...])
    #expect(try reader.tags(of: path).tags.title == "Süße Töne")
    #expect(try reader.picture(of: path)?.bytes == SoundFiles.png)
  }

  @Test("comments that are longer than their block says are read to their end")
  func shortBlock() throws {
    var bytes = try contents(of: files.tagged("flac"))
    let block = try #require((42..<bytes.count).first { bytes[$0...].starts(with: [4, 0, 0]) })
    bytes[block + 3] -= 60
    let path = try files.folder.file("short.flac", bytes)
    #expect(try reader.tags(of: path).tags == reader.tags(of: files.tagged("flac")).tags)
    #expect(try reader.picture(of: path)?.bytes == SoundFiles.png)
  }

  @Test("tags stand behind however many values of something else", arguments: ["flac", "opus"])
  func crowded(format: String) throws {
    let many = (0..<6_000).map { "OTHER=\($0)" } + ["TITLE=here"]
    let values = many.map { ID3.joined(ID3.littleEndian($0.utf8.count), Array($0.utf8)) }
    let comments = ID3.joined(ID3.littleEndian(0), ID3.littleEndian(many.count), Array(values.joined()))
    let bytes = try contents(of: files.tagged(format))
    var crowded = Array(bytes[..<(format == "flac" ? 42 : endOfFirstPage(bytes))])
    if format == "flac" {
      crowded += [4] + ID3.bigEndian(comments.count).dropFirst()
      crowded += comments
      crowded += bytes[42...]
    } else {
      crowded += ID3.oggPages(Array("OpusTags".utf8) + comments, stream: Array(bytes[14..<18]))
    }
    let path = try files.folder.file("crowded." + format, crowded)
    #expect(try reader.tags(of: path).tags.title == "here")
  }

  @Test("ID3 before FLAC says what the comments do not")
  func leadingID3() throws {
    let tag = ID3.tag([ID3.text("TIT2", "other"), ID3.text("TCOM", "Composer")])
    let path = try files.folder.file("id3.flac", tag + contents(of: files.tagged("flac")))
    let tags = try reader.tags(of: path).tags
    #expect(tags.title == "Süße Töne")
    #expect(tags.composer == ["Composer"])
    try Tool.run("metaflac", "--set-tag=COMPOSER= ", path.text)
    #expect(try reader.tags(of: path).tags.composer == ["Composer"], "a blank comment says nothing")
  }

  @Test("the picture in ID3 before FLAC counts only where FLAC has none")
  func leadingPicture() throws {
    let old = SoundFiles.png + [0]
    let tag = ID3.tag([ID3.picture(old)])
    let bare = files.folder.at("bare.flac")
    try files.folder.file("bare.flac", contents(of: files.tagged("flac")))
    try Tool.run("metaflac", "--remove", "--block-type=PICTURE", bare.text)
    let flac = try contents(of: bare.text)
    #expect(try reader.picture(of: files.folder.file("none.flac", tag + flac))?.bytes == old)
    let covered = files.folder.at("cover.flac")
    try files.folder.file("cover.flac", flac)
    let cover = try files.folder.file("cover.png", SoundFiles.png)
    try Tool.run("metaflac", "--import-picture-from=\(cover.text)", covered.text)
    let both = try files.folder.file("both.flac", tag + contents(of: covered.text))
    #expect(try reader.picture(of: both)?.bytes == SoundFiles.png)
    #expect(try reader.tags(of: both).hasPicture)
  }

  @Test("comments with more pictures than are read have their texts all the same")
  func manyPictures() throws {
    let pictures = try (0..<4).map { number in
      try files.folder.file(
        "\(number).png", SoundFiles.png + [UInt8](repeating: UInt8(number), count: 6 << 20)
      ).text
    }
    let opus = files.folder.at("scans.opus")
    let plain = files.folder.at("plain.wav").text
    try Tool.run(
      ["opusenc", "--quiet", "--title", "Title"] + pictures.flatMap { ["--picture", "4||||\($0)"] }
        + [plain, opus.text])
    #expect(try contents(of: opus.text).count > 24 << 20)
    let found = try reader.tags(of: opus)
    #expect(found.tags.title == "Title" && found.hasPicture)
    #expect(try found.fingerprint == reader.tags(of: files.tagged("opus")).fingerprint)
  }
}
