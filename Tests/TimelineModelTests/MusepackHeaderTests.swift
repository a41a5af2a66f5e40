// SPDX-License-Identifier: MIT
import Testing

@testable import TimelineModel

@Suite("What a Musepack file says of its time")
struct MusepackHeaderTests {
  /// The beginning of a file of version 8. The numbers are those of the file, before and behind the sign for it.
  private static func version8(
    count: [UInt8] = [0x83, 0x86, 0x50], silence: [UInt8] = [0], rate: UInt8 = 0x1e, channels: UInt8 = 0x1b
  ) -> [UInt8] {
    let content = [0x9d, 0x28, 0x4b, 0xcc, 8] + count + silence + [rate, channels]
    return Array("MPCKSH".utf8) + [UInt8(content.count + 3)] + content + Array("RG".utf8)
  }

  @Test("version 8 counts frames, and the silence before them")
  func version8() throws {
    let plain = try #require(MusepackHeader(Self.version8()))
    #expect(plain.rate == 44_100 && plain.channels == 2)
    #expect(plain.frames == 50_000 && plain.cut == (481, 50_481))
    let late = try #require(MusepackHeader(Self.version8(silence: [0x87, 0x68], rate: 0x7e, channels: 0x0b)))
    #expect(late.rate == 32_000 && late.channels == 1)
    #expect(late.cut == (1_481, 50_481))
    let unknown = try #require(MusepackHeader(Self.version8(count: [0])))
    #expect(unknown.frames == nil && unknown.cut == (481, nil))
  }

  /// The beginning of a file of version 7.
  private static func version7(packets: UInt8, last: UInt32, isGapless: Bool = true) -> [UInt8] {
    let ending = (isGapless ? 1 << 31 : 0) | last << 20 | 0x1234
    return Array("MP+".utf8) + [7, packets, 0, 0, 0, 0xea, 0x18, 0xa1, 0x5c] + [UInt8](repeating: 9, count: 8)
      + (0..<4).map { UInt8(truncatingIfNeeded: ending >> (8 * $0)) } + [0, 0, 0, 0x73]
  }

  @Test(
    "version 7 counts packets, and the frames of the last one",
    arguments: [
      (413, true, 2_717), (1, true, 2_305), (671, true, 2_975), (1_152, true, 2_975), (0, true, 2_975),
      (413, false, 2_975),
    ])
  func version7(last: UInt32, isGapless: Bool, frames: Int) throws {
    let header = try #require(MusepackHeader(Self.version7(packets: 3, last: last, isGapless: isGapless)))
    #expect(header.rate == 48_000 && header.channels == 2)
    #expect(header.frames == frames && header.start == 481)
  }

  @Test("both tell by how much to play louder, or that they do not know")
  func gains() throws {
    let rg: (Int, Int) -> [UInt8] = { [UInt8($0 >> 8), UInt8($0 & 255), UInt8($1 >> 8), UInt8($1 & 255)] }
    // The title is 71.23 dB loud and has a peak of half of full scale; the album's peak is not known.
    let packet = [12, 1] + rg(18_235, 21_578) + rg(16_594, 0)
    let eight = try #require(MusepackHeader(Self.version8() + packet))
    #expect(abs(try #require(eight.track?.decibels) + 6.41) < 0.01)
    #expect(abs(try #require(eight.track?.peak) - 0.5) < 0.001)
    #expect(abs(try #require(eight.album?.decibels)) < 0.01 && eight.album?.peak == nil)
    let unknown = try #require(MusepackHeader(Self.version8() + [12, 1] + rg(0, 0) + rg(0, 0)))
    #expect(unknown.track == nil && unknown.album == nil)
    var seven = Self.version7(packets: 3, last: 413)
    seven.replaceSubrange(12..<20, with: [0x00, 0x40, 0x7f, 0xfd, 0, 0, 0, 0])
    let header = try #require(MusepackHeader(seven))
    #expect(header.track == .init(decibels: -6.41, peak: 0.5) && header.album == nil && header.start == 481)
  }

  @Test("what is cut short or makes no sense is no header")
  func hostile() {
    for whole in [Self.version8(), Self.version7(packets: 3, last: 413)] {
      let end = whole.count - 4
      for count in 0..<end { _ = MusepackHeader(Array(whole.prefix(count))) }
      #expect(MusepackHeader(Array(whole.prefix(12))) == nil)
    }
    #expect(MusepackHeader(Self.version8(count: [UInt8](repeating: 0xff, count: 12))) == nil)
    #expect(MusepackHeader(Self.version8(rate: 0xff)) == nil)
    #expect(MusepackHeader(Self.version7(packets: 0, last: 1)) == nil)
    #expect(MusepackHeader(Array("MPCKAP".utf8)) == nil)
  }
}
