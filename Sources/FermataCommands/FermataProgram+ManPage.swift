// SPDX-License-Identifier: MIT
import CommandModel
import SettingsModel

extension FermataProgram {
  /// The man page `fermata(1)`, in roff.
  package static func manPage(version: String) -> String {
    ManPage(definition, version: version, sections: [fields, settings, environment, files, seeAlso]).text
  }

  private static let fields = ManPage.Section(
    "STATUS FIELDS", StatusField.allCases.map { ($0.rawValue, $0.meaning) })

  private static let settings = ManPage.Section(
    "SETTINGS",
    Settings.all.map { setting in
      (setting.name, "\(setting.summary). It takes \(setting.values); preset is `\(setting.preset)`")
    })

  private static let environment = ManPage.Section(
    "ENVIRONMENT",
    [
      ("PULSE_SERVER", "The sound server to play on"),
      ("DBUS_SESSION_BUS_ADDRESS", "The session bus to find the agent on"),
      ("NO_COLOR", "No colours on a terminal, if it isn't empty"),
      (
        "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_DATA_HOME, XDG_CACHE_HOME",
        "The folders below which its files stand"
      ),
    ])

  private static let files = ManPage.Section(
    "FILES",
    [
      ("$XDG_CONFIG_HOME/fermata/fermata.conf", "The settings"),
      ("$XDG_STATE_HOME/fermata", "The queue, and where in it playing has come to"),
      ("$XDG_DATA_HOME/fermata/playlists", "The playlists that are kept"),
      ("$XDG_CACHE_HOME/fermata", "Pictures, which can be removed at any time"),
    ])

  private static let seeAlso = ManPage.Section(
    "SEE ALSO", [("playerctl(1), pactl(1)", "Other programs for the same players and outputs")])
}
