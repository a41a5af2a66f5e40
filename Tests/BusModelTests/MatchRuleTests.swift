// SPDX-License-Identifier: MIT
import BusModel
import Testing

@Suite("Match rules")
struct MatchRuleTests {
  private let signal = BusSignal(
    sender: ":1.5", path: "/a/b", interface: "x.Y", member: "Changed",
    arguments: [.string("org.fermata.Agent"), .objectPath("/q/w"), .int32(3)])

  private func rule(_ change: (inout MatchRule) -> Void) -> MatchRule {
    var rule = MatchRule()
    change(&rule)
    return rule
  }

  @Test("a rule is written with everything quoted, and arguments in order")
  func text() {
    #expect(MatchRule().text == "type='signal'")
    var full = MatchRule(sender: "a.b", path: "/p", interface: "i.j", member: "M")
    full.arguments = [12: .text("x"), 2: .path("/q/")]
    full.firstArgumentNamespace = "n.o"
    #expect(
      full.text
        == "type='signal',sender='a.b',path='/p',interface='i.j',member='M',arg2path='/q/',arg12='x',arg0namespace='n.o'"
    )
    #expect(rule { $0.pathNamespace = "/p" }.text == "type='signal',path_namespace='/p'")
  }

  @Test(
    "an apostrophe stands outside of the apostrophes; nothing else is special",
    arguments: [
      ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("", "''"), (#"\,="#, #"'\,='"#), ("a,b=c", "'a,b=c'"),
    ])
  func escaping(text: String, quoted: String) {
    #expect(rule { $0.arguments = [0: .text(text)] }.text == "type='signal',arg0=" + quoted)
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
    #expect(agrees(rule { $0.pathNamespace = "/a" }) && agrees(rule { $0.pathNamespace = "/a/b" }))
    #expect(!agrees(rule { $0.pathNamespace = "/a/b/c" }) && !agrees(rule { $0.pathNamespace = "/b" }))
  }

  @Test("a well-known sender is whoever has the name now")
  func owner() {
    let rule = MatchRule(sender: "org.fermata.Agent")
    #expect(rule.matches(header: signal) { _ in ":1.5" })
    #expect(!rule.matches(header: signal) { _ in ":1.6" })
    #expect(!rule.matches(header: signal) { _ in nil })
  }

  @Test(
    "arguments agree by text, by path in both directions, and by namespace",
    arguments: [
      (0, .text("org.fermata.Agent"), true), (0, .text("org.fermata"), false), (1, .text("/q/w"), false),
      (1, .path("/q/w"), true), (1, .path("/q/"), true), (1, .path("/q"), false), (1, .path("/"), true),
      (2, .text("3"), false), (2, .path("/"), false), (9, .text(""), false), (-1, .text(""), false),
    ] as [(Int, MatchRule.Argument, Bool)])
  func arguments(index: Int, demand: MatchRule.Argument, agrees: Bool) {
    #expect(rule { $0.arguments = [index: demand] }.matches(arguments: signal.arguments) == agrees)
  }

  @Test("a namespace ends at a dot")
  func namespace() {
    for (namespace, agrees) in [("org.fermata", true), ("org.fermata.Agent", true), ("org.ferm", false)] {
      #expect(rule { $0.firstArgumentNamespace = namespace }.matches(arguments: signal.arguments) == agrees)
    }
    #expect(!rule { $0.firstArgumentNamespace = "a" }.matches(arguments: []))
    #expect(rule { $0.arguments = [0: .path("/a/b")] }.matches(arguments: [.string("/a/")]))
  }
}
