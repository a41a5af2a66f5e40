// SPDX-License-Identifier: MIT
import MediaModel
import Testing

@testable import DecodeIO

@Suite("Headers of MPEG audio")
struct MPEGHeaderTests {
  @Test("say version, layer, rate, channels and size")
  func headers() throws {
    // Sizes are by the formula of the standard: 144 (layer III of MPEG-2: 72) times bit rate by sample rate.
    let cases: [(UInt32, MPEGFrameHeader.Version, Int, Int, Bool, Int?, Int)] = [
      (0xFFFB_9064, .one, 3, 44_100, false, 417, 1_152), (0xFFFB_92C4, .one, 3, 44_100, true, 418, 1_152),
      (0xFFFB_E444, .one, 3, 48_000, false, 960, 1_152), (0xFFF3_40C4, .two, 3, 22_050, true, 104, 576),
      (0xFFE3_10C4, .twoAndAHalf, 3, 11_025, true, 52, 576),
      (0xFFFD_8004, .one, 2, 44_100, false, 417, 1_152),
      (0xFFFF_9004, .one, 1, 44_100, false, 312, 384), (0xFFFB_0064, .one, 3, 44_100, false, nil, 1_152),
    ]
    for (word, version, layer, rate, isMono, size, soundFrames) in cases {
      let header = try #require(MPEGFrameHeader(bytes(word)), "\(String(word, radix: 16))")
      #expect(header.version == version)
      #expect(header.layer == layer)
      #expect(header.rate == rate)
      #expect(header.isMono == isMono)
      #expect(header.frameSize == size)
      #expect(header.soundFrames == soundFrames)
    }
  }

  @Test("are told from other bytes")
  func noHeaders() {
    // No sync; version, layer, bit rate and sample rate that are reserved; too few bytes.
    for word: UInt32 in [0xFF1B_9064, 0xFFEB_9064, 0xFFF9_9064, 0xFFFB_F064, 0xFFFB_9C64, 0xFFFB_9066] {
      #expect(MPEGFrameHeader(bytes(word)) == nil, "\(String(word, radix: 16))")
    }
    #expect(MPEGFrameHeader(bytes(0xFFFB_9064).prefix(3)) == nil)
  }

  @Test("carry an Info tag of which every part may be absent")
  func infoTag() throws {
    let header = try #require(MPEGFrameHeader(bytes(0xFFFB_9064)))
    let front = bytes(0xFFFB_9064) + [UInt8](repeating: 0, count: 32)
    #expect(InfoTag(frame: front + Array("Vbri".utf8), header: header) == nil)
    let bare = try #require(InfoTag(frame: front + Array("Info".utf8) + [0, 0, 0, 0], header: header))
    #expect(bare.frames == nil && bare.bytes == nil && bare.encoder == nil)
    let full =
      front + Array("Xing".utf8) + [0, 0, 0, 3, 0, 0, 1, 0, 0, 1, 0, 0] + Array("LAME3.100".utf8)
      + [UInt8](repeating: 0, count: 10) + [0xC0, 0, 0x24, 0x01, 0x23]
    let tag = try #require(InfoTag(frame: full, header: header))
    #expect(tag.frames == 256 && tag.bytes == 65_536)
    let encoder = try #require(tag.encoder)
    #expect(encoder.delay == 576 && encoder.padding == 291 && encoder.hasNext && encoder.hasPrevious)
    #expect(InfoTag(frame: Array(full.dropLast()), header: header)?.encoder == nil)
  }

  private func bytes(_ word: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
  }
}
