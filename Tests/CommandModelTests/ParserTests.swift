// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
import Testing

@Suite("Parsing")
struct ParserTests {
  static let quiet = OptionDefinition("quiet", short: "q", summary: "Say less")
  static let count = OptionDefinition("count", short: "n", value: ValueDefinition("N"), summary: "How many")
  static let colour = OptionDefinition(
    "colour", value: ValueDefinition("WHEN", choices: [.init("always"), .init("never")]), summary: "Colours")
  static let first = ArgumentDefinition(ValueDefinition("FIRST"), summary: "The first")
  static let rest = ArgumentDefinition(ValueDefinition("REST"), .any, summary: "The rest")
  static let last = ArgumentDefinition(ValueDefinition("LAST"), summary: "The last")
  static let root = CommandDefinition(
    "tool", summary: "A tool",
    groups: [
      .init([
        CommandDefinition(
          "copy", aliases: ["--copy"], summary: "Copy", arguments: [first, rest, last],
          options: [quiet, count, colour], read: Kept.init),
        CommandDefinition(
          "group", summary: "A group",
          groups: [
            .init([
              CommandDefinition("list", summary: "List", options: [.json], read: Kept.init),
              CommandDefinition("drop", summary: "Drop", read: Kept.init),
            ])
          ], standard: "list"),
      ])
    ])

  /// A command that only keeps what was read.
  struct Kept: Command {
    let parsed: ParsedCommand
    func run(as name: String) throws(CommandError) -> ExitCode { .done }
  }

  @Test("a word that stands for a file whose name is no text is what was typed where no file is meant")
  func typed() throws {
    let kept = KeptFiles("playlists", in: "playlists", endings: ["m3u8"])
    let source = ArgumentDefinition(
      ValueDefinition("SOURCE", completion: .filesOrKept(kept, scheme: "playlist")), summary: "What")
    let name = ArgumentDefinition(
      ValueDefinition("NAME", completion: .kept(kept)), .optional, summary: "Which")
    let root = CommandDefinition(
      "tool", summary: "A tool",
      groups: [
        .init([
          CommandDefinition(
            "play", summary: "Play", arguments: [source, name], options: [Self.count], read: Kept.init)
        ])
      ])
    func words(_ words: [String], _ typed: [String: String]) throws(CommandError) -> [String] {
      guard case .run(let command as Kept, _) = try CommandParser(root, typed: typed).parse(["play"] + words)
      else { return [] }
      return command.parsed.values(source) + command.parsed.values(name)
    }
    let uri = "file:///a/b%F6"
    #expect(try words([uri, uri], [uri: "b?"]) == [uri, "b?"])
    #expect(try words([uri], [uri: "playlist:b?"]) == ["playlist:b?"])
    #expect(try words([uri, uri], [:]) == [uri, uri])
    let error = #expect(throws: CommandError.self) { try words(["a", "--count", uri], [uri: "b?"]) }
    #expect(error?.subject == "--count 'b?'" && error?.reason == "no text in UTF-8")
  }

  private func run(_ words: [String]) throws -> ParsedCommand {
    guard case .run(let command as Kept, _) = try CommandParser(Self.root).parse(words) else {
      throw CommandError(.usage, "\(words)", "asked for help")
    }
    return command.parsed
  }

  private func helped(_ words: [String]) throws -> String? {
    guard case .help(let path) = try CommandParser(Self.root).parse(words) else { return nil }
    return path.text
  }

  @Test(
    "an option's value may stand behind it, behind = or attached, and options anywhere",
    arguments: [
      ["copy", "--count", "5", "a", "b"], ["copy", "--count=5", "a", "b"], ["copy", "-n", "5", "a", "b"],
      ["copy", "-n5", "a", "b"], ["copy", "-n=5", "a", "b"], ["copy", "-qn5", "a", "b"],
      ["copy", "a", "-qn", "5", "b"],
      ["copy", "a", "b", "--count", "5"], ["--count=5", "copy", "a", "b"], ["copy", "-n3", "a", "-n5", "b"],
      ["--copy", "a", "b", "-n5"], ["copy", "-n5", "--", "a", "b"],
    ])
  func values(words: [String]) throws {
    let parsed = try run(words)
    #expect(parsed.value(Self.count) == "5")
    #expect(parsed.required(Self.first) == "a" && parsed.required(Self.last) == "b")
    #expect(parsed.values(Self.rest) == [])
  }

  @Test("words go to the arguments in order, and leave enough for those behind")
  func assignment() throws {
    let parsed = try run(["copy", "1", "2", "3", "4"])
    #expect(parsed.required(Self.first) == "1")
    #expect(parsed.values(Self.rest) == ["2", "3"])
    #expect(parsed.required(Self.last) == "4")
  }

