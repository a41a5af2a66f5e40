// SPDX-License-Identifier: MIT
import MediaModel
import Testing

@Suite("Items")
struct MediaItemTests {
  @Test(
    "without a title the name of the file stands in",
    arguments: [
      (.file("/m/03 Song.mp3"), "03 Song"), (.file("/"), "/"), (.uri("http://x/a%20b.ogg?c=d/e"), "a b"),
      (.uri("http://x/%00"), "http://x/%00"), (.uri("http://"), "http:"),
    ] as [(MediaLocation, String)])
  func titles(location: MediaLocation, title: String) {
    #expect(MediaItem(location: location).displayTitle == title)
  }

  @Test("unknown names have placeholders, and known ones stand in a row")
  func placeholders() {
    var item = MediaItem(location: .file("/a.mp3"))
    #expect(item.displayArtist == "Unknown artist")
    item.tags.albumArtist = ["C"]
    #expect(item.displayArtist == "C")
    item.tags.artist = ["A", "B"]
    #expect(item.displayArtist == "A, B")
  }

  @Test(
    "what is written is a URI or a path seen from its folder",
    arguments: [
      ("a.mp3", .file("/m/a.mp3")), ("/x/a.mp3", .file("/x/a.mp3")), ("file:///x/%61", .file("/x/a")),
      ("http://x/a", .uri("http://x/a")), ("a:b", .file("/m/a:b")), ("C:\\x", .file("/m/C:\\x")),
      ("1://x", .file("/m/1:/x")), ("file:///x//b/./a", .file("/x/b/a")), ("file:////x/a", .file("/x/a")),
    ] as [(String, MediaLocation)])
  func written(text: String, location: MediaLocation) throws {
    #expect(try MediaLocation(Array(text.utf8), in: "/m") == location)
  }

  @Test("a file URI that names no file is an error")
  func badURI() {
    #expect(throws: FileURIError.self) { try MediaLocation(Array("file://nas/a".utf8), in: "/m") }
  }
}
