// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
import Testing

@testable import FermataCommands

@Suite("Help")
struct HelpTests {
  private static let parser = CommandParser(FermataProgram.definition)
  private static let everyPath = CommandPath(FermataProgram.definition).all

  @Test("the overview reads as it was approved, at 80 and at 120 columns", arguments: [80, 120])
  func overview(width: Int) throws {
    let help = HelpText(try Self.parser.path(to: []), width: width)
    Golden.expect(help.text(.plain), is: "help-\(width).txt")
  }

  @Test(
    "a command's help reads as it was approved", arguments: ["play", "seek", "queue", "status", "repeat"])
  func command(name: String) throws {
    Golden.expect(HelpText(try Self.parser.path(to: [name])).text(.plain), is: "help-\(name).txt")
  }

  @Test("no line of any help is wider than the terminal", arguments: [60, 80, 100])
  func width(columns: Int) {
    for path in Self.everyPath {
      for line in HelpText(path, width: columns).text(.plain).split(separator: "\n") {
        // An example is a line to copy: it is never broken.
        let isExample = path.command.examples.contains { line == "  \($0.line)" }
        #expect(isExample || TerminalText.width(String(line)) <= columns, "\(path.text): \(line)")
      }
    }
  }

  @Test("styles change no letter of it")
  func styles() {
    for path in Self.everyPath {
      let styled = HelpText(path).text(.monochrome)
      let bare = ["\u{1B}[1m", "\u{1B}[2m", "\u{1B}[0m"].reduce(styled) { text, code in
        text.split(separator: code, omittingEmptySubsequences: false).joined()
      }
      #expect(bare == HelpText(path).text(.plain))
    }
  }

  @Test("every example is a command line that its command understands")
  func examples() throws {
    for path in Self.everyPath {
      for example in path.command.examples {
        let words = try #require(ShellWords.fermata(in: example.line), "\(example.line)")
        guard case .run(_, let meant) = try Self.parser.parse(words) else { continue }
        #expect(
          path.steps.isEmpty || meant.words.starts(with: path.words.prefix(1)) || words.contains("help"))
      }
    }
  }

  @Test("every option of a command is in its usage, those beside that every command has")
  func usage() {
    for path in Self.everyPath {
      let usage = path.usage.joined(separator: " ")
      let absent = path.command.options.map(\.long).filter { $0 != "json" && !usage.contains("--\($0)") }
      #expect(absent.isEmpty, "\(usage)")
    }
  }

  @Test("every command has a one-line summary without a full stop")
  func summaries() {
    for path in Self.everyPath {
      #expect(!path.command.summary.isEmpty && !path.command.summary.hasSuffix("."), "\(path.text)")
      #expect(path.command.summary.count <= 60, "\(path.text)")
    }
  }
}

/// The words of an example: enough of a shell's grammar for what examples use.
enum ShellWords {
  /// What `fermata` is given somewhere in a line, up to a pipe or a bracket.
  static func fermata(in line: String) -> [String]? {
    let words = words(of: line)
    guard let start = words.firstIndex(where: { $0 == "fermata" || $0 == "<(fermata" }) else { return nil }
    let rest = words[(start + 1)...].prefix { $0 != "|" }
    return rest.map { words[start] == "fermata" || !$0.hasSuffix(")") ? $0 : String($0.dropLast()) }
  }

  private static func words(of line: String) -> [String] {
    var words = [""]
    var quoted = false
    var letters = line[...]
    while let letter = letters.popFirst() {
      switch letter {
      case "'": quoted.toggle()
      case "\\" where !quoted: words[words.count - 1].append(letters.popFirst() ?? "\\")
      case " " where !quoted: words.append("")
      default: words[words.count - 1].append(letter)
      }
    }
    return words
  }
}
