// SPDX-License-Identifier: MIT
import CommandModel
import Testing

@Suite("Generated texts")
struct RenderingTests {
  // Everything that a format could trip over.
  private static let nasty = CommandDefinition(
    "tool", summary: "Do 'it' \\ well",
    discussion: [
      ".dot at the start", "'quote at the start", "`-x` and a [bracket]: 100% $HOME \"quoted\" – dash",
    ],
    groups: [
      .init([
        CommandDefinition(
          "run", summary: "It's [odd]: $(true) `now`",
          options: [
            OptionDefinition(
              "with", short: "w", value: ValueDefinition("X"), summary: "That's [this]: `that`")
          ], read: ParserTests.Kept.init)
      ])
    ])

  @Test("no text is taken for a request of roff, and the page is ASCII")
  func roff() {
    let page = ManPage(Self.nasty, version: "1").text
    #expect(page.utf8.allSatisfy { $0 < 0x80 })
    #expect(page.contains("\\&.dot at the start\n"))
    #expect(page.contains("\\(aqquote at the start\n"))
    #expect(page.contains("\\fB\\-x\\fR and a [bracket]: 100% $HOME \\(dqquoted\\(dq \\[u2013] dash\n"))
    #expect(page.contains("do \\(aqit\\(aq \\e well\n"))
    let requests: Set = ["TH", "SH", "SS", "PP", "TP", "nf", "fi", "br", "RS", "RE"]
    for line in page.split(separator: "\n") where line.hasPrefix(".") {
      #expect(requests.contains(String(line.dropFirst().prefix(2))), "\(line)")
    }
  }

  @Test("texts are quoted for each shell")
  func shells() {
    #expect(Completion.script(for: Self.nasty, shell: .fish).contains(#"-d 'It\'s [odd]: $(true) now'"#))
    let zsh = Completion.script(for: Self.nasty, shell: .zsh)
    #expect(zsh.contains(#"'run:It'\''s [odd]: $(true) now'"#))
    #expect(zsh.contains(#"'(-w)--with=[That'\''s \[this\]\: that]:x: '"#))
    #expect(
      Completion.script(for: Self.nasty, shell: .bash).contains("' run --with' | ' run -w') words='' ;;"))
  }

  @Test("a synopsis breaks between its parts, and its rest hangs below the first")
  func usage() throws {
    let path = try CommandParser(ParserTests.root).path(to: ["copy"])
    let lines = HelpText(path, width: 60).text(.plain).split(separator: "\n")
    #expect(lines[1] == "Usage: tool copy [--quiet] [--count N]")
    #expect(lines[2] == "                 [--colour always|never] FIRST [REST…] LAST")
  }

  @Test("an option stands with both its names and its meaning")
  func option() throws {
    let path = try CommandParser(Self.nasty).path(to: ["run"])
    #expect(HelpText(path).text(.plain).contains("  -w, --with X  That's [this]: 'that'\n"))
  }
}
