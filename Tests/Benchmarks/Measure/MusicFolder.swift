// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc

/// A folder with many tagged MP3s on albums of twelve, each with a cover of half a megabyte and a second of sound of its own.
///
/// The covers are holes in the files, so that 100,000 of them need no disk of their own: whoever reads one gets zeros. The same count gives
/// the same files.
struct MusicFolder {
  let path: String
  let count: Int
  private let directory: TemporaryDirectory

  private static let coverSize = 500_000
  private static let words = [
    "love", "night", "blue", "rain", "the", "river", "song", "of", "dream", "light", "dark", "sun", "moon",
    "fire", "road", "home", "heart", "stone", "wind", "silver", "gold", "city", "winter", "summer", "dance",
    "hour", "long", "lost", "last", "first", "mirror", "garden", "train", "glass", "shadow", "water",
  ]
  private static let genres = ["Rock", "Jazz", "Folk", "Electronic", "Classical", "Pop", "Blues", "Ambient"]

  /// Writes the files.
  init(_ count: Int, in directory: TemporaryDirectory) throws {
    (self.count, self.directory) = (count, directory)
    path = try directory.makeFolder("Music")
    let sound = try Self.sound(in: directory)
    var random = SeededGenerator(seed: 11)
    var (artist, album) = ("", "")
    for number in 0..<count {
      if number % 36 == 0 { artist = Self.name(2, &random) }
      if number % 12 == 0 {
        album = Self.name(3, &random)
        try directory.makeFolder("Music/\(number / 1_200)/\(number / 12)")
      }
      let title = Self.name(Int(random.next() % 3) + 1, &random)
      let tag = Self.tag(title, artist, album, track: number % 12 + 1, &random)
      try write("\(path)/\(number / 1_200)/\(number / 12)/\(number).mp3", tag, sound, number)
    }
  }

  /// A second of MP3, with room before its end for what makes it another sound.
  private static func sound(in directory: TemporaryDirectory) throws -> [UInt8] {
    let samples = (0..<Tunes.format.rate * Tunes.format.channels).map { Float($0 % 100) / 200 }
    _ = try ToneFile.mp3("second.mp3", samples, Tunes.format, flags: ["-b", "64"], in: directory)
    return try directory.bytes("second.mp3")
  }

  private static func name(_ count: Int, _ random: inout SeededGenerator) -> String {
    (0..<count).map { _ in words[Int(random.next() % UInt64(words.count))] }.joined(separator: " ")
  }

  private static func tag(
    _ title: String, _ artist: String, _ album: String, track: Int, _ random: inout SeededGenerator
  ) -> [UInt8] {
    let genre = genres[Int(random.next() % UInt64(genres.count))]
    let texts = [
      ("TIT2", title), ("TPE1", artist), ("TALB", album), ("TRCK", "\(track)/12"), ("TCON", genre),
      ("TYER", "\(1960 + random.next() % 60)"),
    ]
    let frames = texts.flatMap { frame($0.0, [0] + Array($0.1.utf8)) }
    let head = [0] + Array("image/jpeg".utf8) + [0, 3, 0, 0xff, 0xd8, 0xff, 0xe0]
    let cover = Array("APIC".utf8) + bigEndian(head.count + coverSize) + [0, 0] + head
    let size = frames.count + cover.count + coverSize
    let safe = [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7f) }
    return Array("ID3".utf8) + [3, 0, 0] + safe + frames + cover
  }

  private static func frame(_ name: String, _ data: [UInt8]) -> [UInt8] {
    Array(name.utf8) + bigEndian(data.count) + [0, 0] + data
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(number >> $0 & 0xff) }
  }

  private func write(_ path: String, _ tag: [UInt8], _ sound: [UInt8], _ number: Int) throws {
    var sound = sound
    for place in 0..<4 { sound[sound.count - 40 + place] = UInt8(number >> (place * 8) & 0xff) }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw KitError("\(path): error \(errno)") }
    defer { close(descriptor) }
    let wasWritten =
      pwrite(descriptor, tag, tag.count, 0) == tag.count
      && pwrite(descriptor, sound, sound.count, tag.count + Self.coverSize) == sound.count
    guard wasWritten else { throw KitError("\(path): error \(errno)") }
  }
}
