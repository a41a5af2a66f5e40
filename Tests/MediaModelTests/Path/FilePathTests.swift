// SPDX-License-Identifier: MIT
import MediaModel
import Testing

@Suite("Paths")
struct FilePathTests {
  @Test("bytes that are not UTF-8 survive, and only the text for people is mended")
  func bytesSurvive() throws {
    let path = try #require(FilePath([0x2f, 0x42, 0xf6, 0x2e, 0x6d, 0x70, 0x33]))
    #expect(path.bytes == [0x2f, 0x42, 0xf6, 0x2e, 0x6d, 0x70, 0x33])
    #expect(path.text == "/B\u{fffd}.mp3")
    #expect(path.exactText == nil)
    #expect(path.pathExtension == "mp3")
    #expect(("/Bö" as FilePath).exactText == "/Bö")
  }

  @Test("a path is never empty and holds no NUL")
  func refused() {
    #expect(FilePath([UInt8]()) == nil)
    for text in ["", "a\0b"] { #expect(FilePath(text) == nil) }
  }

  @Test(
    "a path comes apart into folder, name, stem and extension",
    arguments: [
      ("/m/a.b.MP3", "/m", "a.b.MP3", "a.b", "mp3"),
      ("/a", "/", "a", "a", ""),
      ("/m/dir/", "/m", "dir", "dir", ""),
      ("a.flac", nil, "a.flac", "a", "flac"),
      ("/m/.hidden", "/m", ".hidden", ".hidden", ""),
      ("/", nil, "", "", ""),
    ] as [(FilePath, FilePath?, String, String, String)])
  func parts(path: FilePath, parent: FilePath?, name: String, stem: String, pathExtension: String) {
    #expect(path.parent == parent)
    #expect(path.name == name)
    #expect(path.stem == stem)
    #expect(path.pathExtension == pathExtension)
  }

  @Test(
    "a relative path is seen from its folder; only what means nothing goes",
    arguments: [
      ("a.mp3", "/m/a.mp3"), ("./a.mp3", "/m/a.mp3"), ("../x//a.mp3", "/m/../x/a.mp3"),
      ("/other/./a", "/other/a"), (".", "/m"),
    ] as [(FilePath, FilePath)])
  func resolving(written: FilePath, absolute: FilePath) {
    #expect(written.resolved(against: "/m") == absolute)
  }

  @Test("a tidied path has no empty part and no dot, and is itself if it had none")
  func tidied() throws {
    let alphabet = Array("/.a".utf8)
    // Every path of up to seven of these letters.
    var paths: [[UInt8]] = [[]]
    for start in 0... where start < paths.count && paths[start].count < 7 {
      paths += alphabet.map { paths[start] + [$0] }
      if paths.count > 3_279 { break }
    }
    for bytes in paths where !bytes.isEmpty {
      let tidied = try #require(FilePath(bytes)).tidied
      let parts = bytes.split(separator: UInt8(ascii: "/")).filter { Array($0) != [UInt8(ascii: ".")] }
      let text = parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
      let isAbsolute = bytes[0] == UInt8(ascii: "/")
      #expect(tidied.text == (isAbsolute ? "/" + text : text.isEmpty ? "." : text))
    }
  }

  @Test("what is below a folder is relative to it, and leads back")
  func relative() {
    #expect(("/m/x/a.mp3" as FilePath).relative(to: "/m") == "x/a.mp3")
    #expect(("/a.mp3" as FilePath).relative(to: "/") == "a.mp3")
    #expect(("/music/a.mp3" as FilePath).relative(to: "/m") == nil)
    #expect(("/m" as FilePath).relative(to: "/m") == nil)
  }

  @Test("a path costs an entry one pointer")
  func size() {
    #expect(MemoryLayout<FilePath>.size == MemoryLayout<UnsafeRawPointer>.size)
    #expect(MemoryLayout<FilePath?>.size == MemoryLayout<UnsafeRawPointer>.size)
  }

  @Test(
    "a path is hidden in a folder if a name below that begins with a dot",
    arguments: [
      ("/m/a/.music/b", "/m/a", true), ("/m/a/b/.c", "/m/a", true),
      ("/m/.a/b/c", "/m/.a", false), ("/m/a/b.c", "/m/a", false), ("/m/a", "/m/a", false),
      ("/other/.b", "/m/a", false),
    ] as [(FilePath, FilePath, Bool)])
  func hidden(path: FilePath, folder: FilePath, isHidden: Bool) {
    #expect(path.isHidden(in: folder) == isHidden)
  }
}
