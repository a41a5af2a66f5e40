// SPDX-License-Identifier: MIT
import CommandModel
import Testing

@Suite("Templates")
struct TemplateTests {
  private static let values = [
    "artist": "Nina", "title": "Sin{ner", "position": "1:23", "album": "", "bad": "a\u{1B}[2J",
  ]
  private static let fields = ["artist", "title", "position", "duration", "album", "bad"]

  @Test(
    "fields are replaced, and parts depend on them",
    arguments: [
      ("", ""), ("plain", "plain"), ("{artist} – {title}", "Nina – Sin{ner"),
      ("[{position}/{duration}]", "[1:23/]"),
      ("{duration?/{duration}}", ""), ("{position?at {position}}", "at 1:23"), ("{duration|live}", "live"),
      ("{album|none}", "none"), ("{album?yes|no}", "no"), ("{artist?yes|no}", "yes"), ("{artist|no}", "Nina"),
      ("{album?x|{duration?y|{artist}}}", "Nina"), (#"\{artist\}"#, "{artist}"), (#"a\nb\tc\\"#, "a\nb\tc\\"),
      (#"{artist?a\|b\}c}"#, "a|b}c"), ("a|b}c?", "a|b}c?"), ("{bad}", #"a\u{1B}[2J"#), ("{artist?}", ""),
    ])
  func text(template: String, expected: String) throws {
    #expect(try Template(template, fields: Self.fields).text { Self.values[$0] } == expected)
  }

  @Test(
    "an unknown field is refused with the known ones, and so are open braces",
    arguments: [
      ("{artits}", "{artits}", "no such field"), ("{}", "{}", "no such field"),
      ("{artist", "{artist…", "the field is not closed"),
      ("{artist?{title}", "{artist…", "the field is not closed"), ("\\", "\\", "nothing stands behind it"),
      ("{album?{nope}}", "{nope}", "no such field"),
      (String(repeating: "{artist?", count: 100_000), "{artist…", "nested too deeply"),
    ])
  func refused(template: String, subject: String, reason: String) {
    let error = #expect(throws: CommandError.self) { try Template(template, fields: Self.fields) }
    #expect(error?.subject == subject && error?.reason == reason)
  }

  @Test("the nearest field is proposed")
  func proposal() {
    let error = #expect(throws: CommandError.self) { try Template("{artits}", fields: ["artist", "title"]) }
    #expect(error?.remedy == "did you mean '{artist}'? The fields are artist, title")
    let far = #expect(throws: CommandError.self) { try Template("{xyz}", fields: ["artist", "title"]) }
    #expect(far?.remedy == "the fields are artist, title")
  }
}
