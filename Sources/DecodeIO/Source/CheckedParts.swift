// SPDX-License-Identifier: MIT
import TimelineModel

/// An Ogg stream that is read from its beginning to its end, without those of its parts that a library must not decode by their headers.
///
/// A library that can go to any place in a file names the parts itself. One that only reads on meets them when it decodes. Without the mark of its first
/// page it does not see a part, and leaves out the pages that belong to it.
final class CheckedParts: ByteSource {
  var name: String { source.name }
  var size: Int { source.size }

  private let source: any ByteSource
  private let isSound: (_ offset: Int) -> Bool

  /// Where in a page's header the byte with its flags is, and the flag of a page that begins a part.
  private static let flags = (place: 5, beginning: UInt8(2))

  /// `isSound` is called with the offset of each page that begins a part, and tells whether it may be shown.
  init(_ source: any ByteSource, isSound: @escaping (_ offset: Int) -> Bool) {
    (self.source, self.isSound) = (source, isSound)
  }

  func read(_ count: Int, at offset: Int, into bytes: inout MutableRawSpan) throws(DecodeError) -> Int {
    let got = try source.read(count, at: offset, into: &bytes)
    // A mark may have begun in the bytes before, and its flags may come after.
    let start = max(0, offset - OggMark.size)
    let window = try source.bytes(at: start, count: offset + got + Self.flags.place - start)
    for index in window.indices where OggMark.stands(in: window, at: index) {
      let flags = index + Self.flags.place
      guard flags < window.count, window[flags] & Self.flags.beginning != 0 else { continue }
      let page = start + index
      guard !isSound(page) else { continue }
      for place in page..<page + OggMark.size where (offset..<offset + got).contains(place) {
        bytes.storeBytes(of: 0, toByteOffset: place - offset, as: UInt8.self)
      }
    }
    return got
  }
}
