// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata events`.
package enum EventsCommand: CommandDeclaration {
  /// The only option is `--json`.
  package typealias Options = DataOptions

  /// If a queue change has more rows than this, they are not listed one by one.
  static let mostRows = 10_000

  /// The command.
  package static let definition = CommandDefinition(
    "events", group: FermataProgram.Group.agent, summary: "Write what happens, one line each, until Ctrl-C",
    discussion: [
      """
      As JSON, each line is an object with `time` and `event`, one of `state`, `nowPlaying`, `volume`, `repeat`, `shuffle`, \
      `seeked`, `queue`, `row`, `items`, `skipped`, `routeChange` and `interruption`.
      """,
      """
      Of `queue`, `added` and `removed` are lists of `{"row","entry"}` and `moved` is a list of `{"from","to"}`; rows count from 1, \
      those of `removed` as they were before. All three are always there; `length` is that of the queue. After more than \
      \(mostRows) rows there is `"replaced":true` instead: list the queue anew.
      """,
    ],
    options: [.json])
}
