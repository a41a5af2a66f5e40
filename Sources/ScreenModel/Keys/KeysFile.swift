// SPDX-License-Identifier: MIT
import CommandModel

/// The user's own keys: a file with a line `KEY = :command` for each. `KEY = none` removes a key, a line `:keys cmus` takes over that program's keys,
/// and `#` begins a comment.
package enum KeysFile {
  /// A line of the file that could not be read, counted from 1, and the reason.
  package struct Mistake: Sendable, Hashable, CustomStringConvertible {
    package let line: Int
    package let reason: String

    package var description: String { "keys.conf, line \(line): \(reason)" }
  }

  /// One line of text about mistakes: the first with its reason, and the numbers of the other lines. Nil if there are none.
  package static func text(of mistakes: [Mistake]) -> String? {
    guard let first = mistakes.first else { return nil }
    let others = mistakes.dropFirst().map { String($0.line) }
    if others.isEmpty { return first.description }
    return "\(first); also wrong: \(others.count == 1 ? "line" : "lines") \(others.joined(separator: ", "))"
  }

  /// The program whose keys the file takes over; nil if it takes over none. The last line that names one counts.
  package static func scheme(of text: String) -> KeyTable.Scheme? {
    TextLines.lines(of: text).compactMap { scheme(in: trimmed($0)) }.compactMap(KeyTable.Scheme.init).last
  }

  /// The name that a line `:keys NAME` has; nil for any other line.
  private static func scheme(in line: String) -> String? {
    line.hasPrefix(":keys ") ? trimmed(line.dropFirst(6)) : nil
  }

  /// Changes a table by the lines of a file, and returns the lines that it could not read. `check` returns what is wrong with a command; nil if
  /// nothing is.
  package static func apply(
    _ text: String, to table: inout KeyTable, check: (String) -> String?
  ) -> [Mistake] {
    var mistakes: [Mistake] = []
    var given: [(line: Int, keys: [KeyPress])] = []
    for (index, line) in TextLines.lines(of: text).enumerated() {
      let line = trimmed(line)
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      do throws(Reason) {
        if let keys = try apply(line: line, to: &table, check: check) { given.append((index + 1, keys)) }
      } catch {
        mistakes.append(Mistake(line: index + 1, reason: error.text))
      }
    }
    // Only now, because a line further down may take the shorter key away.
    for (line, keys) in given {
      if let reason = whyUnreachable(keys, in: table) { mistakes.append(Mistake(line: line, reason: reason)) }
    }
    return mistakes.sorted { $0.line < $1.line }
  }

  /// Why a line could not be read.
  private struct Reason: Error { let text: String }

  /// Returns the keys that the line gives a command; nil if it gives none.
  private static func apply(
    line: String, to table: inout KeyTable, check: (String) -> String?
  ) throws(Reason) -> [KeyPress]? {
    if let name = scheme(in: line) {
      if KeyTable.Scheme(rawValue: name) != nil { return nil }
      throw Reason(text: "':keys': write one of \(KeyTable.Scheme.names)")
    }
    // The key may be `=` itself.
    guard let sign = line.dropFirst().firstIndex(of: "=") else {
      throw Reason(text: "write it as 'KEY = :command'")
    }
    let name = trimmed(line[..<sign])
    let value = trimmed(line[line.index(after: sign)...])
    guard let keys = KeyPress.sequence(name) else {
      throw Reason(text: "'\(name)' is no key; '?' shows how keys are written")
    }
    if value == "none" {
      guard table.has(keys) else {
        throw Reason(text: "'\(name)' does nothing that could be taken away; '?' shows all keys")
      }
      table.set(keys, named: name, nil, summary: "")
      return nil
    }
    guard value.hasPrefix(":"), value.count > 1 else {
      throw Reason(text: "'\(value)' is no command; it begins with ':'")
    }
    let command = String(value.dropFirst())
    if let wrong = check(command) { throw Reason(text: wrong) }
    table.set(keys, named: name, .command(command), summary: value)
    return keys
  }

  /// Why nobody can type these keys on some screens: the first of them do something by themselves there. Nil if they work everywhere.
  private static func whyUnreachable(_ keys: [KeyPress], in table: KeyTable) -> String? {
    for count in 1..<max(1, keys.count) {
      let begin = Array(keys.prefix(count))
      let tabs = ScreenTab.allCases.filter { tab in
        if case .action = table.meaning(of: begin, on: tab) { true } else { false }
      }
      guard !tabs.isEmpty else { continue }
      let (all, short) = (keys.map(\.name).joined(), begin.map(\.name).joined())
      let names = tabs.map(\.name).joined(separator: ", ")
      return "'\(all)' cannot be typed\(tabs.count == ScreenTab.allCases.count ? "" : " on \(names)"), where "
        + "'\(short)' alone does something; '\(short) = none' takes that away"
    }
    return nil
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    var rest = text.drop(while: isSpace)
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    return String(rest)
  }
}
