// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel

/// `fermata volume`.
struct VolumeCommand: Command {
  /// What to do with the volume, in percent.
  enum Change: Equatable {
    /// Set the volume, from 0 to 100.
    case to(Int)
    /// Raise the volume by this much, or lower it if negative.
    case by(Int)
    /// Mute the music, or unmute it; the volume stays as it is.
    case mute(Bool)
    /// Mute the music if it isn't muted, and unmute it if it is.
    case toggleMute
  }

  /// The change to make; nil to show the volume.
  let change: Change?
  let json: Bool

  private static let change = ArgumentDefinition(
    ValueDefinition(
      "PERCENT",
      completion: .suggestions([
        .init("mute", "Let nothing be heard"), .init("unmute", "Let it be heard again"),
        .init("toggle", "Mute it, or unmute it"),
      ])), .optional, summary: "The volume, `80%`, a change, `+5%` or `-5%`, or `mute`, `unmute`, `toggle`")

  static let definition = CommandDefinition(
    "volume", summary: "Show or change the volume",
    discussion: [
      "It is the volume of fermata's own stream, the same that the desktop's mixer shows; the output's stays as it is.",
      "`mute` is the mixer's mute of the same stream: it lasts until `unmute`, also for the tracks to come, and the volume stays.",
    ],
    usage: ["[N% | +N% | -N%]", "mute | unmute | toggle"], arguments: [change], options: [.json],
    examples: [("fermata volume -5%", "A little quieter")], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    json = parsed.has(.json)
    guard let word = parsed.value(Self.change) else {
      change = nil
      return
    }
    guard let change = Change(word) else {
      throw parsed.error(
        "'\(word)'", "not a volume",
        "write one from 0% to 100%, a change, as '+5%', or mute, unmute or toggle")
    }
    self.change = change
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      switch change {
      case nil:
        let status = try await agent.playerStatus()
        try show(status.mixerVolume ?? status.volume, isMuted: status.isMuted)
      case .to(let percent):
        let volume = Double(percent) / 100
        try await agent.set(volume: volume)
        if json { try show(volume, isMuted: try await agent.playerStatus().isMuted) }
      case .by(let percent):
        let volume = try await agent.change(volumeBy: Double(percent) / 100)
        if json { try show(volume, isMuted: try await agent.playerStatus().isMuted) }
      case .mute(let isMuted):
        try await agent.set(muted: isMuted)
        if json { try show(muted: isMuted) }
      case .toggleMute:
        let isMuted = try await agent.toggleMute()
        if json { try show(muted: isMuted) }
      }
    }
  }

  private func show(muted: Bool) throws(CommandError) {
    try Printer.write(.object([.init("muted", .bool(muted))]), if: json, else: "")
  }

  /// Shows this volume, which a mixer may have raised above all that can be asked for.
  private func show(_ volume: Double, isMuted: Bool) throws(CommandError) {
    let isRaised = volume > 1
    try Printer.write(
      .object(present: [
        "volume": DecimalText(min(volume, 1)).map(JSONValue.number),
        "mixerVolume": isRaised ? DecimalText(volume).map(JSONValue.number) : nil,
        "muted": isMuted ? .bool(true) : nil,
      ]), if: json,
      else: (isRaised ? StatusText.mixerPercent(volume) : StatusText.percent(volume))
        + (isMuted ? " (muted)" : ""))
  }
}

extension VolumeCommand.Change {
  /// Parses `mute`, `unmute`, `toggle`, `N%`, `+N%` or `-N%`, with or without the percent sign; nil for anything else, and for more than 100.
  fileprivate init?(_ text: String) {
    switch text {
    case "mute": self = .mute(true)
    case "unmute": self = .mute(false)
    case "toggle": self = .toggleMute
    default:
      guard let change = Self(percent: text) else { return nil }
      self = change
    }
  }

  private init?(percent text: String) {
    let signed = SignedText(text)
    let digits = signed.magnitude.hasSuffix("%") ? signed.magnitude.dropLast() : signed.magnitude[...]
    guard digits.isDigits, digits.utf8.count <= 3, let percent = Int(digits), percent <= 100 else {
      return nil
    }
    self = signed.sign.map { .by(percent * $0) } ?? .to(percent)
  }
}
