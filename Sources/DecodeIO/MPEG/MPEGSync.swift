// SPDX-License-Identifier: MIT

/// Finds where MPEG audio begins. In any file two bytes look like a header one time in a thousand, so a header counts
/// only if others follow at the distance that it states.
struct MPEGSync {
  private let bytes: [UInt8]
  /// Whether `bytes` reach to the end of the content.
  private let isWhole: Bool

  /// How many headers in a row count as sound if there is junk before them. At the very front two are enough, and in a
  /// tiny file one.
  private static let headersInARow = 3
  /// The longest frame in free format: a second of 640 kbit/s has at least 38 frames.
  private static let largestFreeFrame = 4_608
  /// How many times the next frame in free format is searched for. The search is slow, and a hostile file must not keep
  /// it going.
  private static let freeFormatTries = 16

  init(_ content: Content) {
    bytes = content.head
    isWhole = content.source.size - content.start <= content.head.count
  }

  /// The offset of the first frame in the head; nil if there is none.
  var firstFrame: Int? {
    var tries = Self.freeFormatTries
    for offset in bytes.indices where bytes[offset] == 0xFF {
      guard let header = header(at: offset) else { continue }
      if let size = header.frameSize {
        if follows(header, at: offset + size, headers: offset == 0 ? 1 : Self.headersInARow - 1) {
          return offset
        }
      } else if tries > 0 {
        tries -= 1
        if hasFreeFormat(header, at: offset) { return offset }
      }
    }
    return nil
  }

  private func header(at offset: Int) -> MPEGFrameHeader? {
    MPEGFrameHeader(bytes[offset..<min(bytes.count, offset + MPEGFrameHeader.size)])
  }

  /// Whether so many headers of the same sound follow. Also true where the file ends or its closing tags begin.
  private func follows(_ first: MPEGFrameHeader, at offset: Int, headers: Int) -> Bool {
    var offset = offset
    for _ in 0..<headers {
      if offset + MPEGFrameHeader.size > bytes.count { return isWhole }
      guard let next = header(at: offset), next.continues(first), let size = next.frameSize else {
        return ["TAG", "APETAGEX", "LYRICSBEGIN"].contains { bytes[offset...].starts(with: $0.utf8) }
      }
      offset += size
    }
    return true
  }

  /// Whether three headers stand at equal distances; a byte of padding may come in between.
  private func hasFreeFormat(_ first: MPEGFrameHeader, at offset: Int) -> Bool {
    let smallest = MPEGFrameHeader.size + 2
    let last = min(bytes.count - MPEGFrameHeader.size, offset + Self.largestFreeFrame)
    guard last >= offset + smallest else { return false }
    for next in (offset + smallest)...last where isFree(first, at: next) {
      let distance = next - offset
      if (-1...1).contains(where: { isFree(first, at: next + distance + $0) }) { return true }
    }
    return false
  }

  private func isFree(_ first: MPEGFrameHeader, at offset: Int) -> Bool {
    guard offset + MPEGFrameHeader.size <= bytes.count, bytes[offset] == 0xFF else { return false }
    guard let next = header(at: offset), next.frameSize == nil else { return false }
    return next.continues(first)
  }
}
