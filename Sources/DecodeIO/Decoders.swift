// SPDX-License-Identifier: MIT
import AudioModel
package import FileIO
package import MediaModel
package import ReaderModel

/// Finds the decoder for a file and opens it.
package enum Decoders {
  /// The decoder that plays a format.
  private static func decoder(of format: SoundFormat) -> any Decoder.Type {
    switch format {
    case .flac, .oggFLAC: FLACDecoder.self
    case .vorbis: VorbisDecoder.self
    case .opus: OpusDecoder.self
    case .wav, .wave64, .aiff, .caf, .au: SndfileDecoder.self
    case .mpeg: MPEGDecoder.self
    case .wavPack, .monkeys, .trueAudio, .dsf, .dsdiff, .mp4, .matroska, .adts, .musepack, .windowsMedia,
      .ac3, .dts:
      ForeignDecoder.self
    }
  }

  /// Opens the file at a path, whatever its name ends in. `outside` provides the processes for formats that only FFmpeg decodes. Blocks on the disk.
  package static func open(
    _ path: FilePath, outside: (any SoundDecodings)? = nil
  ) throws(DecodeError) -> sending any Decoder {
    try open(try FileSource(path), outside: outside)
  }

  /// Opens a file that somebody else has opened, for a process that may not open files. `name` stands for it in errors.
  package static func open(
    _ file: consuming OpenFile, named name: String, outside: (any SoundDecodings)? = nil
  ) throws(DecodeError) -> sending any Decoder {
    try open(FileSource(file, named: name), outside: outside)
  }

  /// Opens the sound in a source of bytes. From then on only the decoder may use the source.
  package static func open(
    _ source: sending any ByteSource, outside: (any SoundDecodings)? = nil
  ) throws(DecodeError) -> sending any Decoder {
    let content = try Content(of: source, outside: outside)
    let opened = try decoder(of: content.format).init(content)
    // A recording that was stopped at once has a header and no sound. It is refused already now, and not only when it is to be played.
    guard opened.length != .exact(0) else { throw .noSound(file: content.source.name) }
    return opened
  }
}

/// A source, the format of the sound in it, and where the sound begins.
package struct Content {
  let source: any ByteSource
  let format: SoundFormat
  /// The offset at which the sound begins: after ID3v2 tags, and, in a recording of a radio stream, after the end of the song that was on before.
  let start: Int
  /// Provides the processes for formats that only FFmpeg decodes; nil if there are none.
  let outside: (any SoundDecodings)?

  /// Finds the format, and where the sound begins, by the first bytes of a source. Throws if it can't be read or is in no format that is played.
  init(of source: any ByteSource, outside: (any SoundDecodings)? = nil) throws(DecodeError) {
    self.outside = outside
    guard source.size > 0 else { throw DecodeError(.empty, file: source.name, reason: "is empty") }
    let start = try ID3v2.end { offset, count throws(DecodeError) in
      try source.bytes(at: offset, count: count)
    }
    guard start < source.size else {
      throw DecodeError(
        .damaged, file: source.name, byteOffset: 0,
        reason: "has nothing behind its ID3 tag, which says that it is \(start) bytes long")
    }
    let head = try source.bytes(at: start, count: FileContent.headSize)
    switch FileContent(head: head, isWhole: source.size - start <= head.count) {
    case .sound(let format, let offset):
      (self.source, self.format, self.start) = (source, format, start + offset)
    case .foreign(let name): throw Self.refusal(source, "is \(name)")
    case nil:
      let bytes = try source.bytes(at: start, count: FileContent.mostJunk)
      guard let offset = FileContent.mpegBehindJunk(Array(bytes)) else {
        throw Self.refusal(source, "is no sound that can be recognised")
      }
      (self.source, self.format, self.start) = (source, .mpeg, start + offset)
    }
  }

  private static func refusal(_ source: any ByteSource, _ what: String) -> DecodeError {
    DecodeError(.unknownContent, file: source.name, reason: what)
  }

  /// The source from `start` on.
  var body: any ByteSource {
    start == 0 ? source : SplicedSource(.init(source, start..<source.size))
  }

  /// The format with the rate and the channels that a file states. Throws if the rate cannot be played.
  func format(rate: Int, layout: ChannelLayout) throws(DecodeError) -> AudioFormat {
    guard AudioFormat.rates.contains(rate) else {
      throw error(.unsupported, "has \(rate) samples a second; \(AudioFormat.rates.text) can be played")
    }
    return AudioFormat(rate: rate, layout: layout)
  }

  /// Throws unless a sound may have this many channels.
  func check(channels: Int) throws(DecodeError) {
    guard AudioFormat.channelCounts.contains(channels) else {
      throw error(.unsupported, "has \(channels) channels; \(AudioFormat.channelCounts.text) can be played")
    }
  }

  /// An error about this content.
  func error(_ code: DecodeError.Code, at byteOffset: Int? = nil, _ reason: String) -> DecodeError {
    DecodeError(code, file: source.name, byteOffset: byteOffset, reason: reason)
  }
}

extension ClosedRange<Int> {
  fileprivate var text: String { "\(lowerBound) to \(upperBound)" }
}
