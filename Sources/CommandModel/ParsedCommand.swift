// SPDX-License-Identifier: MIT

/// A command line that matches its definition: every required argument is present, and every choice is one of those
/// allowed.
package struct ParsedCommand: Sendable {
  package let path: CommandPath
  private let options: [String: [String]]
  private let arguments: [String: [String]]

  init(path: CommandPath, options: [String: [String]], arguments: [String: [String]]) {
    self.path = path
    self.options = options
    self.arguments = arguments
  }

  /// Whether an option was given. Traps when the command has no such option.
  package func has(_ option: OptionDefinition) -> Bool {
    precondition(path.command.allOptions.contains(option), "\(path.text) has no --\(option.long)")
    return options[option.long] != nil
  }

  /// The value of an option; nil if it wasn't given. Traps when the command has no such option. If it was given several
  /// times the last one counts, so that a shell alias can be overridden.
  package func value(_ option: OptionDefinition) -> String? {
    has(option) ? options[option.long]?.last : nil
  }

  /// All the words of an argument, in order. Traps when the command has no such argument.
  package func values(_ argument: ArgumentDefinition) -> [String] {
    precondition(path.command.arguments.contains(argument), "\(path.text) has no \(argument.value.name)")
    return arguments[argument.value.name] ?? []
  }

  /// The word of an optional argument; nil if it is absent.
  package func value(_ argument: ArgumentDefinition) -> String? { values(argument).first }

  /// The word of a required argument. Traps for an optional one.
  package func required(_ argument: ArgumentDefinition) -> String {
    precondition(argument.arity.minimum == 1, "\(argument.value.name) may be absent")
    // The parser has rejected command lines without this argument.
    return values(argument)[0]
  }

  /// An error about this command's options or arguments. Without a remedy it names the command's help.
  package func error(_ subject: String, _ reason: String, _ remedy: String? = nil) -> CommandError {
    CommandError(.usage, subject, reason, remedy ?? path.seeHelp)
  }

  /// Parses a whole number within limits. Throws an error about `name` and the word for anything else.
  package func number(_ word: String, named name: String, in limits: ClosedRange<Int>) throws(CommandError)
    -> Int
  {
    guard word.drop(while: { $0 == "-" }).isDigits else {
      throw error("\(name) '\(word)'", "not a whole number", "write one from \(limits.text)")
    }
    guard let number = Int(word), limits.contains(number) else {
      throw error("\(name) '\(word)'", "out of range", "write a number from \(limits.text)")
    }
    return number
  }

  /// The value of an option as a whole number; nil if the option wasn't given.
  package func number(_ option: OptionDefinition, in limits: ClosedRange<Int>) throws(CommandError) -> Int? {
    guard let word = value(option) else { return nil }
    return try number(word, named: "--\(option.long)", in: limits)
  }
}

extension CommandPath {
  /// The advice to read the command's help, for errors without a more specific one.
  var seeHelp: String { "see '\(helpLine)'" }

  /// The advice of `seeHelp`. If the command takes files, it adds how to write the word if it is the name of a file
  /// that looks like an option.
  func seeHelp(unlessFile word: String) -> String {
    let takesFiles = command.arguments.contains { $0.value.takesFiles }
    return takesFiles ? "\(seeHelp), or write './\(word)' if it is a file" : seeHelp
  }
}

extension ClosedRange<Int> {
  fileprivate var text: String { upperBound == .max ? "\(lowerBound) up" : "\(lowerBound) to \(upperBound)" }
}
