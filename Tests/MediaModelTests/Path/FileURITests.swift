// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
import Testing

@Suite("File URIs")
struct FileURITests {
  @Test("every path survives its URI, whatever its bytes", arguments: [1, 2, 3] as [UInt64])
  func roundTrip(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let path = try #require(FilePath([0x2f] + generator.bytes(upTo: 40, of: Array(1...255))))
      #expect(try FilePath(uri: path.uri) == path, "seed \(seed): \(path.bytes)")
      #expect(path.uri.utf8.allSatisfy { (0x21...0x7e).contains($0) })
    }
  }

  @Test(
    "a URI keeps plain what GLib keeps plain",
    arguments: [
      ("/a b", "file:///a%20b"), ("/50%#?;", "file:///50%25%23%3F%3B"),
      ("/!$&'()*+,-./:=@_~", "file:///!$&'()*+,-./:=@_~"), ("/ö", "file:///%C3%B6"),
      ("/[\"]", "file:///%5B%22%5D"),
    ] as [(FilePath, String)])
  func encoding(path: FilePath, uri: String) {
    #expect(path.uri == uri)
  }

  @Test(
    "all spellings of a local file are understood",
    arguments: ["file:///m/a%20b", "FILE:///m/a b", "file:/m/a%20b", "file://localhost/m/%61%20b"])
  func spellings(uri: String) throws {
    #expect(try FilePath(uri: uri) == "/m/a b")
  }

  @Test(
    "what is no file here is refused with the reason",
    arguments: [
      ("http://x/a.mp3", .otherScheme("http")), ("/m/a", .noScheme), ("file://nas/a", .otherHost("nas")),
      ("file:a", .notAbsolute), ("file://", .notAbsolute), ("file:///a%2", .badEscape),
      ("file:///a%zz", .badEscape), ("file:///a%00", .badEscape), ("file:///a%2Fb", .badEscape),
      ("file:///a?b", .unescaped("?", "%3F")), ("file:///a#b", .unescaped("#", "%23")),
    ] as [(String, FileURIError.Reason)])
  func refusals(uri: String, reason: FileURIError.Reason) {
    let error = #expect(throws: FileURIError.self) { try FilePath(uri: uri) }
    #expect(error?.reason == reason)
    #expect(error?.description.hasPrefix(uri + ": ") == true)
  }
}
