// SPDX-License-Identifier: MIT
import FileIO
import Glibc
import MediaModel
import TimelineModel

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

/// An Ogg stream without those of its parts (songs of a chain) that a library must not decode by their headers.
///
/// Without the mark of its first page a library does not see a part, and leaves out the pages that belong to it.
final class CheckedParts: ByteSource {
  var name: String { source.name }
  var size: Int { source.size }

  private let source: any ByteSource
  private let isSound: (_ offset: Int) -> Bool
  /// Whether a part of the file has been hidden from its reader by now.
  private(set) var hidesAny = false
  /// Whether everything is shown from now on, because whoever reads has read the beginnings of all parts.
  var isOpen = false

  /// Where in a page's header the byte with its flags is, and the flag of a page that begins a part.
  private static let flags = (place: 5, beginning: UInt8(2))

  /// `isSound` is called with the offset of each page that begins a part, and tells whether it may be shown.
  init(_ source: any ByteSource, isSound: @escaping (_ offset: Int) -> Bool) {
    (self.source, self.isSound) = (source, isSound)
  }

  func read(_ count: Int, at offset: Int, into bytes: inout MutableRawSpan) throws(DecodeError) -> Int {
    let got = try source.read(count, at: offset, into: &bytes)
    if isOpen { return got }
    for index in Self.candidates(in: bytes, count: got) {
      let page = offset + index
      guard page >= 0, try begins(partAt: page), !isSound(page) else { continue }
      hidesAny = true
      for place in max(0, index)..<min(got, index + OggMark.size) {
        bytes.storeBytes(of: 0, toByteOffset: place, as: UInt8.self)
      }
    }
    return got
  }

  /// Where marks may begin in these bytes: wherever the first letter of a mark stands, and just before them, as the end of a mark may have come first.
  private static func candidates(in bytes: borrowing MutableRawSpan, count: Int) -> [Int] {
    var found: [Int] = []
    unsafe bytes.withUnsafeBytes { all in
      let before = min(count, OggMark.size - 1)
      // The other letters of a mark are at the beginning only if a mark has begun before.
      if before > 0, unsafe all[..<before].contains(where: { OggMark.goesOn(with: $0) }) {
        found += (1..<OggMark.size).map { -$0 }
      }
      guard count > 0, let start = all.baseAddress else { return }
      var place = 0
      while place < count,
        let next = unsafe memchr(start + place, Int32(OggMark.first), count - place)
      {
        let index = unsafe UnsafeRawPointer(next) - start
        let rest = unsafe UnsafeRawBufferPointer(rebasing: all[index..<min(count, index + OggMark.size)])
        if unsafe OggMark.begins(with: rest) { found.append(index) }
        place = index + 1
      }
    }
    return found
  }

  /// Whether the page of a new part begins at this byte.
  private func begins(partAt page: Int) throws(DecodeError) -> Bool {
    let head = try source.bytes(at: page, count: Self.flags.place + 1)
    return head.count > Self.flags.place && OggMark.stands(in: head, at: 0)
      && head[Self.flags.place] & Self.flags.beginning != 0
  }
}

/// A WAV file that does not say how large its sound is: its recorder was ended before it could write the size, or wrote into a pipe. The size is zero, or
/// the largest number there is.
///
/// This shows the largest size, which libsndfile cuts to what the file has. A file of more than 4 GiB is shown as RF64, which states true sizes.
final class BrokenOffWAV: ByteSource {
  var name: String { source.name }
  var size: Int { source.size + inserted.count }

  private let source: any ByteSource
  /// Where the four bytes of the size are in the source.
  private let place: Int
  /// What is shown instead of the four bytes of the file's mark, and what is shown behind the header's twelve bytes.
  private let mark: [UInt8]
  private let inserted: [UInt8]

  private static let headerSize = 12
  /// Less than this is left to libsndfile, which reads it by itself where the size is the largest number.
  private static let leastSound = 1 << 20
  private static let mostChunks = 1_000
  private static let unknownSize = 0xffff_ffff

  /// Nil if the sound's size is stated, or if there is none and other chunks follow, such as tags.
  init?(_ source: any ByteSource) throws(DecodeError) {
    guard let place = try Self.unstatedSize(in: source) else { return nil }
    (self.source, self.place) = (source, place)
    let sound = source.size - place - 4
    let isLarge = sound > Self.unknownSize
    mark = Array((isLarge ? "RF64" : "RIFF").utf8)
    inserted = isLarge ? Self.sizes(sound: sound, file: source.size) : []
  }

  /// Where the size of the sound would be; nil if it is there.
  private static func unstatedSize(in source: any ByteSource) throws(DecodeError) -> Int? {
    guard try source.bytes(at: 0, count: 4).elementsEqual("RIFF".utf8) else { return nil }
    var offset = headerSize
    for _ in 0..<mostChunks {
      var header = ByteCursor(try source.bytes(at: offset, count: 8))
      let isSound = header.take(mark: "data".utf8)
      guard isSound || header.take(4) != nil, let size = header.number(4, .littleEndian) else { return nil }
      if isSound {
        let start = offset + 8
        let isUnstated =
          size == 0
          ? UnsizedSound.follows(
            Array(try source.bytes(at: start, count: 8)), .littleEndian, room: source.size - start)
          : size == unknownSize && source.size - start > leastSound
        return isUnstated ? offset + 4 : nil
      }
      offset += 8 + size + size % 2
    }
    return nil
  }

  /// The chunk of RF64 that states the sizes of the file and of the sound.
  private static func sizes(sound: Int, file: Int) -> [UInt8] {
    let content = [file + 36 - 8, sound, 0].flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return Array("ds64".utf8) + [28, 0, 0, 0] + content + [0, 0, 0, 0]
  }

  func read(_ count: Int, at offset: Int, into bytes: inout MutableRawSpan) throws(DecodeError) -> Int {
    let start = Self.headerSize
    let end = start + inserted.count
    if (start..<end).contains(offset) {
      let part = inserted[(offset - start)...].prefix(count)
      for (index, byte) in part.enumerated() {
        bytes.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
      return part.count
    }
    let place = offset < start ? offset : offset - inserted.count
    let most = offset < start && !inserted.isEmpty ? min(count, start - offset) : count
    let got = try source.read(most, at: place, into: &bytes)
    show(mark, at: 0, in: place..<place + got, &bytes)
    show([0xff, 0xff, 0xff, 0xff], at: self.place, in: place..<place + got, &bytes)
    return got
  }

  /// Puts these bytes in the place of those at `offset` of the source, as far as they are in `range`, which `bytes` begins with.
  private func show(_ shown: [UInt8], at offset: Int, in range: Range<Int>, _ bytes: inout MutableRawSpan) {
    for (index, byte) in shown.enumerated() where range.contains(offset + index) {
      bytes.storeBytes(of: byte, toByteOffset: offset + index - range.lowerBound, as: UInt8.self)
    }
  }
}
