// SPDX-License-Identifier: MIT
import BusModel
import FermataTestKit
import Testing

@Suite("Signatures")
struct SignatureTests {
  @Test(
    "each type reads as it is written",
    arguments: [
      ("y", .byte), ("b", .boolean), ("n", .int16), ("q", .uint16), ("i", .int32), ("u", .uint32),
      ("x", .int64),
      ("t", .uint64), ("d", .double), ("s", .string), ("o", .objectPath), ("g", .signature), ("v", .variant),
      ("as", .array(.string)), ("a{sv}", .dictionary(.string, .variant)),
      ("aa{sv}", .array(.dictionary(.string, .variant))),
      ("(oss)", .structure([.objectPath, .string, .string])),
      ("(b(oss))", .structure([.boolean, .structure([.objectPath, .string, .string])])),
    ] as [(String, WireType)])
  func types(text: String, type: WireType) throws {
    #expect(try WireType(text) == type)
    #expect(type.description == text)
  }

  @Test(
    "what is no signature is refused, and why",
    arguments: [
      ("a", .endsEarly("a")), ("(", .endsEarly("(")), ("(i", .endsEarly("(i")), ("()", .emptyStructure("()")),
      ("{sv}", .entryOutsideArray("{sv}")), ("a{vs}", .badKey("v", in: "a{vs}")),
      ("a{s}", .entryNotAPair("a{s}")),
      ("a{}", .entryNotAPair("a{}")), ("a{svs}", .entryNotAPair("a{svs}")), ("a{sv", .endsEarly("a{sv")),
      ("h", .fileDescriptor("h")), ("a{sh}", .fileDescriptor("a{sh}")), ("a{hs}", .fileDescriptor("a{hs}")),
      ("z", .unknownCode("z", in: "z")), (")", .unknownCode(")", in: ")")), ("é", .unknownCode("Ã", in: "é")),
      (String(repeating: "i", count: 256), .tooLong(256)), ("a{s", .endsEarly("a{s")),
      ("a{", .endsEarly("a{")),
    ] as [(String, SignatureError)])
  func refused(text: String, reason: SignatureError) {
    #expect(throws: reason) { try Signature(text) }
    #expect(!reason.description.isEmpty)
  }

  @Test("arrays and structures nest 32 deep each, and no deeper")
  func depth() throws {
    let arrays = { String(repeating: "a", count: $0) + "i" }
    let structures = { String(repeating: "(", count: $0) + "i" + String(repeating: ")", count: $0) }
    let entries = { String(repeating: "a{i", count: $0) + "i" + String(repeating: "}", count: $0) }
    for text in [arrays(32), structures(32), entries(32), String(repeating: "a", count: 32) + structures(32)]
    {
      #expect(try Signature(text).text == text)
    }
    for text in [arrays(33), structures(33), entries(33)] {
      #expect(throws: SignatureError.tooDeep(text)) { try Signature(text) }
    }
  }

  @Test("one type is neither none nor two", arguments: ["", "ii"])
  func oneType(text: String) {
    #expect(throws: SignatureError.notOneType(text)) { try WireType(text) }
  }

  @Test("random types survive being written and read")
  func roundTrip() throws {
    var random = WireRandom(seed: 1)
    for round in 0..<5_000 {
      let types = (0..<random.below(4)).map { _ in random.type(depth: 4) }
      let signature = try? Signature(types)
      let text = types.map(\.description).joined()
      // Only its length may refuse what the generator makes.
      guard text.utf8.count <= Signature.longest else { continue }
      #expect(signature?.types == types && signature?.text == text, "round \(round): \(text)")
    }
  }

  @Test("random texts are read exactly where writing gives them back")
  func randomTexts() {
    var random = WireRandom(seed: 2)
    var read = 0
    for _ in 0..<20_000 {
      let text = random.text(of: "ybixsovaa(){}ssh", count: random.below(9))
      guard let signature = try? Signature(text) else { continue }
      read += 1
      #expect(signature.types.map(\.description).joined() == text)
      #expect(!text.contains("h"))
    }
    #expect(read > 500)
  }
}
