// SPDX-License-Identifier: MIT
import CommandModel
package import TerminalIO

/// The only place that prints errors: as a line on standard error and, if `--json` was given, also as an object on
/// standard output.
package struct ErrorPrinter {
  private let json: Bool

  /// A printer for one run of the program. `words` is its command line. It is searched for `--json` directly, so that
  /// JSON is written even if the command line can't be parsed.
  package init(words: [String]) {
    json = words.prefix { $0 != "--" }.contains("--\(OptionDefinition.json.long)")
  }

  /// The line for a person.
  package func line(_ error: CommandError) -> String { "fermata: \(error)" }

  /// The JSON line for a program; nil if JSON was not asked for.
  package func object(_ error: CommandError) -> String? {
    guard json else { return nil }
    let content = JSONValue.object(present: [
      "code": .integer(Int(error.code.rawValue)), "message": .string(error.description),
    ])
    return JSONWriter.text(.object(present: ["error": content]))
  }

  /// Writes the error and returns the exit status. A failure to write is ignored. Blocks while the reader is slow.
  package func print(_ error: CommandError, output: LineWriter, errors: LineWriter) -> ExitCode {
    if let object = object(error) { _ = try? output.write(line: object) }
    _ = try? errors.write(line: line(error))
    return error.code
  }
}
