// SPDX-License-Identifier: MIT
@testable import FermataAgent
import FermataTestKit
import MediaModel
import ReaderModel
import Testing

@Suite("A file of which several entries are parts")
struct PartFindingsTests {
  @Test("is read once for all of them, and anew where it has changed or texts are read otherwise")
  func once() throws {
    let folder = try TemporaryDirectory()
    let book = try folder.file("book.m4b", "one")
    let other = try folder.file("other.m4b", "two")
    let parts = PartFindings()
    var readings = 0
    func find(_ path: FilePath, _ charset: String? = nil, isReadable: Bool = true) {
      _ = parts.findings(of: path, charset) {
        readings += 1
        return FileFindings(tags: isReadable ? FileTags() : nil, origin: FileOrigin(of: path))
      }
    }
    for _ in 1...100 { find(book) }
    #expect(readings == 1)
    for _ in 1...100 { find(other) }
    #expect(readings == 2)
    for _ in 1...100 { find(other, "CP1251") }
    #expect(readings == 3)
    _ = try folder.file("other.m4b", "three")
    find(other, "CP1251")
    #expect(readings == 4)
    // What could not be read may be readable now.
    for _ in 1...2 { find(book, isReadable: false) }
    #expect(readings == 6)
  }
}
