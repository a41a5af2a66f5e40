// SPDX-License-Identifier: MIT
import FermataTestKit
import LibraryModel
import MediaModel
import PlaylistModel
@testable import SourceIO
import Testing

@Suite("What the sheets of a folder say of its files")
struct SheetFindingsTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func read(_ names: String...) throws -> SheetFindings {
    let folders = try names.map { try #require(FilePath(folder.path($0))) }
    return try #require(SheetFindings.read(in: folders) { _ in true })
  }

  private func cut(_ file: String, _ title: String = "T") -> String {
    "FILE \"\(file)\" WAVE\nTRACK 01 AUDIO\nTITLE \"\(title) 1\"\nINDEX 01 00:00:00\n"
      + "TRACK 02 AUDIO\nTITLE \"\(title) 2\"\nINDEX 01 01:00:00\n"
  }

  private func titles(_ finding: SheetFinding?) -> [String?] {
    switch finding {
    case .parts(let entries): entries.map(\.title)
    case .whole(let entry): [entry.title]
    case nil: []
    }
  }

  @Test("names are found as the queue finds them, and of two sheets the first in natural order counts")
  func names() throws {
    let file = try folder.file("m/disc.flac")
    try folder.file("m/2.cue", cut("DISC.wav", "A"))
    try folder.file("m/10.cue", cut("disc.flac", "B"))
    try folder.file("m/.1.cue", cut("disc.flac", "C"))
    #expect(titles(try read("m").files[file]) == ["A 1", "A 2"])
  }

  @Test("what names nothing here, is no sheet or is too long says nothing; what can't be listed is told")
  func nothing() throws {
    try folder.file("m/disc.flac")
    try folder.file("m/1.cue", cut("../n/disc.flac"))
    try folder.file("m/2.cue", cut("/n/disc.flac"))
    try folder.file("m/3.cue", "\u{0}\u{1}\u{2}")
    try folder.file("m/4.cue", String(repeating: "REM x\n", count: 200_000) + cut("disc.flac"))
    try folder.pipe("m/5.cue")
    try folder.makeFolder("m/6.cue")
    let gone = try #require(FilePath(folder.path("gone")))
    #expect(try read("m", "gone") == SheetFindings(unlisted: [gone]))
  }

  @Test("a reading that is called off says nothing")
  func calledOff() throws {
    let path = try #require(FilePath(folder.path))
    #expect(SheetFindings.read(in: [path]) { _ in false } == nil)
  }
}
