// SPDX-License-Identifier: MIT

/// Every decoder there is, and the way from a path to the right one.
package enum Decoders {
  /// The table of decoders; a new one is added as a line. The first that recognises the content gets it, so formats
  /// with a signature stand before those that have to be searched for.
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

  /// The names of the formats that fermata plays, for messages to a person.
  package static var formatNames: [String] { all.map { $0.formatName } }

  /// Opens the file at a path, whatever its name ends in. Blocks on the disk.
  package static func open(path: String) throws(DecodeError) -> sending any Decoder {
    try open(try FileSource(path: path))
  }

  /// Opens the file at a path that need not be valid text; see `FileSource`. Blocks on the disk.
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

  /// Throws if the file has no sound: a recording that was stopped at once has a header only, and nobody should wait to
  /// hear it.
  private static func open(_ content: Content, with decoder: any Decoder.Type) throws(DecodeError)
    -> any Decoder
  {
    let opened = try decoder.init(content)
    guard opened.length != .exact(0) else { throw .noSound(file: content.source.name) }
    return opened
  }
}
