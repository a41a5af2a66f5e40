// SPDX-License-Identifier: MIT

/// A source and its beginning, by which decoders recognise what they can play.
package struct Content {
  /// Where the bytes come from.
  package let source: any ByteSource
  /// Where the content begins in the source: after any ID3v2 tags, which may stand before every format.
  package let start: Int
  /// The bytes from `start` on, at most `headSize` of them.
  package let head: [UInt8]

  /// How far into the content a decoder may look for what it knows.
  package static let headSize = 64 * 1024

  /// Looks at the beginning of a source. Throws if it is empty or can't be read.
  package init(of source: any ByteSource) throws(DecodeError) {
    guard source.size > 0 else { throw DecodeError(.empty, file: source.name, reason: "is empty") }
    var start = 0
    // Some taggers put a new tag before the old one. More than a few are not expected.
    for _ in 0..<8 {
      guard let size = ID3.sizeOfTag(try source.bytes(at: start, count: ID3.headerSize)) else { break }
      start += size
    }
    guard start < source.size else {
      throw DecodeError(
        .damaged, file: source.name, byteOffset: 0,
        reason: "has nothing behind its ID3 tag, which says that it is \(start) bytes long")
    }
    self.source = source
    self.start = start
    head = try source.bytes(at: start, count: Self.headSize)
  }

  /// The same content from a later byte on, which lies before the end.
  init(of source: any ByteSource, from start: Int) throws(DecodeError) {
    self.source = source
    self.start = start
    head = try source.bytes(at: start, count: Self.headSize)
  }

  /// Whether these ASCII characters stand at an offset of the head.
  package func has(_ text: StaticString, at offset: Int = 0) -> Bool {
    guard offset + text.utf8CodeUnitCount <= head.count else { return false }
    return "\(text)".utf8.elementsEqual(head[offset..<offset + text.utf8CodeUnitCount])
  }

  /// The source from `start` on.
  var body: any ByteSource {
    start == 0 ? source : SplicedSource(.init(source, start..<source.size))
  }

  /// An error about this content.
  func error(_ code: DecodeError.Code, at byteOffset: Int? = nil, _ reason: String) -> DecodeError {
    DecodeError(code, file: source.name, byteOffset: byteOffset, reason: reason)
  }
}
