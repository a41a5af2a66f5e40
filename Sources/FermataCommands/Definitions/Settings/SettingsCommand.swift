// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata settings`, which has commands of its own.
public enum SettingsCommand {
  static let key = ArgumentDefinition(ValueDefinition("KEY"), summary: "The setting's name")

  /// The command.
  public static let definition = CommandDefinition(
    "settings", group: FermataProgram.Group.agent, summary: "Show or change settings",
    discussion: [
      "They stand in `fermata/fermata.conf` below `$XDG_CONFIG_HOME`. Comments there survive every change."
    ],
    subcommands: [
      SettingsListCommand.definition, SettingsGetCommand.definition, SettingsSetCommand.definition,
    ],
    defaultSubcommand: "list")
}
