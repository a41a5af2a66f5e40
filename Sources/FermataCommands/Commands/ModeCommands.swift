// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import PlaybackLogic

/// `fermata repeat`.
struct RepeatCommand: Command {
  /// The mode to set; nil to show the current one.
  let mode: ModeChoice<RepeatMode>?
  let json: Bool

  private static let mode = ArgumentDefinition(
    ValueDefinition(
      "MODE",
      choices: [
        .init("none", "Stop at the end of the queue"),
        .init("off", "The same as `none`"),
        .init("one", "Play the same track again"),
        .init("all", "Begin the queue again"),
        .init("default", "What the settings say"),
      ]), .optional, summary: "What to do at the end")

  static let definition = CommandDefinition(
    "repeat", summary: "Show or set what happens at the end", arguments: [mode], options: [.json],
    read: Self.init)

  init(_ parsed: ParsedCommand) {
    mode = parsed.value(Self.mode).map { word in
      word == "off" ? .chosen(.none) : RepeatMode(rawValue: word).map(ModeChoice.chosen) ?? .default
    }
    json = parsed.has(.json)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      if let mode { try await agent.set(repeat: mode) }
      guard mode == nil || json else { return }
      try show(mode: await agent.playerStatus().repeatMode.rawValue, of: name, json: json)
    }
  }
}

/// `fermata shuffle`.
struct ShuffleCommand: Command {
  /// The mode to set; nil to show the current one.
  let mode: ModeChoice<ShuffleMode>?
  /// Whether to put the rows of the queue into a random order.
  let now: Bool
  let json: Bool

  private static let mode = ArgumentDefinition(
    ValueDefinition(
      "MODE",
      choices: [
        .init("off", "As they stand in the queue"),
        .init("on", "The same as `songs`"),
        .init("songs", "Songs in random order"),
        .init("albums", "Albums in random order, the songs of each in their own"),
        .init("default", "What the settings say"),
      ]), .optional, summary: "The order to play in")

  private static let now = OptionDefinition(
    "now", summary: "Put the queue itself into a random order, once; `fermata queue undo` takes it back")

  static let definition = CommandDefinition(
    "shuffle", summary: "Show or set the order in which the queue plays",
    discussion: [
      """
      With `--now` the rows of the queue are reordered, and the mode stays as it is unless one is named. What plays goes on, as the \
      first row.
      """
    ], arguments: [mode],
    options: [now, .json], read: Self.init)

  init(_ parsed: ParsedCommand) {
    now = parsed.has(Self.now)
    mode = parsed.value(Self.mode).map { word in
      word == "on" ? .chosen(.songs) : ShuffleMode(rawValue: word).map(ModeChoice.chosen) ?? .default
    }
    json = parsed.has(.json)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      if let mode { try await agent.set(shuffle: mode) }
      if now { try await agent.edit(.shuffleNow) }
      guard mode == nil && !now || json else { return }
      try show(mode: await agent.playerStatus().shuffleMode.rawValue, of: name, json: json)
    }
  }
}

/// `fermata consume`.
struct ConsumeCommand: Command {
  /// Whether played rows are to leave the queue; nil to show whether they do.
  let isOn: Bool?
  let json: Bool

  private static let mode = ArgumentDefinition(
    ValueDefinition(
      "MODE",
      choices: [
        .init("on", "A played row leaves the queue"), .init("off", "The queue stays as it is"),
      ]), .optional, summary: "What becomes of a row that was played")

  static let definition = CommandDefinition(
    "consume", summary: "Show or set whether a played row leaves the queue",
    discussion: [
      """
      A row leaves when it has been heard to its end, and with `fermata next`. What can't be played stays, and so does a track that is \
      repeated. `fermata queue undo` brings the last row back; of a long evening the last nine come back one by one, and then the rest.
      """
    ], arguments: [mode], options: [.json], read: Self.init)

  init(_ parsed: ParsedCommand) {
    isOn = parsed.value(Self.mode).map { $0 == "on" }
    json = parsed.has(.json)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      if let isOn { try await agent.set(consume: isOn) }
      guard isOn == nil || json else { return }
      let consumes = try await agent.playerStatus().consumes
      try Printer.write(.object([.init(name, .bool(consumes))]), if: json, else: consumes ? "on" : "off")
    }
  }
}

private func show(mode: String, of name: String, json: Bool) throws(CommandError) {
  try Printer.write(.object([.init(name, .string(mode))]), if: json, else: mode)
}
