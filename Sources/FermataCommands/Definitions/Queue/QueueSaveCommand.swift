// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata queue save`.
package enum QueueSaveCommand: CommandDeclaration {
  static let file = ArgumentDefinition(
    ValueDefinition("FILE", completion: .files),
    summary: "A name that ends in .m3u8, .m3u, .pls, .xspf or .cue")
  /// The `--replace` option; shared by all commands that save the queue.
  static let replace = OptionDefinition("replace", summary: "Write over what has that name already")

  /// The command.
  package static let definition = CommandDefinition(
    "save", summary: "Write the queue into a playlist file",
    discussion: [
      """
      The name says the format. A file of that name stays as it is unless you say `--replace`; then it is replaced as a whole or not \
      at all. An empty queue is not saved. Files below the playlist's folder are named relative to it.
      """
    ],
    arguments: [file], options: [replace])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// The playlist file to write.
    package let file: String
    /// Whether a file of that name is replaced.
    package let replaces: Bool

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) {
      file = parsed.required(QueueSaveCommand.file)
      replaces = parsed.has(QueueSaveCommand.replace)
    }
  }
}
