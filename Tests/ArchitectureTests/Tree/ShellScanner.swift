// SPDX-License-Identifier: MIT

/// Finds the programs that a shell script runs: each word that stands where a command begins.
///
/// It knows quotes, comments, substitutions, here-documents, functions and `case`. It looks behind programs that run another
/// (`exec`, `env`, `timeout`). A command whose name comes out of a variable is passed over.
struct ShellScanner {
  struct Command: Hashable {
    var name: String
    var line: Int
  }

  /// In the order in which they stand; builtins and the script's own functions are not among them.
  var programs: [Command] {
    commands.filter {
      !Self.builtins.contains($0.name) && !functions.contains($0.name) && !guarded.contains($0.name)
    }
  }

  private var commands: [Command] = []
  private var functions: Set<String> = []
  /// Those that `command -v` asks for: the script says itself what it does without them.
  private var guarded: Set<String> = []

  private let bytes: [UInt8]
  private var index = 0
  private var line: Int
  private var hereDocuments: [String] = []

  init(_ text: String, firstLine: Int = 1) {
    bytes = Array(text.utf8)
    line = firstLine
    while index < bytes.count { list() }
  }

  private static let builtins: Set<String> = [
    "[", ".", ":", "break", "builtin", "cd", "command", "continue", "declare", "echo", "eval", "exec", "exit",
    "export",
    "false", "getopts", "kill", "local", "printf", "pwd", "read", "readonly", "return", "set", "shift",
    "shopt", "source", "test",
    "trap", "true", "type", "ulimit", "umask", "unset", "wait",
  ]
  private static let beforeCommands: Set<String> = [
    "if", "then", "else", "elif", "do", "while", "until", "!", "{", "time",
  ]
  private static let afterCommands: Set<String> = ["fi", "done", "}"]
  private static let runners: Set<String> = [
    "builtin", "command", "env", "exec", "nice", "setsid", "sudo", "timeout", "xargs",
  ]

  // MARK: Commands

  private enum Place: Equatable {
    /// Where a command begins. Behind a program that runs another, that one's name, and its options come first.
    case command(runner: String?)
    case arguments
    /// Behind `case`, before `in`.
    case subject
    case pattern
    /// Behind `command -v`.
    case question
  }

