// SPDX-License-Identifier: MIT

/// Where a decoder's bytes come from: a number of bytes that can be read at any offset.
///
/// There is no cursor, so several readers may look at one source. One thread uses it at a time, the decoder's.
package protocol ByteSource: AnyObject {
  /// What errors call it: a path, as a rule.
  var name: String { get }

  /// How many bytes there are.
  var size: Int { get }

  /// Fills the front of `bytes` with up to `count` bytes from `offset` on, and returns how many came; 0 only
  /// at or past the end. Blocks until there are some. `bytes` has room for `count`, which is above zero.
  func read(_ count: Int, at offset: Int, into bytes: inout MutableRawSpan) throws(DecodeError) -> Int
}

extension ByteSource {
  /// Up to `count` bytes from `offset` on; fewer where the source ends.
  func bytes(at offset: Int, count: Int) throws(DecodeError) -> [UInt8] {
    let wanted = max(0, min(count, size - offset))
    var bytes: [UInt8] = []
    while bytes.count < wanted {
      let missing = wanted - bytes.count
      var more = [UInt8](repeating: 0, count: missing)
      var span = more.mutableSpan
      var raw = unsafe span.mutableBytes
      let got = try read(missing, at: offset + bytes.count, into: &raw)
      if got == 0 { break }
      bytes += more.prefix(got)
    }
    return bytes
  }
}
