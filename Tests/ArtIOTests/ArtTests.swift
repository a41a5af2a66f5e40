// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import MediaModel
import Testing

@testable import ArtIO

@Suite("Art in folders")
struct FolderArtTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test("cover goes before folder, front and album, in any case and format")
  func order() throws {
    #expect(FolderArt.find(in: folder.location) == nil)
    for name in [
      "notes.txt", "cover.txt", "mycover.jpg", "Album.WEBP", "front.png", "FOLDER.jpeg", "Cover.PNG",
    ] {
      try folder.file(name, Pictures.png)
      let isArt = !["notes.txt", "cover.txt", "mycover.jpg"].contains(name)
      #expect(FolderArt.find(in: folder.location) == (isArt ? folder.at(name) : nil), "\(name)")
    }
    try folder.file("cover.jpg", Pictures.png)
    #expect(FolderArt.find(in: folder.location) == folder.at("cover.jpg"))
  }

  @Test("only a file is art, and a folder that is not there has none")
  func notFiles() throws {
    #expect(mkdir(folder.at("cover.jpg").text, 0o700) == 0)
    #expect(mkfifo(folder.at("folder.jpg").text, 0o600) == 0)
    #expect(symlink("nowhere", folder.at("front.jpg").text) == 0)
    #expect(FolderArt.find(in: folder.location) == nil)
    try folder.file("album.png", Pictures.png)
    #expect(FolderArt.find(in: folder.location) == folder.at("album.png"))
    #expect(FolderArt.find(in: folder.at("missing")) == nil)
  }
}

/// Small pictures. The samples in them are none, which nobody looks at.
private enum Pictures {
  /// One pixel.
  static let png: [UInt8] =
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3a, 0x7e, 0x9b, 0x55, 0, 0, 0, 10] + Array("IDAT".utf8)
    + [0x78, 0x9c, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0x48, 0xaf, 0xa4, 0x71, 0, 0, 0, 0] + Array("IEND".utf8)
    + [0xae, 0x42, 0x60, 0x82]
  static let jpegHead: [UInt8] = [
    0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1,
    1, 0,
    0, 63, 0,
  ]
  static func jpeg(_ number: UInt8, size: Int) -> [UInt8] {
    jpegHead + [UInt8](repeating: number, count: size - jpegHead.count - 2) + [0xff, 0xd9]
  }
  static let gif: [UInt8] =
    Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x21, 0xf9, 4, 0, 0, 0, 0, 0]
    + [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]
  static let webp: [UInt8] =
    Array("RIFF".utf8) + [26, 0, 0, 0] + Array("WEBPVP8L".utf8) + [13, 0, 0, 0]
    + [0x2f, 0, 0, 0, 0x10, 7, 0x10, 0x11, 0x11, 0x88, 0x88, 0xfe, 7, 0]
}

@Suite("Pictures are looked at")
struct PictureCheckTests {
  private static let whole = [Pictures.jpeg(7, size: 90), Pictures.png, Pictures.gif, Pictures.webp]

  @Test("a whole picture is one, and no beginning of it is", arguments: whole)
  func truncated(picture: [UInt8]) {
    #expect(CoverPicture(picture)?.bytes == picture)
    for count in 0..<picture.count { #expect(CoverPicture(Array(picture.prefix(count))) == nil, "\(count)") }
  }

  @Test("something may stand behind a picture", arguments: whole)
  func trailer(picture: [UInt8]) {
    #expect(CoverPicture(picture + [UInt8](repeating: 0, count: 5_000)) != nil)
  }

  @Test("any damage to the headers is survived", arguments: whole)
  func damage(picture: [UInt8]) {
    for index in picture.indices {
      for value in [0, 1, 0x7f, 0xff] as [UInt8] {
        var damaged = picture
        damaged[index] = value
        _ = CoverPicture(damaged)
      }
    }
  }

  @Test(
    "a cover that is a text, empty or truncated is passed over for the next candidate",
    arguments: [Array("not found".utf8), [], Array(Pictures.png.dropLast(20)), Pictures.jpegHead])
  func passedOver(cover: [UInt8]) throws {
    let folder = try TemporaryDirectory()
    try folder.file("cover.jpg", cover)
    #expect(FolderArt.find(in: folder.location) == nil)
    try folder.file("front.png", Pictures.png)
    #expect(FolderArt.find(in: folder.location) == folder.at("front.png"))
  }
}

@Suite("The art cache")
struct ArtCacheTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func picture(_ number: UInt8, size: Int = 1_000) throws -> CoverPicture {
    try #require(CoverPicture(Pictures.jpeg(number, size: size)))
  }

