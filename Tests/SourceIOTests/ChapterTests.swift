// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
import PlaybackLogic
import PlaylistModel
import Testing

@testable import SourceIO

@Suite("The chapters of a book")
struct ChapterTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static let three = [(0, 1_000, "One"), (1_000, 2_500, "Zwei – 2"), (2_500, 4_000, "Three")]

  /// A silent book of these chapters, made by FFmpeg: their beginnings and ends in milliseconds, and their titles.
  private func book(_ name: String, _ chapters: [(Int, Int, String)] = three) throws -> String {
    var words = ";FFMETADATA1\ntitle=A Book\n"
    for (start, end, title) in chapters {
      words += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(start)\nEND=\(end)\ntitle=\(title)\n"
    }
    let description = try folder.write("chapters.txt", words)
    let path = folder.path(name)
    let codec = name.hasSuffix("mka") ? "flac" : "aac"
    try Tool.run([
      "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
      "anullsrc=r=44100:d=\((chapters.last?.1 ?? 0) / 1_000)", "-i",
      description,
      "-map_metadata", "1", "-map_chapters", "1", "-c:a", codec, path,
    ])
    return path
  }

  private func check(_ path: String) throws {
    let path = try #require(FilePath(path))
    let expansion = try SourceExpander(base: "/").expand([.path(path)])
    #expect(
      expansion.entries.map(\.span) == [
        CueSpan(start: 0, end: 75), CueSpan(start: 75, end: 188), CueSpan(start: 188, end: nil),
      ])
    #expect(Set(expansion.entries.map(\.album)).count == 1)
    let titles = SheetTitles()
    let named = expansion.entries.compactMap { $0.span.flatMap { titles.entry(of: path, $0) } }
    #expect(named.map(\.title) == ["One", "Zwei – 2", "Three"])
    #expect(named.map(\.track) == [1, 2, 3])
    let inFolder = try SourceExpander(base: "/").expand([.path(#require(path.parent))])
    #expect(inFolder.entries.map(\.span) == expansion.entries.map(\.span))
  }

  @Test("are its rows, with their titles, and meet without a gap", arguments: ["book.m4b", "book.mka"])
  func rows(name: String) throws { try check(book(name)) }

  @Test("are all there, although a list in MP4 holds 255 of them at most")
  func many() throws {
    let parts = (0..<300).map { (start: $0 * 100, end: $0 * 100 + 100, title: "Part \($0 + 1)") }
    let entries = FileChapters().entries(of: try #require(FilePath(book("book.m4b", parts))))
    #expect(entries.map(\.title) == parts.map(\.title))
  }

  @Test("are found as a track of texts, too")
  func track() throws {
    let path = try book("book.m4b")
    var bytes = try contents(of: path)
    let name = Array("chpl".utf8)
    let place = try #require(bytes.indices.last { bytes[$0] == name[0] && bytes[$0...].starts(with: name) })
    bytes.replaceSubrange(place..<place + 4, with: Array("free".utf8))
    try check(folder.write("book.m4b", bytes))
  }

  @Test("have titles in UTF-16, where a mark says so")
  func wide() throws {
    let path = try book("book.m4b")
    var bytes = try contents(of: path)
    let list = try #require(bytes.indices.last { bytes[$0...].starts(with: "chpl".utf8) })
    bytes.replaceSubrange(list..<list + 4, with: Array("free".utf8))
    // In place, so as long as before: a mark and four letters for ten bytes.
    let title = Array("Zwei – 2".utf8)
    let place = try #require(
      bytes.indices.first { bytes[$0...].starts(with: [0, UInt8(title.count)] + title) })
    bytes.replaceSubrange(
      place + 2..<place + 2 + title.count, with: [0xFE, 0xFF, 0, 0x5A, 0x77, 0x31, 0x20, 0x13, 0, 0x32])
    let file = try #require(FilePath(folder.write("wide.m4b", bytes)))
    #expect(FileChapters().entries(of: file).map(\.title) == ["One", "Z眱–2", "Three"])
  }

  @Test("are none where there is none, or where the description is damaged")
  func damaged() throws {
    for name in ["book.m4b", "book.mka"] {
      let bytes = try contents(of: book(name))
      var generator = SeededGenerator(seed: 8)
      for _ in 0..<300 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
          let reach = Bool.random(using: &generator) ? damaged.count : min(damaged.count, 2_000)
          damaged[damaged.count - Int.random(in: 1...reach, using: &generator)] = .random(
            in: 0...255, using: &generator)
        }
        let path = try #require(FilePath(folder.write("damaged-" + name, damaged)))
        #expect(FileChapters().entries(of: path).count < 5_000)
      }
    }
    let empty = try #require(FilePath(folder.write("empty.m4b", "nothing")))
    #expect(FileChapters().entries(of: empty).isEmpty)
  }
}
