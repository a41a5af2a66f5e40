// SPDX-License-Identifier: MIT
import Glibc
import TimelineModel

/// An Ogg stream without those of its parts (songs of a chain) that a library must not decode by their headers.
///
/// Without the mark of its first page a library does not see a part, and leaves out the pages that belong to it.
final class CheckedParts: ByteSource {
  var name: String { source.name }
  var size: Int { source.size }

  private let source: any ByteSource
  private let isSound: (_ offset: Int) -> Bool
  /// Whether a part was hidden so far.
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
