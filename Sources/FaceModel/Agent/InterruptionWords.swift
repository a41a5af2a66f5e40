// SPDX-License-Identifier: MIT

/// All words for one source of interruptions, by the code that the bus has for it. An unknown code is its own name.
struct InterruptionWords {
  /// The interrupter, for "interrupted by a call". Nil for a state of things that nobody causes, such as a sound server that does not answer: then
  /// `goesOn` is told instead.
  let name: String?
  /// The state of things while it lasts: "a call is going on".
  let goesOn: String
  /// The end that has not come yet, for "the music goes on when the call is over".
  let awaited: String
  /// The end that has just come, for "the call is over, the music goes on".
  let isOver: String
  /// The time in which the music is played more quietly: "during a call".
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

  /// Words for an interrupter. `name` introduces it ("a call"), and `again` names it once it is known ("the call").
  private init(_ name: String, _ again: String, meanwhile: String? = nil) {
    (self.name, goesOn) = (name, "\(name) is going on")
    (awaited, isOver) = ("\(again) is over", "\(again) is over")
    self.meanwhile = meanwhile ?? "while \(name) sounds"
  }

  /// Words for a state of things that nobody causes. `awaited` is its end as long as that has not come, `isOver` when it has; the same by default.
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
