// SPDX-License-Identifier: MIT
import CommandModel

extension FermataProgram {
  /// The man page `fermata(1)`, in roff.
  public static func manPage(version: String) -> String {
    ManPage(definition, version: version, sections: [fields, environment, files, seeAlso]).text
  }

  private static let fields = ManPage.Section(
    "STATUS FIELDS", StatusField.allCases.map { ($0.rawValue, $0.meaning) })

  private static let environment = ManPage.Section(
    "ENVIRONMENT",
    [
      ("PULSE_SERVER", "The sound server to play on"),
      ("DBUS_SESSION_BUS_ADDRESS", "The session bus to find the agent on"),
      ("NO_COLOR", "No colours on a terminal, if it isn't empty"),
      (
        "XDG_STATE_HOME, XDG_DATA_HOME, XDG_CACHE_HOME",
        "The folders below which its files stand"
      ),
    ])

  private static let files = ManPage.Section(
    "FILES",
    [
      ("$XDG_STATE_HOME/fermata/state.db", "The queue, and where it is"),
      ("$XDG_DATA_HOME/fermata/playlists", "The playlists that are kept"),
      ("$XDG_CACHE_HOME/fermata", "Pictures, which can be removed at any time"),
    ])

  private static let seeAlso = ManPage.Section(
    "SEE ALSO", [("playerctl(1), pactl(1)", "Other programs for the same players and outputs")])
}
