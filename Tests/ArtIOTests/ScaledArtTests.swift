// SPDX-License-Identifier: MIT
import ArtIO
import FermataTestKit
import Glibc
import MediaModel
import PictureModel
import Testing

@Suite("Pictures kept for a size")
struct ScaledArtTests {
  private let folder: TemporaryDirectory
  private let cache: ArtCache

  init() throws {
    folder = try TemporaryDirectory()
    cache = ArtCache(folder: try #require(FilePath(folder.path("art"))), limit: 200_000)
  }

  private func file(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
    try #require(FilePath(try folder.write(name, bytes)))
  }

  @Test("one is found again as long as its file is as it was, and for its own size only")
  func keys() throws {
    let song = try file("a.flac", [1, 2, 3])
    let picture = Placeholder(of: "a").png(edge: 60)
    let key = try #require(ArtCache.Key(song, edge: 60))
    #expect(cache.kept(key) == nil)
    let kept = try cache.keep(picture, as: key)
    #expect(cache.kept(key) == kept && folder.path("art").isEmpty == false)
    #expect(try cache.kept(#require(ArtCache.Key(song, edge: 61))) == nil)
    _ = try file("a.flac", [1, 2, 3, 4])
    #expect(try cache.kept(#require(ArtCache.Key(song, edge: 60))) == nil)
    #expect(ArtCache.Key("/nowhere.flac", edge: 60) == nil)
    #expect(ArtCache.Key(drawnFor: "a", edge: 60) != ArtCache.Key(drawnFor: "b", edge: 60))
  }

  @Test("one is made anew if its file was written and has its old time and size, or if a crash has torn it")
  func stale() throws {
    let song = try file("a.flac", [1, 2, 3])
    var status = stat()
    stat(song.text, &status)
    let key = try #require(ArtCache.Key(song, edge: 60))
    let kept = try cache.keep(Placeholder(of: "a").png(edge: 60), as: key)
    _ = try file("a.flac", [3, 2, 1])
    #expect(utimensat(AT_FDCWD, song.text, [status.st_atim, status.st_mtim], 0) == 0)
    #expect(ArtCache.Key(song, edge: 60) != key)
    #expect(truncate(kept.text, 20) == 0)
    #expect(cache.kept(key) == nil)
  }

  @Test("equal ones share their bytes")
  func shared() throws {
    let picture = Placeholder(of: "a").png(edge: 60)
    let paths = try (0..<5).map { number in
      let song = try file("\(number).flac", [UInt8(number)])
      return try cache.keep(picture, as: try #require(ArtCache.Key(song, edge: 60)))
    }
    let numbers = paths.map { path in
      var status = stat()
      stat(path.text, &status)
      return status.st_ino
    }
    #expect(Set(paths).count == 5 && Set(numbers).count == 1)
  }

  @Test("those that share their bytes count once towards the limit")
  func countedOnce() throws {
    let picture = Placeholder(of: "a").png(edge: 60)
    let most = 100_000 / picture.bytes.count
    let keys = try (0..<2 * most + 10).map { number in
      let song = try file("\(number).flac", [UInt8(number % 256), UInt8(number / 256)])
      return try #require(ArtCache.Key(song, edge: 60))
    }
    for key in keys { _ = try cache.keep(picture, as: key) }
    // Whatever is written anew is an occasion to delete.
    _ = try cache.file(for: Placeholder(of: "b").png(edge: 61))
    #expect(keys.allSatisfy { cache.kept($0) != nil })
  }

  @Test("all together stay within the cache's limit")
  func bounded() throws {
    for number in 0..<60 {
      let key = try #require(ArtCache.Key(drawnFor: "\(number)", edge: 400))
      _ = try cache.keep(Placeholder(of: "\(number)").png(edge: 400), as: key)
    }
    let listing = try Child.run(Program(path: "/usr/bin/du"), ["-sb", folder.path("art")], environment: [:])
    let size = listing.split(separator: "\t").first.flatMap { Int($0) } ?? .max
    #expect(size < 300_000, "\(listing)")
  }
}