  private func exists(_ path: FilePath) -> Bool { access(path.text, F_OK) == 0 }

  /// Makes a file as old as it was so many seconds ago.
  private func age(_ path: FilePath, seconds: Int) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let then = timespec(tv_sec: now.tv_sec - seconds, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, path.text, [then, then], 0) == 0)
  }

  @Test("a picture has one file however often it is put there, for this user alone")
  func once() throws {
    let cache = ArtCache(folder: folder.at("a/b"))
    let path = try cache.file(for: picture(1))
    #expect(try cache.file(for: picture(1)) == path)
    #expect(try cache.file(for: picture(2)) != path)
    #expect(try contents(of: path) == picture(1).bytes)
    #expect(path.pathExtension == "jpg")
    #expect(FileStatus(cache.folder.text)?.permissions == 0o700)
    #expect(FileStatus(path.text)?.permissions == 0o600)
  }

  @Test("the name comes from the content and stays the same for ever")
  func stableName() throws {
    let path = try ArtCache(folder: folder.location).file(for: #require(CoverPicture(Pictures.png)))
    #expect(path.name == ContentHash(Pictures.png).text + ".png")
    #expect(ContentHash([]) != ContentHash([0]))
    #expect(ContentHash([1]) != ContentHash([1, 0]))
    #expect(ContentHash(Array(0..<16)).text.utf8.count == 32)
  }

  @Test("a damaged file is written anew: bytes decide, not names")
  func damaged() throws {
    let cache = ArtCache(folder: folder.at("c"))
    let path = try cache.file(for: picture(1))
    try folder.file("c/" + path.name, [UInt8](repeating: 0, count: 1_000))
    #expect(try contents(of: cache.file(for: picture(1))) == picture(1).bytes)
  }

  @Test("the least recently used go first, and no stranger's file goes ever")
  func eviction() throws {
    let cache = ArtCache(folder: folder.location, limit: 3_000)
    let strange = try folder.file("holiday.jpg", [UInt8](repeating: 0, count: 9_000))
    let paths = try (0..<3).map { try cache.file(for: picture($0)) }
    for (index, path) in paths.enumerated() { age(path, seconds: 300 - index) }
    age(strange, seconds: 9_000)
    _ = try cache.file(for: picture(0))
    let fourth = try cache.file(for: picture(3))
    #expect((paths + [fourth, strange]).map(exists) == [true, false, true, true, true])
  }

  @Test("what a crash left half-written is cleared away")
  func leftovers() throws {
    let cache = ArtCache(folder: folder.location, limit: 1_500)
    let left = try folder.file(".fermata-1234", [UInt8](repeating: 0, count: 1_000))
    age(left, seconds: 60)
    let path = try cache.file(for: picture(1))
    #expect(!exists(left))
    #expect(exists(path))
  }

  @Test("where nothing can be written there is an error and no file")
  func unwritable() throws {
    let file = try folder.file("file", [1])
    let blocked = ArtCache(folder: FilePath(file.bytes + Array("/cache".utf8)) ?? file)
    #expect(throws: ArtCacheError(path: blocked.folder, operation: .makeFolder, code: ENOTDIR)) {
      try blocked.file(for: picture(1))
    }
    let notAFolder = ArtCache(folder: file)
    #expect(throws: ArtCacheError(path: file, operation: .create, code: ENOTDIR)) {
      try notAFolder.file(for: picture(1))
    }
    let readOnly = ArtCache(folder: "/proc/self/art")
    #expect(throws: ArtCacheError.self) { try readOnly.file(for: picture(1)) }
    #expect(throws: ArtCacheError.self) {
      try ArtCache(folder: folder.location, limit: 10).file(for: picture(1))
    }
  }
}
