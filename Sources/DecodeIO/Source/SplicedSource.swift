// SPDX-License-Identifier: MIT

/// Parts of other sources, one after another: a file without its tags, or the end of one file and the next
/// one.
final class SplicedSource: ByteSource {
  /// A stretch of a source.
  struct Part {
    let source: any ByteSource
    let range: Range<Int>

    /// Traps unless the range lies inside the source.
    init(_ source: any ByteSource, _ range: Range<Int>) {
      precondition(range.lowerBound >= 0 && range.upperBound <= source.size, "a part outside of its source")
      self.source = source
      self.range = range
    }
  }

  /// Errors carry the name of the last part: the file that is being played.
  let name: String
  let size: Int
  private let parts: [Part]

  /// Traps on no parts.
  init(_ parts: Part...) {
    precondition(!parts.isEmpty, "a splice of nothing")
    self.parts = parts
    name = parts[parts.count - 1].source.name
    size = parts.reduce(0) { $0 + $1.range.count }
  }

  func read(_ count: Int, at offset: Int, into bytes: inout MutableRawSpan) throws(DecodeError) -> Int {
    var start = offset
    for part in parts {
      let rest = part.range.count - start
      if rest > 0 {
        return try part.source.read(min(count, rest), at: part.range.lowerBound + start, into: &bytes)
      }
      start = -rest
    }
    return 0
  }
}
