// SPDX-License-Identifier: MIT
import CommandModel

/// Where the sources of a command come from.
package enum SourceList: Sendable, Hashable {
  /// From the command line.
  case words([String])
  /// From standard input, because the only source was `-`.
  case standardInput

  /// Sorts the words of a command line. A `-` among others would be lost among them, so it is refused.
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

  /// The sources that standard input names: separated by NULs where there are any, else one a line. Empty ones are left out.
  ///
  /// They are bytes, as file names are. Where every line ends as on Windows, that is no part of a name.
  package static func split(_ bytes: [UInt8]) -> [[UInt8]] {
    if bytes.contains(0) { return bytes.split(separator: 0).map(Array.init) }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard lines.allSatisfy({ $0.last == UInt8(ascii: "\r") }) else { return lines.map(Array.init) }
    return lines.map { Array($0.dropLast()) }.filter { !$0.isEmpty }
  }
}
