// SPDX-License-Identifier: MIT
import MediaModel
import Testing

@Suite("The words of tags as values")
struct TagTextTests {
  @Test(
    "positions are numbers from 1 with or without a count",
    arguments: [
      ("3", 3, nil), ("03", 3, nil), ("3/12", 3, 12), (" 3 / 12 ", 3, 12), ("/12", nil, 12),
      ("0/0", nil, nil),
      ("-1", nil, nil), ("A1", nil, nil), ("", nil, nil), ("3/x", 3, nil), ("3.", 3, nil), ("3 of 12", 3, 12),
      ("3 Of 12", 3, 12), ("3 of", nil, nil), (".", nil, nil),
      ("99999999999999999999", nil, nil),
    ] as [(String, Int?, Int?)])
  func positions(text: String, number: Int?, count: Int?) {
    let position = TagText.position(text)
    #expect(position.number == number)
    #expect(position.count == count)
  }

  @Test(
    "gains are decibels",
    arguments: [
      ("-6.54 dB", -6.54), ("+3.2dB", 3.2), ("0", 0), (" -6,5 DB ", -6.5), ("dB", nil), ("", nil),
      ("nan", nil), ("inf dB", nil), ("1e9 dB", nil), ("0x10", nil),
    ] as [(String, Float?)])
  func gains(text: String, gain: Float?) {
    #expect(TagText.gain(text) == gain)
  }

  @Test(
    "a letter and its accents become one scalar where there is one, and nothing else changes",
    arguments: [
      ("Beyonce\u{301}", "Beyonc\u{E9}"), ("Sigur Ro\u{301}s", "Sigur R\u{F3}s"),
      ("Beyonc\u{E9}", "Beyonc\u{E9}"),
      ("Nguye\u{302}\u{303}n", "Nguy\u{1EC5}n"), ("e\u{323}\u{302}", "\u{1EC7}"),
      ("e\u{302}\u{323}", "\u{1EC7}"),
      ("\u{3B1}\u{301}", "\u{3AC}"), ("\u{438}\u{306}", "\u{439}"), ("\u{30AB}\u{3099}", "\u{30AC}"),
      ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "\u{D55C}\u{AE00}"),
      ("\u{1100}\u{1161}", "\u{AC00}"),
      ("q\u{301}", "q\u{301}"), ("e\u{301}\u{336}", "\u{E9}\u{336}"), ("plain", "plain"), ("", ""),
      ("\u{1F469}\u{200D}\u{1F680}", "\u{1F469}\u{200D}\u{1F680}"), ("\u{301}", "\u{301}"),
    ])
  func composed(text: String, expected: String) {
    let composed = TagText.composed(text)
    // Swift takes the two forms for equal.
    #expect(composed == text)
    #expect(Array(composed.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test("a name that is written in both ways is one name")
  func oneName() {
    var tags = TagProperties()
    tags.add("Cafe\u{301}", to: .artist)
    tags.add("Caf\u{E9}", to: .artist)
    #expect(MediaTags(tags).artist.map { Array($0.utf8) } == [Array("Caf\u{E9}".utf8)])
  }

  @Test("peaks are above zero and believable")
  func peaks() {
    #expect(TagText.peak("0.988") == 0.988)
    #expect(TagText.peak("1.2") == 1.2)
    for text in ["0", "-1", "1000", "nan", "x"] { #expect(TagText.peak(text) == nil, "\(text)") }
  }

  @Test("beats a minute may have a fraction and their unit")
  func bpm() {
    for text in ["127.5", "127.5 BPM", " 127,5bpm"] { #expect(TagText.bpm(text) == 127.5, "\(text)") }
    for text in ["0", "-120", "fast", "BPM", "100000"] { #expect(TagText.bpm(text) == nil, "\(text)") }
  }

  @Test(
    "genres of ID3 are numbers, codes and words",
    arguments: [
      ("17", ["Rock"]), ("(17)", ["Rock"]), ("(17)(31)", ["Rock", "Trance"]), ("(17)Rock", ["Rock"]),
      ("(4)Eurodisco", ["Disco", "Eurodisco"]), ("RX", ["Remix"]), ("(RX)(CR)", ["Remix", "Cover"]),
      ("Folk", ["Folk"]), ("((Text)", ["(Text)"]), ("(17)((Text)", ["Rock", "(Text)"]), ("(255)", []),
      ("(Text)", ["(Text)"]), ("(unfinished", ["(unfinished"]), ("2000s", ["2000s"]), ("999", ["999"]),
      ("", []), ("(", ["("]), ("()", ["()"]),
    ])
  func genres(text: String, names: [String]) {
    #expect(ID3Genre.names(in: text) == names)
  }

  @Test("words lose the white space around them and nothing else")
  func words() {
    #expect(TagText.words(" \u{1b}[31mred\u{7} \0") == "\u{1b}[31mred\u{7}")
    #expect(TagText.words(" \0\t ") == nil)
  }
}
