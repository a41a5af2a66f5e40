// SPDX-License-Identifier: MIT
import Glibc
import MediaModel
import Testing

@testable import TagIO

@Suite("Art in folders")
struct FolderArtTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("cover goes before folder, front and album, in any case and format")
  func order() throws {
    #expect(FolderArt.find(in: folder.path) == nil)
    for name in [
      "notes.txt", "cover.txt", "mycover.jpg", "Album.WEBP", "front.png", "FOLDER.jpeg", "Cover.PNG",
    ] {
      try folder.write([1], name)
      let isArt = !["notes.txt", "cover.txt", "mycover.jpg"].contains(name)
      #expect(FolderArt.find(in: folder.path) == (isArt ? folder.path(name) : nil), "\(name)")
    }
    try folder.write([1], "cover.jpg")
    #expect(FolderArt.find(in: folder.path) == folder.path("cover.jpg"))
  }

  @Test("only a file is art, and a folder that is not there has none")
  func notFiles() throws {
    #expect(mkdir(folder.path("cover.jpg").text, 0o700) == 0)
    #expect(mkfifo(folder.path("folder.jpg").text, 0o600) == 0)
    #expect(symlink("nowhere", folder.path("front.jpg").text) == 0)
    #expect(FolderArt.find(in: folder.path) == nil)
    try folder.write([1], "album.png")
    #expect(FolderArt.find(in: folder.path) == folder.path("album.png"))
    #expect(FolderArt.find(in: folder.path("missing")) == nil)
  }
}

@Suite("The art cache")
struct ArtCacheTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func picture(_ number: UInt8, size: Int = 1_000) throws -> CoverPicture {
    try #require(CoverPicture([0xff, 0xd8, 0xff, number] + [UInt8](repeating: number, count: size - 4)))
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
    let cache = ArtCache(folder: folder.path("a/b"))
    let path = try cache.file(for: picture(1))
    #expect(try cache.file(for: picture(1)) == path)
    #expect(try cache.file(for: picture(2)) != path)
    #expect(try contents(path) == picture(1).bytes)
    #expect(path.pathExtension == "jpg")
    var status = stat()
    #expect(stat(cache.folder.text, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o700)
    #expect(stat(path.text, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test("the name comes from the content and stays the same for ever")
  func stableName() throws {
    let path = try ArtCache(folder: folder.path).file(for: #require(CoverPicture(SoundFiles.png)))
    #expect(path.name == ContentHash(SoundFiles.png).text + ".png")
    #expect(ContentHash([]) != ContentHash([0]))
    #expect(ContentHash([1]) != ContentHash([1, 0]))
    #expect(ContentHash(Array(0..<16)).text.utf8.count == 32)
  }

  @Test("a damaged file is written anew: bytes decide, not names")
  func damaged() throws {
    let cache = ArtCache(folder: folder.path("c"))
    let path = try cache.file(for: picture(1))
    try folder.write([UInt8](repeating: 0, count: 1_000), "c/" + path.name)
    #expect(try contents(cache.file(for: picture(1))) == picture(1).bytes)
  }

  @Test("the least recently used go first, and no stranger's file goes ever")
  func eviction() throws {
    let cache = ArtCache(folder: folder.path, limit: 3_000)
    let strange = try folder.write([UInt8](repeating: 0, count: 9_000), "holiday.jpg")
    let paths = try (0..<3).map { try cache.file(for: picture($0)) }
    for (index, path) in paths.enumerated() { age(path, seconds: 300 - index) }
    age(strange, seconds: 9_000)
    _ = try cache.file(for: picture(0))
    let fourth = try cache.file(for: picture(3))
    #expect((paths + [fourth, strange]).map(exists) == [true, false, true, true, true])
  }

  @Test("what a crash left half-written is cleared away")
  func leftovers() throws {
    let cache = ArtCache(folder: folder.path, limit: 1_500)
    let left = try folder.write([UInt8](repeating: 0, count: 1_000), ".fermata-1234")
    age(left, seconds: 60)
    let path = try cache.file(for: picture(1))
    #expect(!exists(left))
    #expect(exists(path))
  }

  @Test("where nothing can be written there is an error and no file")
  func unwritable() throws {
    let file = try folder.write([1], "file")
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
    #expect(throws: ArtCacheError.self) { try ArtCache(folder: folder.path, limit: 10).file(for: picture(1)) }
  }
}
