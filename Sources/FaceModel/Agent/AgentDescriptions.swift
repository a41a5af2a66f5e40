// SPDX-License-Identifier: MIT
package import BusModel

/// Our own interfaces.
///
/// Times are seconds. Rows count from 1, and 0 means none. Dictionaries have the same keys as the command line's JSON;
/// what is absent is left out or empty. Each change is reported once: by its own signal if it has one, else by
/// `PropertiesChanged`. A refused call gets an error that says why.
package enum AgentDescriptions {
  /// The well-known name of the agent.
  package static let busName: BusName = "org.fermata.Agent"
  /// The path of the agent's object.
  package static let path: ObjectPath = "/org/fermata/Agent"

  /// The player: what plays, and how to control it.
  package static let player = InterfaceDescription(
    "org.fermata.Player1",
    methods: [
      // Returns what playback has to wait for, such as "call"; empty if it doesn't wait.
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
      // Changes the volume by 0.05, say, or lowers it if that is negative; returns the new volume.
      MethodDescription(
        "ChangeVolume", in: [ArgumentDescription("Change", .double)],
        out: [ArgumentDescription("Volume", .double)]),
      MethodDescription("Status", out: [ArgumentDescription("Status", "a{sv}")]),
      // Returns a picture of an item in the library (0: the current track) in a size in pixels (0: the picture's own).
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

  /// The queue: what is to be played.
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
      // Holds until another list takes this one's place.
      MethodDescription("ShuffleList", in: [ArgumentDescription("Mode", .string)]),
      // Both return how many entries were added, removed and moved by the edit that is undone or redone.
      MethodDescription("Undo", out: editCounts),
      MethodDescription("Redo", out: editCounts),
      // An existing file is overwritten only with the option "replace"; otherwise the call is refused.
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