  @Test("numbers with a sign, a lone dash and what follows -- are words")
  func words() throws {
    #expect(
      try run(["copy", "-30", "-5%", "-.5", "-1:30", "-", "+3"]).values(Self.rest) == [
        "-5%", "-.5", "-1:30", "-",
      ])
    #expect(try run(["copy", "a", "--", "-q", "--", "--count"]).values(Self.rest) == ["-q", "--"])
    #expect(try run(["copy", "a", "-n", "-3", "b"]).value(Self.count) == "-3")
    #expect(try run(["copy", "a", "-n", "--x", "b"]).value(Self.count) == "--x")
    #expect(try run(["copy", "", "b"]).required(Self.first) == "")
  }

  @Test("the last value given wins, and a flag may be given twice")
  func repeated() throws {
    let parsed = try run(["copy", "-qq", "--count=1", "--count=2", "a", "b"])
    #expect(parsed.value(Self.count) == "2" && parsed.has(Self.quiet))
    #expect(try run(["copy", "--count=", "a", "b"]).value(Self.count) == "")
  }

  @Test("a group without a command means its default")
  func defaults() throws {
    #expect(try run(["group"]).path.words == ["group", "list"])
    #expect(try run(["group", "--json"]).has(.json))
    #expect(try run(["--json", "group", "list"]).has(.json))
    #expect(try run(["group", "--json", "list"]).path.words == ["group", "list"])
  }

  @Test(
    "help can be asked for anywhere before --",
    arguments: [
      ([], "tool"), (["--help"], "tool"), (["-h"], "tool"), (["copy", "-h"], "tool copy"),
      (["--help", "copy"], "tool copy"), (["copy", "a", "--help"], "tool copy"),
      (["copy", "-qh"], "tool copy"),
      (["group", "--help"], "tool group"), (["group", "drop", "-h"], "tool group drop"),
    ] as [([String], String)])
  func help(words: [String], text: String) throws {
    #expect(try helped(words) == text)
  }

  @Test(
    "what can't be meant is refused with the thing, the reason and what to do",
    arguments: [
      (["cpoy"], "'cpoy': no such command; did you mean 'copy'?"),
      (["--"], "'--': no such option of 'tool'; see 'tool help'"),
      (["--quit"], "'--quit': no such option of 'tool'; see 'tool help'"),
      (["group", "dorp"], "'dorp': no such command of 'tool group'; did you mean 'drop'?"),
      (
        ["copy"],
        "copy: needs FIRST; write 'tool copy [--quiet] [--count N] [--colour always|never] FIRST [REST…] LAST'"
      ),
      (["copy", "--count"], "--count: needs N; write '--count N'"),
      (["copy", "--count", "--quiet"], "--count: needs N; write '--count N'"),
      (["copy", "-n"], "-n: needs N; write '--count N'"),
      (["copy", "-qx"], "'-x' in '-qx': no such option of 'tool copy'; see 'tool help copy'"),
      (["copy", "--quiet=yes"], "--quiet: takes no value; leave '=yes' out"),
      (
        ["copy", "--colour=nevr"],
        "--colour 'nevr': no such choice; did you mean 'never'? It is one of always, never"
      ),
      (["copy", "--qiet"], "'--qiet': no such option of 'tool copy'; did you mean '--quiet'?"),
      (["copy", "--="], "'--': no such option of 'tool copy'; see 'tool help copy'"),
      (["group", "drop", "x"], "'x': one word too many for 'tool group drop'; see 'tool help group drop'"),
    ] as [([String], String)])
  func refusals(words: [String], text: String) {
    let error = #expect(throws: CommandError.self) { try CommandParser(Self.root).parse(words) }
    #expect(error?.description == text)
  }

  @Test("help about something that isn't there says what is")
  func helpPath() throws {
    let parser = CommandParser(Self.root)
    #expect(try parser.path(to: ["group", "drop"]).text == "tool group drop")
    let error = #expect(throws: CommandError.self) { try parser.path(to: ["copy", "x"]) }
    #expect(error?.reason == "there is no command below 'tool copy'")
  }

  @Test("numbers are whole, plain and within their limits")
  func numbers() throws {
    let limits = 1...99
    #expect(try run(["copy", "-n7", "a", "b"]).number(Self.count, in: limits) == 7)
    #expect(try run(["copy", "a", "b"]).number(Self.count, in: limits) == nil)
    for word in ["0", "100", "-1", "+1", "1.0", "", " 1", "١"] {
      let parsed = try run(["copy", "--count=\(word)", "a", "b"])
      #expect(throws: CommandError.self, "\(word)") { try parsed.number(Self.count, in: limits) }
    }
  }

  @Test("no words whatever trap the parser, and none that it accepts loses a word")
  func anything() throws {
    let pieces = [
      "copy", "group", "list", "a", "-", "--", "-q", "-n", "-n5", "-qn", "--count", "--count=", "--=", "-=",
      "-30", "",
      "--colour=never", "-\u{301}", "--\u{301}", "é", "-é", "-q\u{301}", "--json", "\u{0}", "-n=", "---",
      "+1",
    ]
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let words = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }
      guard let parsed = try? run(words) else { continue }
      let kept = parsed.path.command.arguments.flatMap(parsed.values)
      var rest = words[...]
      for word in kept {
        let place = try #require(rest.firstIndex(of: word), "seed \(seed): \(words) lost '\(word)'")
        rest = rest[(place + 1)...]
      }
    }
  }
}
