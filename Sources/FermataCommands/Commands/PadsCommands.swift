// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import FileIO
import MediaModel

/// `fermata pads`, which has commands of its own.
enum PadsCommands {
  static let definition = CommandDefinition(
    "pads", summary: "Strike sounds that play beside the music",
    discussion: [
      """
      A kit is a folder with samples and a file `kit.conf`. It names the kit, and below a line `[pad]` for each pad: `name`, `sample`, \
      `colour`, `volume`, `polyphony`, `choke`. Pads count from 1. One kit comes with the program: snare, bass, tambourine, maraca.
      """,
      """
      What interrupts the music silences the pads as well, and so do headphones that go. They do not come back by themselves: the next \
      hit sounds.
      """,
    ],
    groups: [
      .init([
        PadsListCommand.definition, PadsLoadCommand.definition, PadsHitCommand.definition,
        PadsStopCommand.definition, PadsVolumeCommand.definition, PadsPlayCommand.definition,
        PadsTapCommand.definition,
      ])
    ],
    standard: "list",
    examples: [
      ("fermata pads play", "Play with the keys of the terminal"),
      ("fermata pads load ~/Kits/808", "Load a kit"),
      ("fermata pads hit 2 1", "Strike two pads at once"),
    ])
}

/// `fermata pads list`.
struct PadsListCommand: Command {
  let json: Bool

  static let definition = CommandDefinition(
    "list", summary: "Show the kit and its pads", options: [.json],
    read: { PadsListCommand(json: $0.has(.json)) })

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in try PadsText.write(try await agent.pads(), json: json)
    }
  }
}

/// `fermata pads load`.
struct PadsLoadCommand: Command {
  /// The kit's folder; nil for the kit that comes with the program.
  let folder: FilePath?
  let json: Bool

  private static let builtIn = "built-in"
  private static let kit = ArgumentDefinition(
    ValueDefinition("KIT", completion: .files),
    summary: "A folder with a `kit.conf`, or `built-in` for the kit that comes with the program")

  static let definition = CommandDefinition(
    "load", summary: "Load another kit",
    discussion: [
      "All samples are decoded at once; together they may take 64 MiB. If the kit has a mistake, the one before stays."
    ], arguments: [kit], options: [.json], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    json = parsed.has(.json)
    let word = parsed.required(Self.kit)
    guard word != Self.builtIn else {
      folder = nil
      return
    }
    folder = try FilePath.typedForAgent(Array(word.utf8))
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    if let folder, folder.isMissing {
      throw CommandError(
        .noSuchFile, "'\(folder)'", "no such folder", "name one with a kit.conf in it, or built-in")
    }
    return try withAgent(name) { agent throws(CommandError) in
      let pads = try await agent.load(kit: folder)
      guard !json else { return try PadsText.write(pads, json: true) }
      Printer.say(
        "Loaded the kit '\(Printer.shown(pads.kit.name))' with \(CountText.text(pads.pads.count, "pad"))\n")
    }
  }
}

/// `fermata pads hit`.
struct PadsHitCommand: Command {
  let pads: [PadNumber]

  private static let pad = ArgumentDefinition(
    ValueDefinition("N"), .some, summary: "The numbers of pads, which are struck in this order")

  static let definition = CommandDefinition(
    "hit", summary: "Strike pads", arguments: [pad], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    var pads: [PadNumber] = []
    for word in parsed.values(Self.pad) { pads.append(try parsed.pad(word)) }
    self.pads = pads
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      for pad in pads { try await agent.hit(pad: pad) }
    }
  }
}

/// `fermata pads stop`.
struct PadsStopCommand: Command {
  static let definition = CommandDefinition(
    "stop", summary: "Silence all pads", read: { _ in PadsStopCommand() })

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in try await agent.stopPads() }
  }
}

/// `fermata pads volume`.
struct PadsVolumeCommand: Command {
  /// The pad whose volume is set; nil for the volume of all pads.
  let pad: PadNumber?
  let percent: Int

  private static let words = ArgumentDefinition(
    ValueDefinition("PERCENT"), .some,
    summary: "The number of a pad, if only that one is meant, and a volume from 0% to 100%")

