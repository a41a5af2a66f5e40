// SPDX-License-Identifier: MIT

/// Every decoder there is, and the way from a path to the right one.
package enum Decoders {
  /// The table: a decoder is added by a line. The first that recognises the content gets it, so what is known
  /// by a signature stands before what has to be searched for.
  package static let all: [any Decoder.Type] = [
    FLACDecoder.self,
    VorbisDecoder.self,
    OpusDecoder.self,
    SndfileDecoder<WAV>.self,
    SndfileDecoder<AIFF>.self,
    SndfileDecoder<CAF>.self,
    SndfileDecoder<AU>.self,
    MPEGDecoder.self,
  ]

  /// What a person may be told that fermata plays.
  package static var formatNames: [String] { all.map { $0.formatName } }

  /// Opens the file at a path, whatever its name ends in. Blocks on the disk.
  package static func open(path: String) throws(DecodeError) -> sending any Decoder {
    try open(try FileSource(path: path))
  }

  /// Opens the file at a path that need not be text; see `FileSource`.
  package static func open(bytes: [UInt8], name: String) throws(DecodeError) -> sending any Decoder {
    try open(try FileSource(bytes: bytes, name: name))
  }

  /// Opens what a source holds. The source is the decoder's from here on.
  package static func open(_ source: sending any ByteSource) throws(DecodeError) -> sending any Decoder {
    let whole = try Content(of: source)
    let isKnown = all.dropLast().contains { $0.recognises(whole) }
    let content = isKnown ? whole : try whole.fromLaterOggStart() ?? whole
    if let foreign = content.foreign(playable: formatNames) { throw foreign }
    for decoder in all where decoder.recognises(content) { return try open(content, with: decoder) }
    throw content.unknown(playable: formatNames)
  }

  /// Recordings that were given up at once have a header and no sound: nobody should wait for one to be heard.
  private static func open(_ content: Content, with decoder: any Decoder.Type) throws(DecodeError)
    -> any Decoder
  {
    let opened = try decoder.init(content)
    guard opened.length != .exact(0) else { throw .noSound(file: content.source.name) }
    return opened
  }
}
