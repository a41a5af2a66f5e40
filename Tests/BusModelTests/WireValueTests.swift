// SPDX-License-Identifier: MIT
import BusModel
import FermataTestKit
import Testing

@Suite("Values")
struct WireValueTests {
  private func check(_ value: WireValue, as type: WireType, limit: Int = WireBudget.standardLimit) throws {
    var budget = WireBudget(limit: limit)
    try value.check(as: type, budget: &budget)
  }

  @Test("random values are of the type that they were made for, and of no other")
  func randomValues() throws {
    var random = WireRandom(seed: 3)
    for round in 0..<3_000 {
      let type = random.type(depth: 3)
      let other = random.type(depth: 3)
      let value = random.value(of: type)
      #expect(value.type == type, "round \(round)")
      try check(value, as: type)
      guard other != type else { continue }
      #expect(throws: WireError.self, "round \(round)") { try check(value, as: other) }
    }
  }

  @Test(
    "a container whose contents belie it is refused",
    arguments: [
      (.array(.string, [.int32(1)]), .typeMismatch(expected: .string, found: .int32)),
      (.array(.array(.int32), [.array(.uint32, [])]), .typeMismatch(expected: "ai", found: "au")),
      (
        .dictionary(.string, .variant, [DictionaryEntry(.int32(1), .variant(.byte(1)))]),
        .typeMismatch(expected: .string, found: .int32)
      ),
      (
        .dictionary(.string, .variant, [DictionaryEntry(.string("a"), .byte(1))]),
        .typeMismatch(expected: .variant, found: .byte)
      ),
      (.variant(.structure([])), .badSignature(.emptyStructure("()"))),
      (.variant(.array(.structure([]), [])), .badSignature(.emptyStructure("a()"))),
      (.string("a\0b"), .nul("a\0b")),
    ] as [(WireValue, WireError)])
  func contradictions(value: WireValue, error: WireError) {
    #expect(throws: error) { try check(value, as: value.type) }
    #expect(!error.description.isEmpty)
  }

  @Test("variants nest 64 deep and no deeper")
  func depth() throws {
    let nested = { (depth: Int) in (0..<depth).reduce(WireValue.byte(1)) { value, _ in .variant(value) } }
    try check(nested(64), as: .variant)
    #expect(throws: WireError.tooDeep) { try check(nested(65), as: .variant) }
  }

  @Test("a value that costs more than the budget is refused, text and count alike")
  func budget() throws {
    let bytes = WireValue.array(.byte, Array(repeating: .byte(0), count: 1_000))
    let text = WireValue.string(String(repeating: "x", count: 1_000))
    for (value, cost) in [(bytes, 1_001 * WireBudget.valueCost), (text, 1_000 + WireBudget.valueCost)] {
      try check(value, as: value.type, limit: cost)
      #expect(throws: WireError.tooLarge(limit: cost - 1)) {
        try check(value, as: value.type, limit: cost - 1)
      }
    }
    var whole = WireBudget(limit: .max)
    #expect(throws: WireError.tooLarge(limit: .max)) { try whole.pay(.max) }
  }

  @Test("properties are text to anything, in the order given")
  func properties() {
    let value = WireValue.properties([("b", .int32(1)), ("a", .string("x"))])
    #expect(value.type == "a{sv}")
    #expect([String: WireValue](wire: value) == ["a": .string("x"), "b": .int32(1)])
    #expect(value.fields == nil && WireValue.structure([.byte(1)]).fields == [.byte(1)])
  }
}
