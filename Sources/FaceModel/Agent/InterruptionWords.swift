// SPDX-License-Identifier: MIT

/// All words for one source of interruptions, by the code that the bus has for it. An unknown code is its own name.
struct InterruptionWords {
  /// What interrupts, when it is told of first: "a call". Nil where nobody does, so that only `goesOn` is told.
  let name: String?
  /// The state of things while it lasts: "a call is going on".
  let goesOn: String
  /// What playback waits for: "the call is over".
  let awaited: String
  /// What has happened when it is over: "the call is over".
  let isOver: String
  /// How long the music is played more quietly: "during a call".
  let meanwhile: String

  init(_ code: String) {
    self =
      switch code {
      case "call": .init("a call", "the call", meanwhile: "during a call")
      case "a11y":
        .init("the screen reader", "the screen reader", meanwhile: "while the screen reader speaks")
      case "event":
        .init(
          "a sound of the desktop", "the sound of the desktop", meanwhile: "while the desktop makes a sound")
      case "notification": .init("a notification", "the notification")
      case "announcement": .init("an announcement", "the announcement", meanwhile: "during an announcement")
      case "server":
        .init(
          state: "no sound server answers", until: "a sound server answers",
          isOver: "the sound server is back")
      case "suspend":
        .init(state: "the sound server has let go of the output", until: "the output is there again")
      case "stall":
        .init(
          state: "no sound gets through", until: "sound gets through", isOver: "sound gets through again")
      case "sleep": .init(state: "the machine goes to sleep", until: "the machine is awake")
      case "cork":
        .init(state: "another program asks for silence", until: "nobody asks for silence any more")
      case "microphone":
        .init(state: "a program listens to the microphone", until: "the microphone is free")
      default: .init(Self.tool(code) ?? code, Self.tool(code) ?? code)
      }
  }

  /// A source that sounds, or that a program is: by its name when it is told of first, and later.
  private init(_ name: String, _ again: String, meanwhile: String? = nil) {
    (self.name, goesOn) = (name, "\(name) is going on")
    (awaited, isOver) = ("\(again) is over", "\(again) is over")
    self.meanwhile = meanwhile ?? "while \(name) sounds"
  }

  /// A state of things that has no name.
  private init(state: String, until awaited: String, isOver: String? = nil) {
    (name, goesOn, self.awaited) = (nil, state, awaited)
    (self.isOver, meanwhile) = (isOver ?? awaited, "while \(state)")
  }

  /// The name of the program in a code such as `tool:name`; nil for any other code. The name may hold any characters, so control characters must be
  /// removed before it is shown.
  static func tool(_ code: String) -> String? {
    code.hasPrefix("tool:") ? String(code.dropFirst(5)) : nil
  }
}
