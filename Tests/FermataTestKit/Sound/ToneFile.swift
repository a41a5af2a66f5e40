// SPDX-License-Identifier: MIT
package import AudioModel

/// Makes sound files in a test's directory with the common encoders. Each call blocks until the file is written, and
/// returns its path. If the encoder is not installed it throws, with the name of the package.
package enum ToneFile {
  /// A WAV file.
  package static func wav(
    _ name: String, _ samples: [Float], _ format: AudioFormat, _ encoding: WAVFile.Encoding = .int16,
    in directory: TemporaryDirectory
  ) throws -> String {
    try directory.write(name, WAVFile.bytes(samples, format, encoding))
  }

  /// An MP3 by LAME. `flags` are LAME's, including those for tags: `["-V0", "--tt", "A title"]`.
  package static func mp3(
    _ name: String, _ samples: [Float], _ format: AudioFormat, flags: [String] = [],
    in directory: TemporaryDirectory
  ) throws -> String {
    try encode("lame", "lame", name, samples, format, directory) { ["--quiet"] + flags + [$0, $1] }
  }

  /// A FLAC file, of 16 bit or 24 bit.
  package static func flac(
    _ name: String, _ samples: [Float], _ format: AudioFormat, _ encoding: WAVFile.Encoding = .int16,
    flags: [String] = [], in directory: TemporaryDirectory
  ) throws -> String {
    precondition(encoding != .float32, "FLAC has no floats")
    return try encode("flac", "flac", name, samples, format, directory, encoding) {
      ["--silent", "--force"] + flags + ["-o", $1, $0]
    }
  }

  /// An Ogg Vorbis file by oggenc.
  package static func vorbis(
    _ name: String, _ samples: [Float], _ format: AudioFormat, flags: [String] = [],
    in directory: TemporaryDirectory
  ) throws -> String {
    try encode("oggenc", "vorbis-tools", name, samples, format, directory) {
      ["--quiet"] + flags + ["-o", $1, $0]
    }
  }

  /// An Opus file by opusenc.
  package static func opus(
    _ name: String, _ samples: [Float], _ format: AudioFormat, flags: [String] = [],
    in directory: TemporaryDirectory
  ) throws -> String {
    try encode("opusenc", "opus-tools", name, samples, format, directory) { ["--quiet"] + flags + [$0, $1] }
  }

  /// A file by FFmpeg, in the format that its options and the ending of its name say.
  package static func foreign(
    _ name: String, _ samples: [Float], _ format: AudioFormat, options: [String],
    in directory: TemporaryDirectory
  ) throws -> String {
    try encode("ffmpeg", "ffmpeg", name, samples, format, directory) {
      ["-v", "error", "-i", $0] + options + [$1]
    }
  }

  /// MP3s that LAME makes from one continuous stream, so that they play without gaps. There is one file for each
  /// element of `stretches`, called "1.mp3", "2.mp3" and so on, in a new folder. Returns their paths in order.
  package static func gaplessMP3s(
    _ folder: String, _ stretches: [[Float]], _ format: AudioFormat, flags: [String] = [],
    in directory: TemporaryDirectory
  ) throws -> [String] {
    let target = try directory.makeFolder(folder)
    let names = try stretches.indices.map { index in
      try directory.write("\(folder)/\(index + 1).wav", WAVFile.bytes(stretches[index], format))
    }
    try Child.run(
      .named("lame", package: "lame"), ["--quiet"] + flags + ["--nogapout", target, "--nogap"] + names)
    return stretches.indices.map { "\(target)/\($0 + 1).mp3" }
  }

  private static func encode(
    _ program: String, _ package: String, _ name: String, _ samples: [Float], _ format: AudioFormat,
    _ directory: TemporaryDirectory, _ encoding: WAVFile.Encoding = .int16,
    _ arguments: (_ source: String, _ target: String) -> [String]
  ) throws -> String {
    let target = directory.path(name)
    // The source is temporary and in a folder of its own, because the test's directory may be scanned as a library.
    let workshop = try TemporaryDirectory()
    let source = try workshop.write("source.wav", WAVFile.bytes(samples, format, encoding))
    try Child.run(.named(program, package: package), arguments(source, target))
    return target
  }
}
