// SPDX-License-Identifier: MIT
import FileIO
import MediaModel

/// The bytes that a decoder reads: a fixed number of them, readable at any offset.
///
/// There is no cursor, so several readers may look at one source. One thread uses it at a time, the decoder's.
package protocol ByteSource: AnyObject {
  /// The source's name in errors, usually the path of its file.
  var name: String { get }

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

/// A regular file, open for reading. Bytes that are appended after it was opened are not played.
final class FileSource: ByteSource {
  /// The file's path, for a person to read.
  let name: String

  private let file: OpenFile

  /// Opens the file at a path. Throws if there is none, if it may not be read, or if it isn't a regular file.
  init(_ path: FilePath) throws(DecodeError) {
    name = path.text
    do throws(OpenFile.Failure) { file = try OpenFile(path) } catch {
      switch error {
      case .system(let error):
        throw DecodeError(
          .cannotOpen, file: path.text, reason: "cannot be opened: \(String(errno: error.code))")
      case .notAFile(let kind):
        throw DecodeError(.notAFile, file: path.text, reason: "is \(kind.name); only files can be played")
      }
    }
  }

  /// A file that is open already.
  init(_ file: consuming OpenFile, named name: String) {
    self.name = name
    self.file = file
  }

  var size: Int { file.size }

  func read(_ count: Int, at offset: Int, into bytes: inout MutableRawSpan) throws(DecodeError) -> Int {
    let count = max(0, min(count, size - offset))
    precondition(count <= bytes.byteCount, "no room for \(count) bytes")
    do throws(SystemError) {
      return try unsafe bytes.withUnsafeMutableBytes { room throws(SystemError) in
        try unsafe file.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
      }
    } catch {
      throw DecodeError(
        .unreadable, file: name, byteOffset: offset, reason: "cannot be read: \(String(errno: error.code))")
    }
  }
}

/// Parts of other sources, one after another: a file without its tags, or the end of one file and the next
/// one.
final class SplicedSource: ByteSource {
  /// A range of bytes of a source.
  struct Part {
    let source: any ByteSource
    let range: Range<Int>

    /// Traps unless the range lies inside the source.
    init(_ source: any ByteSource, _ range: Range<Int>) {
      precondition(range.lowerBound >= 0 && range.upperBound <= source.size, "a part outside of its source")
      (self.source, self.range) = (source, range)
    }
  }

  /// The name of the last part's source: that is the file that is played, and the parts before it only come in front.
  let name: String
  let size: Int
  private let parts: [Part]

  /// Joins the parts in this order. Traps if there are none.
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
