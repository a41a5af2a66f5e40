// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// What the command line asks for.
struct Options {
  var groups: [Group] = []
  var bench = Bench()
  var wantsJSON = false
  var wantsHelp = false

  static let help = """
    usage: fermata-bench [GROUP…] [--program FILE] [--runs N] [--seconds N] [--files N] [--json]

      --program FILE   the program to be measured; without it the modules alone are, in a child
      --runs N         how often a time is taken; the median counts (10)
      --seconds N      how long idle and playing programs are watched (10)
      --files N        how many files the library has (10000)
      --json           one object for each group instead of a table

    groups, all when none is named:
    \(Group.allCases.map { "  \($0.rawValue)\(String(repeating: " ", count: 10 - $0.rawValue.count))\($0.summary)\n" }.joined())
    """

  init(_ words: [String]) throws {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--json": wantsJSON = true
      case "--help": wantsHelp = true
      case "--program": bench.program = try Self.file(rest.popFirst())
      case "--runs": bench.runs = try Self.number(word, rest.popFirst())
      case "--seconds": bench.span = .seconds(try Self.number(word, rest.popFirst()))
      case "--files": bench.files = try Self.number(word, rest.popFirst())
      default: groups.append(try Self.group(word))
      }
    }
    if groups.isEmpty { groups = Group.allCases }
  }

  private static func group(_ word: String) throws -> Group {
    guard let group = Group(rawValue: word) else { throw KitError("there is no group \(word)\n\(help)") }
    return group
  }

  /// The program, where it was built: `make bench` names it always.
  private static func file(_ word: String?) throws -> String? {
    guard let word else { throw KitError("--program needs a file") }
    guard access(word, X_OK) == 0 else {
      write("\(word) is not there: what needs it is left out\n", to: STDERR_FILENO)
      return nil
    }
    return word
  }

  private static func number(_ option: String, _ word: String?) throws -> Int {
    guard let number = word.flatMap({ Int($0) }), number > 0 else {
      throw KitError("\(option) needs a number above 0")
    }
    return number
  }
}
