// SPDX-License-Identifier: MIT
import CommandModel
import Testing

@Suite("Times as text")
struct ClockTextTests {
  @Test("seconds and clock times are read to the nanosecond")
  func reading() {
    let cases: [(String, Duration)] = [
      ("0", .zero), ("90", .seconds(90)), ("1:30", .seconds(90)), ("01:02:03", .seconds(3723)),
      ("90:00", .seconds(5400)),
      ("1:02:03.5", .milliseconds(3_723_500)), ("2.25", .milliseconds(2250)),
      ("0.000000001", .nanoseconds(1)),
      ("999999999", .seconds(999_999_999)),
    ]
    for (text, time) in cases { #expect(ClockText.parse(text) == time, "\(text)") }
  }

  @Test(
    "anything else is no time",
    arguments: [
      "", "-1", "+1", "1:5", "1:60", "1:60:00", "1:2:3:4", ":30", "1:", "1.", ".5", "1.5:30", "1e3", "0x10",
      " 1", "１",
      "9999999999", "1.0000000001", "١:٠٠", "1:+5", "1:30 ",
    ])
  func refused(text: String) { #expect(ClockText.parse(text) == nil) }

  @Test("times are written as a clock shows them")
  func writing() {
    let cases: [(Duration, String)] = [
      (.zero, "0:00"), (.milliseconds(59_999), "0:59"), (.seconds(296), "4:56"), (.seconds(3600), "1:00:00"),
      (.seconds(-5), "0:00"), (.seconds(360_000), "100:00:00"),
    ]
    for (time, text) in cases { #expect(ClockText.text(time) == text) }
  }

  @Test("what is written is read again as the same second")
  func roundTrip() {
    for seconds in stride(from: 0, to: 400_000, by: 997) {
      #expect(ClockText.parse(ClockText.text(.seconds(seconds))) == .seconds(seconds))
    }
  }

  @Test("a sign is split off")
  func signs() {
    let cases: [(String, Int?, String)] = [
      ("+5%", 1, "5%"), ("-5", -1, "5"), ("−5", -1, "5"), ("5-", nil, "5-"), ("", nil, ""),
    ]
    for (text, sign, rest) in cases {
      #expect(SignedText(text).sign == sign && SignedText(text).magnitude == rest, "\(text)")
    }
  }
}

@Suite("Counts of things")
struct CountTextTests {
  @Test("one thing is named in the singular, and all else in the plural")
  func texts() {
    #expect(CountText.text(1, "album") == "1 album")
    #expect(CountText.text(0, "album") == "0 albums")
    #expect(CountText.text(2, "entry") == "2 entries")
  }
}
