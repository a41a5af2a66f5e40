// SPDX-License-Identifier: MIT
import MediaModel

/// A WAV file whose recorder was ended before it could write how large the sound is: the size is still zero. This shows the largest size instead, which
/// libsndfile cuts to what the file has.
final class BrokenOffWAV: ByteSource {
  var name: String { source.name }
  var size: Int { source.size }

  private let source: any ByteSource
  /// Where the four bytes of the size are.
  private let place: Int

  /// A chunk of no size with less behind it is an empty recording; there may be tags behind it.
  private static let leastSound = 1 << 20
  private static let mostChunks = 1_000

  /// Nil if the sound's size is stated, or if so little follows that there may be none.
  init?(_ source: any ByteSource) throws(DecodeError) {
    guard try source.bytes(at: 0, count: 4).elementsEqual("RIFF".utf8) else { return nil }
    var offset = 12
    for _ in 0..<Self.mostChunks {
      var header = ByteCursor(try source.bytes(at: offset, count: 8))
      let isSound = header.take(mark: "data".utf8)
      guard isSound || header.take(4) != nil, let size = header.number(4, .littleEndian) else { return nil }
      if isSound {
        guard size == 0, source.size - offset > Self.leastSound else { return nil }
        (self.source, place) = (source, offset + 4)
        return
      }
      offset += 8 + size + size % 2
    }
    return nil
  }

  func read(_ count: Int, at offset: Int, into bytes: inout MutableRawSpan) throws(DecodeError) -> Int {
    let got = try source.read(count, at: offset, into: &bytes)
    for index in place..<place + 4 where (offset..<offset + got).contains(index) {
      bytes.storeBytes(of: 0xff, toByteOffset: index - offset, as: UInt8.self)
    }
    return got
  }
}
