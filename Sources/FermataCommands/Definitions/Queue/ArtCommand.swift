// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata art`.
public enum ArtCommand: CommandDeclaration {
  /// The sizes, in pixels, that a picture may be asked for in.
  public static let sizes = 1...4096

  static let id = ArgumentDefinition(
    ValueDefinition("ID"), .optional, summary: "An item of the library; without one, the current track")
  static let size = OptionDefinition(
    "size", value: ValueDefinition("N"), summary: "Scale it to fit into N by N pixels", standard: "as it is")
  static let output = OptionDefinition(
    "output", short: "o", value: ValueDefinition("FILE", completion: .files),
    summary: "Write the picture to FILE, `-` for standard output")

  /// The command.
  public static let definition = CommandDefinition(
    "art", group: FermataProgram.Group.queue, summary: "Show where a track's picture is, or write it",
    discussion: ["Without `-o` it prints the path of the picture."],
    arguments: [id], options: [size, output, .json],
    examples: [Example("fermata art --size 300 -o cover.png", "Write the current picture in small")])

  /// What was said to it.
  public struct Options: CommandOptions {
    /// The item; none for the current track.
    public let id: String?
    /// The largest edge in pixels, within `sizes`; none for the picture as it is.
    public let size: Int?
    /// The file to write, or `-`; none to print the path.
    public let output: String?
    /// Whether to write JSON.
    public let json: Bool

    /// Reads them.
    public init(_ parsed: ParsedCommand) throws(UsageError) {
      id = parsed.value(ArtCommand.id)
      size = try parsed.number(ArtCommand.size, in: ArtCommand.sizes)
      output = parsed.value(ArtCommand.output)
      json = parsed.has(.json)
    }
  }
}
