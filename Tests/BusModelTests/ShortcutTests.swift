// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@testable import BusModel

/// What is answered without making a type or a signature is what making one says.
@Suite("Shortcuts")
struct ShortcutTests {
  @Test("a type's text leads back to it, also that of the common ones")
  func text() throws {
    var random = WireRandom(seed: 41)
    let types =
      BasicType.allCases.map { WireType.basic($0) } + ["as", "a{sv}", "v"]
      + (0..<2_000).map { _ in random.type(depth: 3) }
    for type in types where (try? Signature([type])) != nil {
      #expect(try WireType(type.description) == type)
    }
  }

  @Test("a value is of its type, and of another one only if the two are the same")
  func isOf() {
    var random = WireRandom(seed: 42)
    var matches = 0
    for _ in 0..<20_000 {
      let (one, other) = (random.type(depth: 2), random.type(depth: 2))
      let value = random.value(of: one)
      #expect(value.isOf(one))
      #expect(value.isOf(other) == (one == other))
      if one == other { matches += 1 }
    }
    #expect(matches > 100)
  }

  @Test("what counts as shallow is never refused; what is refused is found out")
  func shallow() throws {
    var random = WireRandom(seed: 43)
    for _ in 0..<5_000 {
      let types = (0..<random.below(20)).map { _ in random.type(depth: 3) }
      let isRefused = (try? Signature(types)) == nil
      #expect(((try? WireType.check(types)) == nil) == isRefused)
    }
    let deep = (0..<40).reduce(WireType.byte) { type, _ in .array(type) }
    for types in [
      [deep], [.structure([])], [.array(.structure([]))], Array(repeating: WireType.byte, count: 256),
    ] {
      #expect(throws: WireError.self) { try WireType.check(types) }
    }
  }
}
