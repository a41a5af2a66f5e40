// SPDX-License-Identifier: MIT
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
      try show(mode: await agent.status().repeatMode.rawValue, of: name, json: json)
    }
  }
}

/// `fermata shuffle`.
struct ShuffleCommand: Command {
  /// The mode to set; nil to show the current one.
  let mode: ModeChoice<ShuffleMode>?
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

  static let definition = CommandDefinition(
    "shuffle", summary: "Show or set the order in which the queue plays", arguments: [mode],
    options: [.json], read: Self.init)

  init(_ parsed: ParsedCommand) {
    mode = parsed.value(Self.mode).map { word in
      word == "on" ? .chosen(.songs) : ShuffleMode(rawValue: word).map(ModeChoice.chosen) ?? .default
    }
    json = parsed.has(.json)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      if let mode { try await agent.set(shuffle: mode) }
      guard mode == nil || json else { return }
      try show(mode: await agent.status().shuffleMode.rawValue, of: name, json: json)
    }
  }
}

private func show(mode: String, of name: String, json: Bool) throws(CommandError) {
  try Printer.write(.object([.init(name, .string(mode))]), if: json, else: mode)
}
