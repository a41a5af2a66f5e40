// SPDX-License-Identifier: MIT
import BusModel
import Testing

@Suite("Swift values on the wire")
struct ConversionTests {
  private func roundTrip<Value: WireConvertible & Equatable>(_ value: Value, _ type: WireType) {
    #expect(Value.wireType == type && value.wireValue.type == type)
    #expect(Value(wire: value.wireValue) == value)
    let other: WireValue = type == .boolean ? .byte(1) : .boolean(true)
    #expect(Value(wire: other) == nil)
  }

  @Test("each Swift type has one wire type, both ways")
  func basic() {
    roundTrip(true, "b")
    roundTrip(Int32.min, "i")
    roundTrip(UInt32.max, "u")
    roundTrip(Int64.min, "x")
    roundTrip(UInt64.max, "t")
    roundTrip(0.5, "d")
    roundTrip("é", "s")
    roundTrip("/a" as ObjectPath, "o")
    roundTrip(WireValue.byte(1), "v")
    roundTrip(["a", "b"], "as")
    roundTrip([] as [Int32], "ai")
    roundTrip(["b": 1, "a": 2] as [String: Int64], "a{sx}")
    roundTrip([["a": .variant(.byte(1))]] as [[String: WireValue]], "aa{sv}")
  }

  @Test("a dictionary always travels in the order of its keys")
  func order() {
    let keys = (0..<100).map { "\($0)" }
    let value = Dictionary(uniqueKeysWithValues: keys.map { ($0, UInt32(1)) }).wireValue
    #expect(
      value == .dictionary(.string, .uint32, keys.sorted().map { DictionaryEntry(.string($0), .uint32(1)) }))
  }

  @Test("of two entries with one key the later counts")
  func twice() {
    let value = WireValue.properties([("a", .byte(1)), ("a", .byte(2))])
    #expect([String: WireValue](wire: value) == ["a": .byte(2)])
  }

  @Test("empty containers of another type are of another type")
  func empty() {
    #expect([String](wire: .array(.int32, [])) == nil)
    #expect([String: UInt32](wire: .dictionary(.string, .variant, [])) == nil)
    #expect([[String]](wire: .array("ai", [])) == nil)
  }

  @Test("arguments decode to a tuple")
  func decoding() throws {
    let values: [WireValue] = .arguments("a", Int64(-1), ["x"])
    let (text, number, list) = try values.decoded(as: String.self, Int64.self, [String].self)
    #expect(text == "a" && number == -1 && list == ["x"])
    let single = try [WireValue.uint32(3)].decoded(as: UInt32.self)
    #expect(single == 3)
    try [WireValue]().decoded()
  }

  @Test("arguments of the wrong number or type are invalid, and the error says which one")
  func mismatch() {
    let values: [WireValue] = .arguments("a", Int64(1))
    #expect(throws: BusError(.invalidArgs, "1 arguments (s) are expected, 2 came")) {
      try values.decoded(as: String.self)
    }
    #expect(throws: BusError(.invalidArgs, "argument 2 is of type x, expected is u")) {
      try values.decoded(as: String.self, UInt32.self)
    }
    #expect(throws: BusError(.invalidArgs, "argument 1 is of type s, expected is o")) {
      try values.check(as: [.objectPath, .int64])
    }
    #expect(throws: BusError(.invalidArgs, "0 arguments () are expected, 2 came")) {
      try values.check(as: [])
    }
    #expect(throws: Never.self) { try values.check(as: [.string, .int64]) }
    #expect(values.signatureText == "sx")
  }
}
