// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
import Testing

@Suite("Keys")
struct PlainKeyTests {
  private static let table: [(String, [Key])] = [
    (" ", [.character(" ")]), ("np", [.character("n"), .character("p")]), ("q", [.character("q")]),
    ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]), ("\u{1B}OA", [.up]),
    ("\u{1B}OM", [.enter]),
    ("\u{1B}[1;5C", [.right]), ("\u{1B}[3~\u{1B}[5~\u{1B}[6;2~", [.delete, .pageUp, .pageDown]),
    ("\u{1B}[Z", [.backTab]),
    ("\u{1B}[H\u{1B}[4~", [.home, .end]), ("\r\n\t\u{7F}", [.enter, .enter, .tab, .backspace]),
    ("\u{3}\u{1A}", [.control("c"), .control("z")]),
    ("é日👍", [.character("é"), .character("日"), .character("👍")]),
    ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}[\u{1B}[A", [.up]),
    ("\u{1B}[200~x\u{1B}[201~y", [.character("y")]),
    ("\u{1B}[<0;1;2Mq", [.character("q")]), ("\u{1B}xq", [.character("q")]), ("\u{0}q", [.character("q")]),
  ]

  private func plain(_ inputs: [TerminalInput]) -> [Key] { inputs.compactMap(\.plainKey) }

  @Test("bytes become keys, and sequences that mean none are left out", arguments: table)
  func decoding(text: String, keys: [Key]) {
    var decoder = TerminalInputDecoder()
    #expect(plain(decoder.decode(text.utf8)) == keys)
    #expect(decoder.wait == nil)
  }

  @Test("it doesn't matter where a read ends", arguments: table)
  func split(text: String, keys: [Key]) {
    let bytes = Array(text.utf8)
    for place in 0...bytes.count {
      var decoder = TerminalInputDecoder()
      let inputs = decoder.decode(bytes[..<place]) + decoder.decode(bytes[place...])
      #expect(plain(inputs) == keys, "at \(place)")
    }
  }

  @Test("a lone escape is the key once nothing follows, an unfinished sequence is nothing")
  func flush() {
    var decoder = TerminalInputDecoder()
    #expect(decoder.decode([0x1B]) == [] && decoder.wait != nil)
    #expect(plain(decoder.flush()) == [.escape] && decoder.wait == nil)
    #expect(decoder.decode([0x1B, 0x5B, 0x31]) == [] && decoder.wait != nil)
    #expect(plain(decoder.flush()) == [])
  }

  @Test("broken bytes and endless sequences neither trap nor grow it")
  func garbage() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    var decoder = TerminalInputDecoder()
    for _ in 0..<100_000 { _ = decoder.decode([UInt8.random(in: 0...255, using: &generator)]) }
    _ = decoder.flush()
    #expect(plain(decoder.decode([0x1B, 0x5B] + [UInt8](repeating: 0x31, count: 3_000) + [0x6D])) == [])
    #expect(decoder.wait == nil, "seed \(seed)")
    #expect(plain(decoder.decode([0xC3, 0x28, 0x71])) == [.character("q")])
  }
}
