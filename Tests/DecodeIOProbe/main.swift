// SPDX-License-Identifier: MIT
import AudioModel
import DecodeIO
import Glibc
import MediaModel
import ReaderIO

// A program that compares fermata's decoders with others: writes the sound of the file in its first argument. First comes a line with the
// rate and the number of channels, then the samples, interleaved, as 32-bit floats in native byte order. Whatever another process has to
// decode is decoded by the `fermata-reader` in the second argument.
//
// Ends with 65 if the file is refused, and with 66 if its sound breaks off; the reason is on standard error.

func fail(_ code: Int32, _ reason: String) -> Never {
  write(Array("\(reason)\n".utf8), to: 2)
  exit(code)
}

/// Writes all of it; ends the program when nobody reads any more.
func write<Values: Collection>(_ values: Values, to descriptor: Int32) where Values.Element: BitwiseCopyable {
  Array(values).withUnsafeBytes { bytes in
    var written = 0
    while written < bytes.count {
      // There are bytes, so they have an address.
      let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
      guard count > 0 else { exit(74) }
      written += count
    }
  }
}

let words = CommandLine.arguments
guard words.count == 3, let file = FilePath(words[1]), let reader = FilePath(words[2]) else {
  fail(64, "usage: DecodeIOProbe FILE READER")
}

do {
  let decoder: any Decoder
  do { decoder = try Decoders.open(file, outside: DecoderClient(program: reader)) } catch {
    fail(65, "\(error)")
  }
  let head = "\(decoder.format.rate) \(decoder.format.channels)\n"
  write(head.utf8, to: 1)
  var room = [Float](repeating: 0, count: 4_096 * decoder.format.channels)
  while true {
    var span = room.mutableSpan
    let frames = try decoder.read(into: &span)
    if frames == 0 { break }
    write(room.prefix(frames * decoder.format.channels), to: 1)
  }
} catch {
  fail(66, "\(error)")
}
