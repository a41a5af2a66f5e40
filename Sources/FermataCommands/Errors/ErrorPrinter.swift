// SPDX-License-Identifier: MIT
import CommandModel
package import TerminalIO

/// The one place that turns errors into text: a line on standard error, and an object on standard output for who asked for JSON.
package struct ErrorPrinter {
  private let json: Bool

  /// A printer for one run of the program. `words` are its command line, which says whether JSON is wanted even where it
  /// can't be understood.
  package init(words: [String]) {
    json = words.prefix { $0 != "--" }.contains("--\(OptionDefinition.json.long)")
  }

  /// The line for a person.
  package func line(_ error: CommandError) -> String { "fermata: \(error)" }

  /// The line for a program, where one is wanted.
  package func object(_ error: CommandError) -> String? {
    guard json else { return nil }
    let content = JSONValue.object(present: [
      "code": .integer(Int(error.code.rawValue)), "message": .string(error.description),
    ])
    return JSONWriter.text(.object(present: ["error": content]))
  }

  /// Writes the error and returns the status to end with. That nobody reads what is written changes nothing.
  package func print(_ error: CommandError, output: LineWriter, errors: LineWriter) -> ExitCode {
    if let object = object(error) { _ = try? output.write(line: object) }
    _ = try? errors.write(line: line(error))
    return error.code
  }
}
