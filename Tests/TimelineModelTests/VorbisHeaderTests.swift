// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@testable import TimelineModel

@Suite("The tables of a Vorbis header")
struct VorbisHeaderTests {
  /// Bits in the order in which Vorbis writes them: the lowest of a number first.
  private struct Bits {
    private(set) var bits: [Bool] = []

    mutating func put(_ number: Int, _ count: Int) {
      for bit in 0..<count { bits.append(number >> bit & 1 == 1) }
    }

    var bytes: [UInt8] {
      stride(from: 0, to: bits.count, by: 8).map { start in
        bits[start..<min(bits.count, start + 8)].reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
      }
    }
  }

  private enum Kind: CaseIterable { case full, sparse, ordered }

  /// A header whose tables have these numbers of entries.
  private func setup(_ counts: [Int], _ kind: Kind, values: Int = 0, width: Int = 2) -> [UInt8] {
    var bits = Bits()
    bits.put(counts.count - 1, 8)
    for count in counts {
      bits.put(0x564342, 24)
      bits.put(width, 16)
      bits.put(count, 24)
      bits.put(kind == .ordered ? 1 : 0, 1)
      switch kind {
      case .full:
        bits.put(0, 1)
        for _ in 0..<count { bits.put(7, 5) }
      case .sparse:
        bits.put(1, 1)
        for entry in 0..<count {
          bits.put(entry % 2, 1)
          if entry % 2 == 1 { bits.put(7, 5) }
        }
      case .ordered:
        bits.put(3, 5)
        let width = Int.bitWidth - count.leadingZeroBitCount
        bits.put(0, width)
        bits.put(count, width)
      }
      bits.put(values, 4)
      guard values > 0 else { continue }
      bits.put(0, 64)
      bits.put(4, 4)
      bits.put(0, 1)
      // Of two values each: as many as the root of the entries, or one each.
      let number = values == 1 ? Int(Double(count).squareRoot()) : count * 2
      for _ in 0..<number { bits.put(5, 5) }
    }
    return [5] + Array("vorbis".utf8) + bits.bytes
  }

  @Test("are counted together, however their codes and values are written")
  func counts() {
    for kind in Kind.allCases {
      for values in 0...2 {
        let packet = setup([100, 3, 6_561, 1], kind, values: values)
        let tables = VorbisHeader.tables(inSetup: packet, limit: Self.limit)
        #expect(
          tables == .init(entries: 6_665, values: values == 0 ? 0 : 2 * 6_665), "\(kind) \(values)")
      }
    }
  }

  private static let limit = VorbisHeader.Tables(entries: 1 << 18, values: 1 << 22)

  @Test("are counted no further than the limit, nor where the header contradicts itself")
  func limits() {
    let large = setup([100, 0x40_0000, 100], .ordered)
    let many = setup([Int](repeating: 2_000, count: 256), .ordered)
    // Few entries that have as many dimensions as can be said: a decoder would compute gigabytes for them.
    let wide = setup([Int](repeating: 255, count: 9), .ordered, values: 1, width: 65_535)
    for packet in [large, many, wide] {
      #expect(!VorbisHeader.tables(inSetup: packet, limit: Self.limit).fits(Self.limit))
    }
    var broken = setup([100, 200], .full)
    broken.removeLast(100)
    #expect(VorbisHeader.tables(inSetup: broken, limit: Self.limit) == .init(entries: 300))
    #expect(VorbisHeader.tables(inSetup: [5], limit: Self.limit) == .init())
  }

  @Test("of whatever bytes end the count")
  func random() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      var packet = setup([50, 300], Kind.allCases.randomElement(using: &generator) ?? .full, values: 1)
      for _ in 0..<3 {
        let place = Int.random(in: 7..<packet.count, using: &generator)
        packet[place] = .random(in: 0...255, using: &generator)
      }
      #expect(VorbisHeader.tables(inSetup: packet, limit: Self.limit).entries >= 0)
    }
  }
}
