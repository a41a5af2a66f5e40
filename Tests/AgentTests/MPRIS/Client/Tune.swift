// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import MediaModel

/// Files to play, long and cheap: silence would be a lie, so they hold one steady value.
enum Tune {
  static let format = AudioFormat(rate: 8_000, channels: 1)

  static func samples(seconds: Int) -> [Float] { Array(repeating: 0.25, count: seconds * format.rate) }

  /// A FLAC file with an artist, an album and its number; answers its URI.
  static func write(_ name: String, number: Int, seconds: Int, in folder: TemporaryDirectory) throws -> String
  {
    let path = try ToneFile.flac(
      name, samples(seconds: seconds), format,
      flags: ["-TTITLE=Tune \(number)", "-TARTIST=Somebody", "-TALBUM=Tunes", "-TTRACKNUMBER=\(number)"],
      in: folder)
    return try uri(path)
  }

  static func uri(_ path: String) throws -> String {
    guard let file = FilePath(path) else { throw KitError("\(path) is no path") }
    return file.uri
  }
}
