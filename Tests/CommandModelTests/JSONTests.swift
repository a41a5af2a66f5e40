// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
import Testing

@Suite("JSON")
struct JSONTests {
  @Test("members keep their order, and absent ones are left out")
  func objects() {
    let absent: String? = nil
    let value = JSONValue.object(present: [
      "title": .string("A"), "album": absent.map(JSONValue.string),
      "artist": .array([.string("B"), .string("C")]),
      "compilation": .bool(false), "track": .integer(-3), "notes": .array([]), "current": .object([]),
    ])
    #expect(
      value.text
        == #"{"title":"A","artist":["B","C"],"compilation":false,"track":-3,"notes":[],"current":{}}"#)
  }

  @Test(
    "texts are escaped as JSON and terminals demand",
    arguments: [
      (#"a"b\c"#, #""a\"b\\c""#), ("\n\r\t", #""\n\r\t""#), ("\u{1B}\u{0}\u{8}", #""\u001b\u0000\u0008""#),
      ("\u{7F}\u{9B}", #""\u007f\u009b""#), ("\u{202E}\u{2028}", #""\u202e\u2028""#), ("é日👍/", "\"é日👍/\""),
      ("\r\n", #""\r\n""#), ("e\u{301}", "\"e\u{301}\""), ("", "\"\""),
    ])
  func strings(text: String, expected: String) {
    #expect(Array(JSONValue.string(text).text.utf8) == Array(expected.utf8))
  }

  @Test("bytes that are no text become the replacement character")
  func invalid() {
    #expect(
      JSONValue.string(String(decoding: [0x61, 0xFF, 0xED, 0xA0, 0x80], as: UTF8.self)).text.hasPrefix(
        "\"a\u{FFFD}"))
  }

  @Test(
    "numbers are decimal, short and without an exponent",
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (0.5, "0.5"), (-0.25, "-0.25"), (1e-7, "0"), (0.000001, "0.000001"),
      (0.1 + 0.2, "0.3"), (123_456_789.5, "123456789.5"), (999_999_999_999, "999999999999"), (1e12, nil),
      (.nan, nil),
      (.infinity, nil), (-.infinity, nil), (-1.000001, "-1.000001"),
    ] as [(Double, String?)])
  func numbers(number: Double, expected: String?) {
    #expect(DecimalText(number)?.text == expected)
  }

  @Test("times are seconds to the millisecond, rounded")
  func times() {
    let cases: [(Duration, String)] = [
      (.zero, "0"), (.seconds(5), "5"), (.milliseconds(1500), "1.5"), (.microseconds(1_234_567), "1.235"),
      (.milliseconds(-30_250), "-30.25"), (.nanoseconds(499_999), "0"), (.nanoseconds(-1), "0"),
      (.microseconds(999_999), "1"), (.seconds(Int64.max), "9223372036854775807"),
    ]
    for (time, text) in cases { #expect(DecimalText(seconds: time).text == text, "\(time)") }
  }

  @Test("any fraction comes back as what it was, to six decimals")
  func roundTrip() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let number = Double.random(in: -1e9...1e9, using: &generator)
      let back = DecimalText(number).flatMap { Double($0.text) } ?? .nan
      #expect(abs(back - number) <= 0.000001, "seed \(seed): \(number) came back as \(back)")
    }
  }
}
