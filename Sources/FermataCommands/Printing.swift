// SPDX-License-Identifier: MIT
import AgentLoop
package import CommandModel
import Glibc
import TerminalIO

/// Writes the output and messages of commands to standard output and standard error. Every call blocks while the reader is slow.
package enum Printer {
  package static var columns: Int? { Terminal.columns(of: STDOUT_FILENO) }

  static var rows: Int? { Terminal.rows(of: STDOUT_FILENO) }

  /// The styles that standard output shows.
  package static var palette: Palette {
    Palette(isTerminal: Terminal.isTerminal(STDOUT_FILENO)) { name in
      getenv(name).map { String(cString: $0) }
    }
  }

  /// Writes the output that the user asked for. If the program that reads it has ended, that is no error. Every other failure is thrown, because
  /// otherwise nobody would notice a half-written list on a full disk.
  package static func write(_ text: String) throws(CommandError) { try write(Array(text.utf8)) }

  /// Writes bytes that the user asked for, as `write` does with text.
  package static func write(_ bytes: [UInt8]) throws(CommandError) {
    do throws(TerminalError) { _ = try LineWriter.output.write(bytes) } catch {
      throw CommandError(unwritable: error)
    }
  }

  /// Writes a JSON line if JSON was asked for; otherwise the line of text.
  package static func write(
    _ json: @autoclosure () -> JSONValue, if isJSON: Bool, else text: @autoclosure () -> String
  ) throws(CommandError) {
    try write((isJSON ? json().text : text()) + "\n")
  }

  /// Writes a JSON line if JSON was asked for; otherwise lines for a person, in the styles that the terminal shows.
  /// `lines` is given the terminal's number of columns; nil if there is no terminal.
  package static func write(
    _ json: @autoclosure () -> JSONValue, if isJSON: Bool, else lines: (Int?) -> [StyledText]
  ) throws(CommandError) {
    if isJSON { return try write(json().text + "\n") }
    let palette = palette
    try write(lines(columns).map { $0.rendered(palette) + "\n" }.joined())
  }

  /// Prints a message about something that was done. A failure to write it is ignored, because the command has succeeded.
  package static func say(_ text: String) { _ = try? LineWriter.output.write(text) }

  /// A text from anywhere, made safe for standard output. A terminal gets its plain form, which leaves out characters that some terminals show too
  /// wide; a file or pipe gets all of them.
  package static func shown(_ text: String) -> String { shown(text, on: STDOUT_FILENO) }

  /// A text from anywhere that programs want as it is: in a file or pipe it stays unchanged, and a terminal gets it made safe.
  static func exact(_ text: String) -> String {
    Terminal.isTerminal(STDOUT_FILENO) ? TerminalText.printable(text) : text
  }

  fileprivate static func shown(_ text: String, on descriptor: Int32) -> String {
    Terminal.isTerminal(descriptor) ? TerminalText.printable(text) : TerminalText.escaped(text)
  }

  /// Prints a message on standard error. The text may come from anywhere; it is made safe for a terminal here.
  package static func complain(_ text: String) {
    _ = try? LineWriter.errors.write(line: "fermata: \(shown(text, on: STDERR_FILENO))")
  }

  /// Prints an error that doesn't end the command.
  package static func complain(_ error: CommandError) { complain(error.description) }

  /// How many errors of one command are printed at most: nobody reads more.
  private static let mostErrors = 20

  /// Prints errors that don't end the command. If there are many, the last ones are only counted.
  package static func complain(_ errors: [CommandError]) {
    errors.prefix(mostErrors).forEach(complain)
    if errors.count > mostErrors { complain("and \(errors.count - mostErrors) more") }
  }
}

/// What a user sends to standard input.
enum StandardInput {
  static let name = "standard input"

  /// Reads standard input to its end. If it is longer than `limit` bytes, a little more than that is returned, so that the caller can see it and
  /// refuse. Blocks.
  static func read(limit: Int) throws(CommandError) -> [UInt8] {
    do throws(TerminalError) { return try Terminal.readStandardInput(limit: limit) } catch {
      throw CommandError(
        .refused, name, "can't be read: \(error)", "send it a file, or what another program writes")
    }
  }
}

/// The only place that prints the error with which a command ends: as a line on standard error and, if `--json` was
/// given, also as an object on standard output.
struct ErrorPrinter {
  private let json: Bool

  /// A printer for one run of the program. `words` is its command line. It is searched for `--json` directly, so that
  /// JSON is written even if the command line can't be parsed.
  init(words: [String]) {
    json = words.prefix { $0 != "--" }.contains("--\(OptionDefinition.json.long)")
  }

  func line(_ error: CommandError) -> String { "fermata: \(error)" }

  /// The error as a line of JSON; nil if JSON was not asked for.
  func object(_ error: CommandError) -> String? {
    guard json else { return nil }
    let content = JSONValue.object(present: [
      "code": .integer(Int(error.code.rawValue)), "message": .string(error.description),
    ])
    return JSONValue.object(present: ["error": content]).text
  }

  /// Writes the error and returns the exit status. A failure to write is ignored.
  func print(_ error: CommandError, output: LineWriter, errors: LineWriter) -> ExitCode {
    if let object = object(error) { _ = try? output.write(line: object) }
    _ = try? errors.write(line: Printer.shown(line(error), on: STDERR_FILENO))
    return error.code
  }
}

extension CommandError {
  /// An error for standard output that can't be written to.
  fileprivate init(unwritable error: TerminalError) {
    self.init(.cannotWrite, "standard output", "\(error)", "make room, or send it elsewhere")
  }
}

/// The output of a command that writes until it is stopped. It decides when the command ends: when nobody reads the output any more or the agent has
/// ended. It notices a closed output at once, even while there is nothing to write. Only on the loop.
@AgentLoop
final class EndlessOutput {
  private let result = Promise<Result<Void, CommandError>>()
  private var reader: LoopWatch?

  init() {
    reader = LoopWatch(descriptor: STDOUT_FILENO, events: .hangup) { [weak self] _ in
      self?.end(.success(()))
    }
  }

  /// Writes a line. If nobody reads the output any more, the command ends.
  func write(_ line: String) {
    guard result.value == nil else { return }
    do throws(TerminalError) {
      if try LineWriter.output.write(line: line) == .readerGone { end(.success(())) }
    } catch {
      end(.failure(CommandError(unwritable: error)))
    }
  }

  /// Ends the command without an error. If it has ended already, this does nothing.
  func end() { end(.success(())) }

  /// Ends the command because of an error. If it has ended already, this does nothing.
  func fail(_ error: CommandError) { end(.failure(error)) }

  private func end(_ result: Result<Void, CommandError>) {
    self.result.keep(result)
    reader = nil
  }

  /// Waits until the command is to end. Only one task may wait.
  func wait() async throws(CommandError) {
    let result = await result.get()
    withExtendedLifetime(self) {}
    try result.get()
  }
}
