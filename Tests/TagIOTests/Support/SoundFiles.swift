// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel

/// Tagged files of a fifth of a second, made by the usual encoders.
struct SoundFiles {
  static let formats = ["mp3", "flac", "ogg", "opus", "wav", "aiff"]

  /// A PNG of one pixel.
  static let png: [UInt8] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00,
    0x00,
    0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b, 0x55, 0x00, 0x00,
    0x00,
    0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0x00, 0x00, 0x00, 0x02, 0x00, 0x01, 0x48, 0xaf,
    0xa4,
    0x71, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
  ]

  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    let plain = folder.at("plain.wav").text
    let cover = try folder.file("png.png", Self.png).text
    try Tool.run("sox", "-n", "-r", "44100", "-c", "2", "-b", "16", plain, "synth", "0.2", "sine", "440")
    try Tool.run(
      "lame", "--quiet", "--add-id3v2", "--tt", "Süße Töne", "--ta", "Artist", "--tl", "Album", "--ty",
      "1997",
      "--tn", "3/12", "--tg", "Folk", "--tc", "remark", "--ti", cover, plain, folder.at("tagged.mp3").text)
    try Tool.run(
      "flac", "-s", "-f", "--picture", cover, "-T", "TITLE=Süße Töne", "-T", "ARTIST=Artist", "-T",
      "ALBUM=Album",
      "-T", "DATE=1997", "-T", "TRACKNUMBER=3", "-T", "TRACKTOTAL=12", "-T", "GENRE=Folk",
      "-T", "REPLAYGAIN_TRACK_GAIN=-6.5 dB", "-o", folder.at("tagged.flac").text, plain)
    try Tool.run(
      "oggenc", "-Q", "-t", "Süße Töne", "-a", "Artist", "-l", "Album", "-d", "1997", "-N", "3", "-G", "Folk",
      "-c", "TRACKTOTAL=12", "-o", folder.at("tagged.ogg").text, plain)
    try Tool.run(
      "opusenc", "--quiet", "--picture", cover, "--title", "Süße Töne", "--artist", "Artist", "--album",
      "Album",
      "--date", "1997", "--tracknumber", "3", "--genre", "Folk", "--comment", "TRACKTOTAL=12",
      "--comment", "R128_TRACK_GAIN=-2944", plain, folder.at("tagged.opus").text)
    try Tool.run("sox", plain, folder.at("plain.aiff").text)
    for format in ["wav", "aiff"] {
      let sound = try contents(of: folder.at("plain." + format))
      let tag = ID3.tag([
        ID3.text("TIT2", "Süße Töne"), ID3.text("TPE1", "Artist"), ID3.text("TALB", "Album"),
        ID3.text("TYER", "1997"), ID3.text("TRCK", "3/12"), ID3.text("TCON", "(80)"), ID3.picture(Self.png),
      ])
      try folder.file("tagged." + format, ID3.adding(format == "wav" ? "id3 " : "ID3 ", tag, to: sound))
    }
  }

  func tagged(_ format: String) -> FilePath { folder.at("tagged." + format) }
}
