// SPDX-License-Identifier: MIT
package import CommandModel
import SettingsModel

/// `fermata settings`, which has commands of its own.
package enum SettingsCommand {
  static let key = ArgumentDefinition(
    ValueDefinition("KEY", choices: Settings.all.map { .init($0.name, $0.summary) }), summary: "Which setting"
  )

  /// The command.
  package static let definition = CommandDefinition(
    "settings", group: FermataProgram.Group.agent, summary: "Show or change what is chosen once for always",
    discussion: [
      """
      They stand in `$XDG_CONFIG_HOME/fermata/fermata.conf`, a `name = value` a line; what follows a `#` is yours. An agent \
      that runs takes a change at once, whoever writes it.
      """
    ],
    subcommands: [
      SettingsListCommand.definition, SettingsGetCommand.definition, SettingsSetCommand.definition,
      SettingsUnsetCommand.definition,
    ],
    defaultSubcommand: "list",
    examples: [
      Example("fermata settings set role-notification duck", "Be quieter while a message sounds"),
      Example(
        "fermata settings set resume-on-return 30", "Go on when the headphones are back within half a minute"),
    ])
}
