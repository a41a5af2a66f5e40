// SPDX-License-Identifier: MIT
import CommandModel

/// Where the sources of a command come from.
package enum SourceList: Sendable, Hashable {
  /// From the command line.
  case words([String])
  /// From standard input, because the only source was `-`.
  case standardInput

  /// Reads the words of a command line. A `-` beside other words is refused, because it would easily be overlooked
  /// there.
  init(_ words: [String], of parsed: ParsedCommand) throws(UsageError) {
    guard words.contains("-") else {
      self = .words(words)
      return
    }
    guard words.count == 1 else {
      throw parsed.error(
        "'-'", "standard input cannot be mixed with other sources", "name a file '-' as './-'")
    }
    self = .standardInput
  }

  /// Splits standard input into sources. They are separated by NULs if it contains any; otherwise each line is one.
  /// Empty ones are left out.
  ///
  /// Sources are bytes, as file names are. If every line ends in CR LF, as on Windows, the CR is not part of the
  /// name.
  package static func split(_ bytes: [UInt8]) -> [[UInt8]] {
    if bytes.contains(0) { return bytes.split(separator: 0).map(Array.init) }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard lines.allSatisfy({ $0.last == UInt8(ascii: "\r") }) else { return lines.map(Array.init) }
    return lines.map { Array($0.dropLast()) }.filter { !$0.isEmpty }
  }
}
