// SPDX-License-Identifier: MIT

/// The four bytes that begin a frame of MPEG audio.
struct MPEGFrameHeader: Equatable {
  enum Version: Equatable { case one, two, twoAndAHalf }

  static let size = 4

  let version: Version
  /// 1, 2 or 3.
  let layer: Int
  /// Samples a second.
  let rate: Int
  let isMono: Bool
  /// Whether two bytes of checksum follow the header.
  let hasChecksum: Bool
  /// Bytes of the whole frame; nil in free format, where only the place of the next frame tells.
  let frameSize: Int?

  /// Reads a header; nil for bytes that cannot be one.
  init?(_ bytes: some Collection<UInt8>) {
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
    let kilobits = Self.bitRates[version == .one ? layer - 1 : layer == 1 ? 3 : 4][field(12, 4)]
    frameSize =
      kilobits == 0
      ? nil : Self.size(kilobits, rate, padding: field(9, 1), layer: layer, isMPEG1: version == .one)
  }

  /// Whether frames with these headers can belong to one sound; bit rate and stereo coding may differ.
  func continues(_ other: MPEGFrameHeader) -> Bool {
    version == other.version && layer == other.layer && rate == other.rate && isMono == other.isMono
  }

  /// How many frames of sound one frame of data holds.
  var soundFrames: Int { layer == 1 ? 384 : layer == 3 && version != .one ? 576 : 1152 }

  /// Where the side information of layer III lies in the frame. An Info tag stands right behind it.
  var sideInformation: Range<Int> {
    let size = version == .one ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    let start = Self.size + (hasChecksum ? 2 : 0)
    return start..<start + size
  }

  private static func size(_ kilobits: Int, _ rate: Int, padding: Int, layer: Int, isMPEG1: Bool) -> Int {
    if layer == 1 { return (12_000 * kilobits / rate + padding) * 4 }
    return (layer == 3 && !isMPEG1 ? 72_000 : 144_000) * kilobits / rate + padding
  }

  private static let versions: [Version?] = [.twoAndAHalf, nil, .two, .one]
  /// Kilobits a second by index. The rows are layers I, II and III of MPEG-1, then layer I of MPEG-2, then its other
  /// layers.
  private static let bitRates = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
}
