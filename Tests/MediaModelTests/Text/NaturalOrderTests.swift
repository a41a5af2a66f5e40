// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
import Testing

@Suite("The order of names")
struct NaturalOrderTests {
  @Test(
    "names stand in the order people expect",
    arguments: [
      ["1 a", "2 b", "10 c"], ["a1b2", "a1b10", "a2b1"], ["Abba", "abc", "B", "c"], ["a", "a 1", "a1"],
      ["Anna", "Äpfel", "Elan", "Émile", "Emu", "Zoo"], ["ёлка", "Жук", "яма"], ["e\u{301}a", "éb", "ec"],
      ["disc 1/02", "disc 1/10", "disc 2/01"], ["01", "1", "2"],
      ["x99999999999999999999998", "x99999999999999999999999"], ["", "0", "a"],
    ])
  func order(names: [String]) {
    #expect(names.reversed().sorted(by: NaturalOrder.precedes) == names)
  }

  @Test("folders stay together before names that only begin like them")
  func folders() {
    let paths: [FilePath] = ["/m/a/2.mp3", "/m/a/10.mp3", "/m/a b/1.mp3"]
    #expect(paths.reversed().sorted { NaturalOrder.precedes($0, $1) } == paths)
  }

  @Test("it is a total order", arguments: [1, 2] as [UInt64])
  func totalOrder(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let names = (0..<60).map { _ in
      String(decoding: generator.bytes(upTo: 4, of: Array("0019aAé /".utf8)), as: UTF8.self)
    }
    for a in names {
      for b in names {
        let (before, after) = (NaturalOrder.precedes(a, b), NaturalOrder.precedes(b, a))
        #expect(a == b ? !before && !after : before != after, "seed \(seed): \(a), \(b)")
        for c in names where before && NaturalOrder.precedes(b, c) {
          #expect(NaturalOrder.precedes(a, c), "seed \(seed): \(a), \(b), \(c)")
        }
      }
    }
  }
}