  static let definition = CommandDefinition(
    "volume", summary: "Set the volume of a pad, or of all",
    discussion: [
      "It is remembered: that of all pads for every kit, that of a pad until another kit is loaded."
    ], usage: ["[N] PERCENT"], arguments: [words],
    examples: [
      ("fermata pads volume 60%", "All pads a little quieter"),
      ("fermata pads volume 2 80%", "The second pad"),
    ], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    let words = parsed.values(Self.words)
    guard let volume = words.last, words.count <= 2 else {
      throw parsed.error("'\(words[2])'", "too many words", "write a volume, or a pad's number and a volume")
    }
    pad = words.count == 2 ? try parsed.pad(words[0]) : nil
    let digits = volume.hasSuffix("%") ? volume.dropLast() : volume[...]
    guard digits.isDigits, digits.utf8.count <= 3, let percent = Int(digits), percent <= 100 else {
      throw parsed.error("'\(volume)'", "not a volume", "write one from 0% to 100%")
    }
    self.percent = percent
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      try await agent.set(volume: Double(percent) / 100, ofPad: pad)
    }
  }
}

extension ParsedCommand {
  fileprivate func pad(_ word: String) throws(CommandError) -> PadNumber {
    PadNumber(rawValue: UInt32(try number(word, named: "pad", in: 1...Int(UInt32.max))))
  }
}

/// Formats a kit for a person and for programs.
enum PadsText {
  static func write(_ pads: PadsFace, json: Bool) throws(CommandError) {
    try Printer.write(JSONValue(wire: pads.wireValue) ?? .object([]), if: json) { lines(pads, width: $0) }
  }

  /// The kit, why it is silent if it is, and one line a pad.
  static func lines(_ pads: PadsFace, width: Int?) -> [StyledText] {
    var head = StyledText.outside(pads.kit.name.isEmpty ? "No kit" : pads.kit.name, .bold)
    if let folder = pads.kit.folder { head += .outside("  \(folder)", .dim) }
    if pads.volume < 1 { head += StyledText("  volume \(StatusText.percent(pads.volume))", .dim) }
    var lines = [width.map { head.truncated(to: $0) } ?? head]
    if !pads.isEnabled {
      lines.append(.outside(pads.reason ?? pads.why ?? "The pads do not sound now."))
    }
    let details = pads.pads.map { Self.details($0).joined(separator: ", ") }
    let hasDetails = details.contains { !$0.isEmpty }
    var table = Table(
      [.init(rightAligned: true), .init(), .init(flexible: true)]
        + (hasDetails ? [.init(optional: true)] : []))
    for (index, pad) in pads.pads.enumerated() {
      let cells: [StyledText] = [
        StyledText("\(pad.number.rawValue)"), StyledText(key(of: index).map(String.init) ?? "", .dim),
        .outside(pad.name, Style(bold: true, colour: colour(pad.colour))),
      ]
      table.append(cells + (hasDetails ? [.outside(details[index], .dim)] : []))
    }
    return lines + table.lines(width: width)
  }

  private static func details(_ pad: PadFace) -> [String] {
    var words: [String] = []
    if pad.volume < 1 { words.append("volume \(StatusText.percent(pad.volume))") }
    if pad.polyphony > 1 { words.append("\(pad.polyphony) at a time") }
    if let choke = pad.choke { words.append("chokes with \(choke)") }
    return words
  }

  /// The keys that strike the pads, in the order of the pads.
  private static let keys = Array("123456789qwertyuiop")

  /// The key that strikes the pad at this index; nil if it has none.
  static func key(of index: Int) -> Character? { keys.indices.contains(index) ? keys[index] : nil }

  /// The index of the pad that a key strikes; nil if it strikes none.
  static func index(ofKey key: Character) -> Int? {
    key.lowercased().first.flatMap { keys.firstIndex(of: $0) }
  }

  /// The terminal's colour that is nearest to a pad's; nil if none is near.
  static func colour(_ name: String?) -> Style.Colour? {
    switch name {
    case "red", "orange": .red
    case "yellow": .yellow
    case "green": .green
    case "cyan": .cyan
    case "blue": .blue
    case "purple", "pink": .magenta
    case let hex?: nearest(to: hex)
    case nil: nil
    }
  }

  private static func nearest(to hex: String) -> Style.Colour? {
    guard hex.utf8.count == 6, let value = Int(hex, radix: 16) else { return nil }
    let parts = [value >> 16, value >> 8 & 0xFF, value & 0xFF]
    let middle = (parts.max() ?? 0) / 2 + (parts.min() ?? 0) / 2
    switch parts.map({ $0 > middle }) {
    case [true, false, false]: return .red
    case [true, true, false]: return .yellow
    case [false, true, false]: return .green
    case [false, true, true]: return .cyan
    case [false, false, true]: return .blue
    case [true, false, true]: return .magenta
    default: return nil
    }
  }
}