  /// Everything up to the parenthesis that closes what was open before, or to the end.
  private mutating func list() {
    var place = Place.command(runner: nil)
    var open = 0
    var cases = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): index += 1
      case UInt8(ascii: "\\") where peek(1) == UInt8(ascii: "\n"): skip(2)
      case UInt8(ascii: "#"): skip(upTo: UInt8(ascii: "\n"))
      case UInt8(ascii: "\n"):
        skip(1)
        hereDocuments.forEach { skipHereDocument($0) }
        hereDocuments = []
        if place != .pattern, place != .subject { place = .command(runner: nil) }
      case UInt8(ascii: ";") where peek(1) == UInt8(ascii: ";"):
        index += 2
        place = cases > 0 ? .pattern : .command(runner: nil)
      case UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"):
        index += 1
        if place != .pattern { place = .command(runner: nil) }
      case UInt8(ascii: "(") where peek(1) == UInt8(ascii: "("): skipArithmetic(2)
      case UInt8(ascii: "("):
        index += 1
        if place != .pattern {
          open += 1
          place = .command(runner: nil)
        }
      case UInt8(ascii: ")"):
        index += 1
        if place == .pattern {
          place = .command(runner: nil)
        } else if open > 0 {
          open -= 1
          place = .arguments
        } else {
          return
        }
      case UInt8(ascii: "<"), UInt8(ascii: ">"): redirection()
      default: place = self.place(after: place, &cases)
      }
    }
  }

  /// Reads a word, and says where what follows it stands.
  private mutating func place(after place: Place, _ cases: inout Int) -> Place {
    let line = line
    let word = word()
    switch place {
    case .arguments: return .arguments
    case .subject: return word.text == "in" ? .pattern : .subject
    case .question:
      if word.isPlain { guarded.insert(word.text) }
      return .arguments
    case .pattern:
      guard word.text == "esac" else { return .pattern }
      cases -= 1
      return .arguments
    case .command(let runner):
      if bytes[index...].starts(with: "()".utf8) {
        index += 2
        functions.insert(word.text)
        return .command(runner: nil)
      }
      return self.place(afterCommand: word, runner, line, &cases)
    }
  }

  private mutating func place(
    afterCommand word: Word, _ runner: String?, _ line: Int, _ cases: inout Int
  ) -> Place {
    let text = word.text
    if isAssignment(text) { return .command(runner: runner) }
    if let runner, text.hasPrefix("-") || text.allSatisfy(\.isNumber) {
      return runner == "command" && text == "-v" ? .question : .command(runner: runner)
    }
    guard word.isPlain, let first = text.utf8.first else { return .arguments }
    if Self.beforeCommands.contains(text) { return .command(runner: nil) }
    if Self.afterCommands.contains(text) || text == "for" { return .arguments }
    switch text {
    case "case":
      cases += 1
      return .subject
    case "esac":
      cases -= 1
      return .arguments
    case "[[":
      repeat { skipBlanks() } while index < bytes.count && self.word().text != "]]"
      return .arguments
    default: break
    }
    if let name = Self.program(text), first.isWord || first == UInt8(ascii: "[") || first == UInt8(ascii: "/")
    {
      commands.append(Command(name: name, line: line))
    }
    return Self.runners.contains(text) ? .command(runner: text) : .arguments
  }

  /// The name of what stands in one of the system's own folders, or is looked for there.
  private static func program(_ text: String) -> String? {
    guard text.contains("/") else { return text }
    let parts = text.split(separator: "/")
    guard text.hasPrefix("/"), parts.dropLast().last.map({ $0 == "bin" || $0 == "sbin" }) == true else {
      return nil
    }
    return parts.last.map(String.init)
  }

  private func isAssignment(_ text: String) -> Bool {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else { return false }
    return text[..<equals].utf8.allSatisfy { $0.isWord || $0 == UInt8(ascii: "+") }
  }

  // MARK: Words

  private struct Word {
    var text = ""
    /// Nothing in it comes out of a variable or another command.
    var isPlain = true
  }

  private mutating func word() -> Word {
    var word = Word()
    var text: [UInt8] = []
    let begin = index
    while index < bytes.count {
      let byte = bytes[index]
      if " \t\n;&|<>()".utf8.contains(byte) { break }
      switch byte {
      case UInt8(ascii: "'"):
        let start = index + 1
        index += 1
        skip(upTo: UInt8(ascii: "'"))
        text += bytes[start..<index]
        index += 1
      case UInt8(ascii: "\""):
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") { part(&text, &word.isPlain) }
        index += 1
      default: part(&text, &word.isPlain)
      }
    }
    // What cannot be a word is passed over, so that there is always an end.
    if index == begin { index += 1 }
    index = min(index, bytes.count)
    word.text = String(decoding: text, as: UTF8.self)
    return word
  }

  /// A byte of a word, or what is put in its place there.
  private mutating func part(_ text: inout [UInt8], _ isPlain: inout Bool) {
    switch bytes[index] {
    case UInt8(ascii: "\\"):
      if let next = peek(1) { text.append(next) }
      skip(2)
    case UInt8(ascii: "$"):
      isPlain = false
      substitution()
    case UInt8(ascii: "`"):
      isPlain = false
      index += 1
      skip(upTo: UInt8(ascii: "`"))
      index += 1
    default:
      text.append(bytes[index])
      skip(1)
    }
  }

  private mutating func substitution() {
    switch (peek(1), peek(2)) {
    case (UInt8(ascii: "("), UInt8(ascii: "(")): skipArithmetic(3)
    case (UInt8(ascii: "("), _):
      index += 2
      list()
    case (UInt8(ascii: "{"), _):
      index += 2
      var text: [UInt8] = []
      var isPlain = true
      while index < bytes.count, bytes[index] != UInt8(ascii: "}") { part(&text, &isPlain) }
      index += 1
    default: index += 1
    }
  }

  // MARK: What is passed over

  private mutating func redirection() {
    if bytes[index...].starts(with: "<<".utf8), peek(2) != UInt8(ascii: "<") {
      index += 2
      if peek(0) == UInt8(ascii: "-") { index += 1 }
      skipBlanks()
      hereDocuments.append(word().text)
    } else if peek(1) == UInt8(ascii: "(") {
      index += 2
      list()
    } else {
      while let byte = peek(0), "<>&|".utf8.contains(byte) { index += 1 }
      skipBlanks()
      _ = word()
    }
  }

  private mutating func skipHereDocument(_ end: String) {
    while index < bytes.count {
      let start = index
      skip(upTo: UInt8(ascii: "\n"))
      let text = bytes[start..<index].drop { $0 == UInt8(ascii: "\t") }
      skip(1)
      if text.elementsEqual(end.utf8) { return }
    }
  }

  /// `$((…))` or `((…))`: up to as many closing parentheses as are open.
  private mutating func skipArithmetic(_ opening: Int) {
    skip(opening)
    var open = 2
    while index < bytes.count, open > 0 {
      if bytes[index] == UInt8(ascii: "(") { open += 1 }
      if bytes[index] == UInt8(ascii: ")") { open -= 1 }
      skip(1)
    }
  }

  private mutating func skipBlanks() {
    while let byte = peek(0), " \t\n".utf8.contains(byte) { skip(1) }
  }

  private mutating func skip(upTo end: UInt8) {
    while index < bytes.count, bytes[index] != end { skip(1) }
  }

  private mutating func skip(_ count: Int) {
    for _ in 0..<count where index < bytes.count {
      if bytes[index] == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }
  }

  private func peek(_ distance: Int) -> UInt8? {
    index + distance < bytes.count ? bytes[index + distance] : nil
  }
}
