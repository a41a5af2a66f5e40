// SPDX-License-Identifier: MIT
import AudioModel
import DecodeIO
import FermataTestKit
import MediaModel
import ReaderIO
import Testing

extension Decoder {
  /// Reads up to so many frames, or to the end, in pieces of `chunk` frames.
  func frames(_ limit: Int = .max, chunk: Int = 4096) throws -> [Float] {
    var samples: [Float] = []
    var room = [Float](repeating: 0, count: chunk * format.channels)
    while samples.count / format.channels < limit {
      let wanted = min(chunk, limit - samples.count / format.channels)
      if wanted < chunk { room = [Float](repeating: 0, count: wanted * format.channels) }
      var span = room.mutableSpan
      let got = try read(into: &span)
      if got == 0 { break }
      samples += room.prefix(got * format.channels)
    }
    return samples
  }

  /// All that is left, as a signal.
  func rest() throws -> Signal {
    Signal(rate: format.rate, channels: format.channels, samples: try frames())
  }
}

extension Decoders {
  /// Opens the file at a path that is text.
  static func open(path: String) throws -> any Decoder {
    try open(#require(FilePath(path)), outside: Outside.client)
  }

  static func open(_ source: sending MemorySource) throws(DecodeError) -> any Decoder {
    try open(source, outside: Outside.client)
  }
}

/// The processes that decode what FFmpeg decodes.
enum Outside {
  /// Nil if the programs were built without FFmpeg.
  static let client: DecoderClient? = {
    guard Program.haveFFmpeg, let program = try? Program.beside("fermata-reader") else { return nil }
    return FilePath(program.path).map { DecoderClient(program: $0) }
  }()
}

/// A file decoded whole.
func decode(_ path: String) throws -> Signal { try Decoders.open(path: path).rest() }

/// The largest difference of two runs of samples; infinite if their lengths differ.
func difference(_ first: [Float], _ second: [Float]) -> Float {
  guard first.count == second.count else { return .infinity }
  return zip(first, second).reduce(0) { max($0, abs($1.0 - $1.1)) }
}

/// Expects that a seek for which the sound is decoded asks whether to go on, and ends when the third answer is no.
func expectCalledOff(
  _ decoder: any Decoder, to frame: Int, _ location: SourceLocation = #_sourceLocation
) {
  var questions = 0
  let error = #expect(throws: DecodeError.self, sourceLocation: location) {
    try decoder.seek(to: frame) {
      questions += 1
      return questions < 3
    }
  }
  #expect(error?.code == .unreadable && questions == 3, sourceLocation: location)
}
