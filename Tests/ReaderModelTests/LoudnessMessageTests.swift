// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
import ReaderModel
import Testing

@Suite("What is said about loudness")
struct LoudnessMessageTests {
  private static let found: MeasuredLoudness = {
    var blocks = LoudnessBlocks()
    for number in 0..<900 { blocks.add(Double(number % 40) - 50) }
    return MeasuredLoudness(integrated: blocks.integrated, peak: 1.25, blocks: blocks)
  }()

  private static let replies: [LoudnessReply] = [
    .going, .measured(found), .measured(MeasuredLoudness(integrated: nil, peak: 0, blocks: LoudnessBlocks())),
    .failed(LoudnessFailure(.unfit, "is damaged: ä")), .failed(LoudnessFailure(.missing, "")),
  ]

  @Test("orders and answers arrive as they were sent")
  func whole() {
    for order in [LoudnessOrder.begin(size: 0), .begin(size: .max), .goOn] {
      #expect(LoudnessOrder(order.bytes) == order)
    }
    for reply in Self.replies {
      #expect(LoudnessReply(reply.bytes) == reply)
      #expect(reply.bytes.count <= LoudnessProtocol.largestPacket)
    }
  }

  @Test("the largest answers fit into a packet")
  func largest() throws {
    var blocks = LoudnessBlocks()
    for step in 0..<1_000 { for _ in 0..<200 { blocks.add(-69.95 + Double(step) / 10) } }
    let reply = LoudnessReply.measured(
      MeasuredLoudness(integrated: blocks.integrated, peak: 1, blocks: blocks))
    #expect(
      reply.bytes.count <= LoudnessProtocol.largestPacket
        && LoudnessBlocks.mostBytes < LoudnessProtocol.largestPacket)
    #expect(LoudnessReply(reply.bytes) == reply)
    let long = LoudnessReply.failed(LoudnessFailure(.unfit, String(repeating: "x", count: 100_000)))
    #expect(LoudnessReply(long.bytes) != nil && long.bytes.count <= LoudnessProtocol.largestPacket)
  }

  @Test("a loudness that can't be is refused")
  func impossible() {
    for (integrated, peak) in [
      (Double?(31), Float(1)), (-71, 1), (nil, 1), (-20, .nan), (-20, .infinity), (-20, -1),
    ] {
      let lie = MeasuredLoudness(integrated: integrated, peak: peak, blocks: Self.found.blocks)
      #expect(LoudnessReply(LoudnessReply.measured(lie).bytes) == nil, "\(lie.integrated as Any), \(peak)")
    }
    let empty = MeasuredLoudness(integrated: -20, peak: 1, blocks: LoudnessBlocks())
    #expect(LoudnessReply(LoudnessReply.measured(empty).bytes) == nil)
  }

  @Test(
    "damaged packets are refused or say something else, and nothing traps", arguments: 0..<50 as Range<UInt64>
  )
  func damaged(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for packet in Self.replies.map(\.bytes) + [LoudnessOrder.begin(size: 77).bytes, LoudnessOrder.goOn.bytes]
    {
      for _ in 0..<40 {
        var bytes = packet
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        }
        bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
        if case .measured(let found)? = LoudnessReply(bytes) {
          #expect(found.peak.isFinite && (found.integrated ?? 0).isFinite)
        }
        if case .begin(let size)? = LoudnessOrder(bytes) { #expect(size >= 0) }
      }
    }
  }
}
