// SPDX-License-Identifier: MIT
package import BusModel

/// Our own interfaces.
///
/// Times are seconds, rows count from 1 with 0 for none, dictionaries have the keys of the command line's
/// JSON, and what is absent is left out or empty. Each change is told once: by the signal made for it, else
/// by `PropertiesChanged`. Whoever is refused gets an error that says why.
package enum AgentDescriptions {
  /// Who is to be asked.
  package static let busName: BusName = "org.fermata.Agent"
  /// Where the object stands.
  package static let path: ObjectPath = "/org/fermata/Agent"

  /// What plays, and all that is known of it.
  package static let player = InterfaceDescription(
    "org.fermata.Player1",
    methods: [
      // What playing waits for, such as "call"; empty where it doesn't wait.
      MethodDescription("Play", out: [ArgumentDescription("Waiting", .string)]),
      MethodDescription("Pause"),
      MethodDescription("Toggle", out: [ArgumentDescription("Waiting", .string)]),
      MethodDescription("Stop"),
      MethodDescription("Next"),
      MethodDescription("Previous"),
      MethodDescription("Seek", in: [ArgumentDescription("Offset", .double)]),
      MethodDescription("SeekTo", in: [ArgumentDescription("Position", .double)]),
      MethodDescription("BeginSeek", in: [ArgumentDescription("Direction", .string)]),
      MethodDescription("EndSeek"),
      MethodDescription("PlayRandom", out: [ArgumentDescription("Entry", .uint64)]),
      // A volume of 0.05 more, say, or less where it is below zero; answers what it comes to.
      MethodDescription(
        "ChangeVolume", in: [ArgumentDescription("Change", .double)],
        out: [ArgumentDescription("Volume", .double)]),
      MethodDescription("Status", out: [ArgumentDescription("Status", "a{sv}")]),
      // A picture for an item of the library, 0 for the current track, of that size in pixels, 0 for its own.
      MethodDescription(
        "Art", in: [ArgumentDescription("Item", .int64), ArgumentDescription("Size", .uint32)],
        out: [ArgumentDescription("Uri", .string)]),
    ],
    signals: [
      SignalDescription(
        "StateChanged", [ArgumentDescription("State", .string), ArgumentDescription("Why", .string)]),
      SignalDescription("Seeked", [ArgumentDescription("Position", .double)]),
      SignalDescription(
        "Skipped",
        [
          ArgumentDescription("Entry", .uint64), ArgumentDescription("Uri", .string),
          ArgumentDescription("Why", .string),
        ]),
    ],
    properties: [
      PropertyDescription("State", .string, changes: .silently),
      PropertyDescription("Why", .string, changes: .silently),
      PropertyDescription("Current", "a{sv}"),
      PropertyDescription("Position", .double, changes: .silently),
      PropertyDescription("Volume", .double, .readWrite),
      PropertyDescription("Repeat", .string),
      PropertyDescription("RepeatChoice", .string, .readWrite),
      PropertyDescription("Shuffle", .string),
      PropertyDescription("ShuffleChoice", .string, .readWrite),
      PropertyDescription("CanGoNext", .boolean),
      PropertyDescription("CanGoPrevious", .boolean),
      PropertyDescription("CanPlay", .boolean),
      PropertyDescription("CanSeek", .boolean),
    ])

  private static let editCounts = [
    ArgumentDescription("Added", .uint32), ArgumentDescription("Removed", .uint32),
    ArgumentDescription("Moved", .uint32),
  ]

  /// What is to be played.
  package static let queue = InterfaceDescription(
    "org.fermata.Queue1",
    methods: [
      MethodDescription(
        "List", in: [ArgumentDescription("First", .uint32), ArgumentDescription("Count", .uint32)],
        out: [
          ArgumentDescription("Items", "aa{sv}"), ArgumentDescription("Length", .uint32),
          ArgumentDescription("Current", .uint32),
        ]),
      MethodDescription(
        "Items", in: [ArgumentDescription("Entries", "at")], out: [ArgumentDescription("Items", "aa{sv}")]),
      MethodDescription(
        "Append", in: [ArgumentDescription("Sources", "as")],
        out: [ArgumentDescription("Entries", "at"), ArgumentDescription("LeftOut", "as")]),
      MethodDescription(
        "AddNext", in: [ArgumentDescription("Sources", "as")],
        out: [ArgumentDescription("Entries", "at"), ArgumentDescription("LeftOut", "as")]),
      MethodDescription(
        "Insert", in: [ArgumentDescription("Sources", "as"), ArgumentDescription("Row", .uint32)],
        out: [ArgumentDescription("Entries", "at"), ArgumentDescription("LeftOut", "as")]),
      MethodDescription(
        "Play", in: [ArgumentDescription("Sources", "as"), ArgumentDescription("Options", "a{sv}")],
        out: [
          ArgumentDescription("Entries", "at"), ArgumentDescription("Waiting", .string),
          ArgumentDescription("LeftOut", "as"),
        ]),
      MethodDescription(
        "Jump", in: [ArgumentDescription("Entry", .uint64)], out: [ArgumentDescription("Waiting", .string)]),
      MethodDescription(
        "Remove", in: [ArgumentDescription("Entries", "at")], out: [ArgumentDescription("Removed", "at")]),
      MethodDescription(
        "Move",
        in: [
          ArgumentDescription("Entry", .uint64), ArgumentDescription("Count", .uint32),
          ArgumentDescription("Row", .uint32),
        ], out: [ArgumentDescription("Moved", "at")]),
      MethodDescription("Clear"),
      // Until another list takes its place.
      MethodDescription("ShuffleList", in: [ArgumentDescription("Mode", .string)]),
      // How many entries the edit that is taken back, or made again, adds, removes and moves.
      MethodDescription("Undo", out: editCounts),
      MethodDescription("Redo", out: editCounts),
      // With the option "replace" a file that is there is written anew; else it is refused.
      MethodDescription(
        "Save", in: [ArgumentDescription("Uri", .string), ArgumentDescription("Options", "a{sv}")]),
    ],
    signals: [
      SignalDescription(
        "QueueChanged",
        [
          ArgumentDescription("Added", "a(utu)"), ArgumentDescription("Removed", "a(utu)"),
          ArgumentDescription("Moved", "a(uuu)"), ArgumentDescription("Length", .uint32),
        ]),
      SignalDescription("QueueReplaced", [ArgumentDescription("Length", .uint32)]),
      SignalDescription("ItemsChanged", [ArgumentDescription("Entries", "at")]),
    ],
    properties: [
      PropertyDescription("Length", .uint32, changes: .silently),
      PropertyDescription("Current", .uint32),
      PropertyDescription("CurrentEntry", .uint64),
      PropertyDescription("NotStored", .string),
    ])

  /// Where the sound goes, and what interrupts it.
  package static let session = InterfaceDescription(
    "org.fermata.Session1",
    signals: [
      SignalDescription(
        "RouteChanged",
        [
          ArgumentDescription("Reason", .string), ArgumentDescription("Previous", "a{sv}"),
          ArgumentDescription("Current", "a{sv}"), ArgumentDescription("Paused", .boolean),
        ]),
      SignalDescription(
        "InterruptionBegan",
        [ArgumentDescription("Source", .string), ArgumentDescription("WasPlaying", .boolean)]),
      SignalDescription(
        "InterruptionEnded",
        [ArgumentDescription("Source", .string), ArgumentDescription("ShouldResume", .boolean)]),
    ],
    properties: [
      PropertyDescription("Route", "a{sv}", changes: .silently),
      PropertyDescription("Interruptions", "as", changes: .silently),
    ])

  /// All of them.
  package static let all = [player, queue, session]
}
