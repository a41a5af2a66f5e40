// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata art`.
package enum ArtCommand: CommandDeclaration {
  static let item = ArgumentDefinition(
    ValueDefinition("ID"), .optional, summary: "An item of the library; without one, the current track")
  static let size = OptionDefinition(
    "size", value: ValueDefinition("N"), summary: "Make it fit into N pixels")
  static let output = OptionDefinition(
    "output", short: "o", value: ValueDefinition("FILE", completion: .files),
    summary: "Copy the picture into a file, replacing it; `-` is standard output")

  /// The command.
  package static let definition = CommandDefinition(
    "art", group: FermataProgram.Group.playback, summary: "Show where the picture of a track is",
    discussion: [
      """
      The path is written unless the picture is copied. Pictures have the size that they came with; without a library there are \
      only those of the current track. A file that is replaced is replaced as a whole or not at all; where it is the picture itself \
      nothing is done.
      """
    ],
    arguments: [item], options: [size, output, .json], exclusive: [[output, .json]],
    examples: [Example("fermata art -o cover.jpg", "Keep the picture of what plays")])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// The item of the library; nil for the current track.
    package let item: Int64?
    /// The size in pixels; nil for the picture's own size.
    package let size: Int?
    /// Where to copy it.
    package let output: String?
    /// Whether to write JSON.
    package let json: Bool

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) throws(UsageError) {
      let word = parsed.value(ArtCommand.item)
      item = try word.map { (word) throws(UsageError) in
        Int64(try parsed.number(word, named: "item", in: 1...Int.max))
      }
      size = try parsed.number(ArtCommand.size, in: 1...4096)
      output = parsed.value(ArtCommand.output)
      json = parsed.has(.json)
    }
  }
}
