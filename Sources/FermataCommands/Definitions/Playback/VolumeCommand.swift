// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata volume`.
package enum VolumeCommand: CommandDeclaration {
  static let change = ArgumentDefinition(
    ValueDefinition("PERCENT"), .optional, summary: "The volume, `80%`, or a change, `+5%` or `-5%`")

  /// The command.
  package static let definition = CommandDefinition(
    "volume", group: FermataProgram.Group.playback, summary: "Show or change the volume",
    discussion: [
      "It is the volume of fermata's own stream, the same that the desktop's mixer shows; the output's stays as it is."
    ],
    usage: ["[N% | +N% | -N%]"], arguments: [change], options: [.json],
    examples: [Example("fermata volume -5%", "A little quieter")])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// The change to make; nil to show the volume.
    package let change: VolumeChange?
    /// Whether to write JSON.
    package let json: Bool

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) throws(UsageError) {
      json = parsed.has(.json)
      guard let word = parsed.value(VolumeCommand.change) else {
        change = nil
        return
      }
      guard let change = VolumeChange(word) else {
        throw parsed.error("'\(word)'", "not a volume", "write one from 0% to 100%, or a change, as '+5%'")
      }
      self.change = change
    }
  }
}
