// SPDX-License-Identifier: MIT

/// Finds where MPEG audio begins. In any file, two bytes look like a header one time in a thousand. So a header counts only if others follow at the
/// distance that it states.
package struct MPEGSync {
  private let bytes: [UInt8]
  private let isWhole: Bool

  /// How many headers in a row are needed if there is junk before them. At the very front two are enough, and in a tiny file one.
  private static let headersInARow = 3
  /// The longest frame in free format: a second of 640 kbit/s has at least 38 frames.
  private static let largestFreeFrame = 4_608
  /// How often the next frame in free format is searched for. The search is slow, and a malicious file must not prolong it.
  private static let freeFormatTries = 16

  /// Searches these bytes from a file. `isWhole` says that the file ends with them.
  package init(_ bytes: [UInt8], isWhole: Bool) { (self.bytes, self.isWhole) = (bytes, isWhole) }

  /// The offset of the first frame; nil if there is none.
  package var firstFrame: Int? {
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

  /// Whether `headers` more headers of the same sound follow from `offset` on. Also true if the file ends, or the tags
  /// at its end begin, before that.
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

  /// Whether `first` and two further headers stand at equal distances; a byte of padding may make one distance longer.
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

/// The four bytes that begin a frame of MPEG audio.
package struct MPEGFrameHeader: Equatable {
  package enum Version: Equatable { case one, two, twoAndAHalf }

  package static let size = 4

  package let version: Version
  package let layer: Int
  /// The sample rate: samples per second.
  package let rate: Int
  package let isMono: Bool
  /// Whether two bytes of checksum follow the header.
  package let hasChecksum: Bool
  /// The bit rate in thousands of bits per second; 0 in free format.
  package let kilobits: Int
  /// The size of the whole frame in bytes; nil in free format, where only the place of the next frame tells it.
  package let frameSize: Int?

  /// Reads a header; nil for bytes that cannot be one.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count >= Self.size else { return nil }
    let word = bytes.prefix(Self.size).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let field = { (shift: UInt32, bits: UInt32) in Int(word >> shift & (1 << bits - 1)) }
    guard word >> 21 == 0x7FF, let version = Self.versions[field(19, 2)], field(17, 2) != 0,
      field(10, 2) != 3, field(12, 4) != 15, field(0, 2) != 2
    else { return nil }
    self.version = version
    layer = 4 - field(17, 2)
    let divisor = version == .one ? 1 : version == .two ? 2 : 4
    rate = [44_100, 48_000, 32_000][field(10, 2)] / divisor
    isMono = field(6, 2) == 3
    hasChecksum = field(16, 1) == 0
    kilobits = Self.bitRates[version == .one ? layer - 1 : layer == 1 ? 3 : 4][field(12, 4)]
    frameSize =
      kilobits == 0
      ? nil : Self.size(kilobits, rate, padding: field(9, 1), layer: layer, isMPEG1: version == .one)
  }

  /// Whether frames with these headers can belong to one sound; bit rate and stereo coding may differ.
  package func continues(_ other: MPEGFrameHeader) -> Bool {
    version == other.version && layer == other.layer && rate == other.rate && isMono == other.isMono
  }

  /// How many samples of each channel the frame holds.
  package var soundFrames: Int { layer == 1 ? 384 : layer == 3 && version != .one ? 576 : 1152 }

  /// The range of layer III's side information in the frame, in bytes.
  package var sideInformation: Range<Int> {
    let size = version == .one ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    let start = Self.size + (hasChecksum ? 2 : 0)
    return start..<start + size
  }

  private static func size(_ kilobits: Int, _ rate: Int, padding: Int, layer: Int, isMPEG1: Bool) -> Int {
    if layer == 1 { return (12_000 * kilobits / rate + padding) * 4 }
    return (layer == 3 && !isMPEG1 ? 72_000 : 144_000) * kilobits / rate + padding
  }

  private static let versions: [Version?] = [.twoAndAHalf, nil, .two, .one]
  /// The bit rate by index, in thousands of bits per second. The rows are layers I, II and III of MPEG-1, then layer I of MPEG-2, then its other
  /// layers.
  private static let bitRates = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
}
