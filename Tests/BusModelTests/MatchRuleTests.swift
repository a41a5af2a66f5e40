// SPDX-License-Identifier: MIT
import BusModel
import Testing

@Suite("Match rules")
struct MatchRuleTests {
  private let signal = BusSignal(
    sender: ":1.5", path: "/a/b", interface: "x.Y", member: "Changed",
    arguments: [.string("org.fermata.Agent"), .objectPath("/q/w"), .int32(3)])

  @Test("a rule is written with everything quoted")
  func text() {
    #expect(MatchRule().text == "type='signal'")
    let full = MatchRule(sender: "a.b", path: "/p", interface: "i.j", member: "M", firstArgument: "x")
    #expect(full.text == "type='signal',sender='a.b',path='/p',interface='i.j',member='M',arg0='x'")
  }

  @Test(
    "an apostrophe stands outside of the apostrophes; nothing else is special",
    arguments: [
      ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("", "''"), (#"\,="#, #"'\,='"#), ("a,b=c", "'a,b=c'"),
    ])
  func escaping(text: String, quoted: String) {
    #expect(MatchRule(firstArgument: text).text == "type='signal',arg0=" + quoted)
  }

  @Test("the header has to agree in every part that the rule names")
  func header() {
    func agrees(_ rule: MatchRule) -> Bool { rule.matches(header: signal) { _ in nil } }
    #expect(agrees(MatchRule()))
    #expect(agrees(MatchRule(sender: ":1.5", path: "/a/b", interface: "x.Y", member: "Changed")))
    #expect(!agrees(MatchRule(sender: ":1.6")))
    #expect(!agrees(MatchRule(path: "/a")))
    #expect(!agrees(MatchRule(interface: "x.Z")))
    #expect(!agrees(MatchRule(member: "Other")))
  }

  @Test("a well-known sender is whoever has the name now")
  func owner() {
    let rule = MatchRule(sender: "org.fermata.Agent")
    #expect(rule.matches(header: signal) { _ in ":1.5" })
    #expect(!rule.matches(header: signal) { _ in ":1.6" })
    #expect(!rule.matches(header: signal) { _ in nil })
  }

  @Test("the first argument agrees as a text, and as nothing else")
  func arguments() {
    let rule = MatchRule(firstArgument: "/q/w")
    #expect(rule.matches(arguments: [.string("/q/w"), .int32(3)]))
    #expect(!rule.matches(arguments: [.objectPath("/q/w")]) && !rule.matches(arguments: [.string("/q")]))
    #expect(!rule.matches(arguments: []) && MatchRule().matches(arguments: []))
  }
}
