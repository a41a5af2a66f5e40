// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import CommandModel
import FaceModel
import Glibc
import TerminalIO

/// `fermata pads tap`: reads hits that another program writes, such as one that reads a MIDI keyboard.
struct PadsTapCommand: Command {
  static let definition = CommandDefinition(
    "tap", summary: "Strike the pads that standard input names",
    discussion: [
      """
      Each line is a pad's number or its name. A line that is neither is told on standard error, and reading goes on. The end of the \
      input ends it.
      """
    ],
    examples: [
      ("printf '%s\\n' 2 1 2 1 | fermata pads tap", "Four hits, as fast as they can be read")
    ], read: { _ in PadsTapCommand() })

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      let taps = Taps(agent, try await agent.preparePads(), as: name)
      try await taps.follow()
    }
  }
}

/// Splits input that comes in pieces into lines. A line that is too long cannot be a pad's name; only its beginning is kept, for a message.
struct TapLines {
  /// The longest line in bytes; no pad's name is as long.
  static let longest = 400

  private var line: [UInt8] = []

  /// Adds bytes. Returns the lines that they complete, without blanks at both ends; empty lines are left out.
  mutating func add(_ bytes: some Sequence<UInt8>) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if let text = rest() { lines.append(text) }
      } else if line.count < Self.longest {
        line.append(byte)
      }
    }
    return lines
  }

  /// Takes the last line, which no line break ended; nil if it is empty.
  mutating func rest() -> String? {
    defer { line = [] }
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    guard let last = line.lastIndex(where: { !isBlank($0) }) else { return nil }
    return String(decoding: line[...last].drop(while: isBlank), as: UTF8.self)
  }
}

/// Reads lines from standard input as they come, and strikes the pads that they name. Only on the loop.
@AgentLoop
private final class Taps {
  private let agent: AgentClient
  private let name: String
  private var names: [String: PadNumber] = [:]
  private var count = 0
  private var lines = TapLines()
  private var complaint: String?

  init(_ agent: AgentClient, _ pads: PadsFace, as name: String) {
    self.agent = agent
    self.name = name
    learn(pads)
  }

  private func learn(_ pads: PadsFace) {
    // If two pads have the same name, the name means the first of them.
    count = pads.pads.count
    names = Dictionary(pads.pads.map { ($0.name.lowercased(), $0.number) }) { first, _ in first }
  }

  private func hear(_ news: [AgentNews]) { for case .pads(let pads) in news { learn(pads) } }

  /// Strikes pads until the end of the input. Each hit waits for the answer to the one before, so input is not read faster than pads can be struck.
  func follow() async throws(CommandError) {
    let signals = SignalWatch(SignalWatch.ending) { [weak self] in self?.leave($0) }
    // Another program may load another kit.
    let news = try await agent.news { [weak self] in self?.hear($0) }
    defer { news.cancel() }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while true {
      await readable()
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { break }
      for line in lines.add(bytes.prefix(count)) { try await strike(line) }
    }
    if let line = lines.rest() { try await strike(line) }
    withExtendedLifetime(signals) {}
  }

  private func readable() async {
    let ready = Promise<Void>()
    let watch = LoopWatch(descriptor: STDIN_FILENO) { _ in ready.keep() }
    await ready.get()
    watch.end()
  }

  /// Ends the process by this signal, as if nothing had caught it.
  private func leave(_ signal: Int32) { _ = die(of: signal) }

  private func strike(_ line: String) async throws(CommandError) {
    guard let pad = pad(line) else {
      let shown = TerminalText.truncated(TerminalText.printable(line), to: 40)
      return Printer.complain(
        "\(name): '\(shown)': no pad has this number or name; 'fermata pads' lists them")
    }
    do throws(CommandError) {
      try await agent.hit(pad: pad)
      complaint = nil
    } catch {
      // Without an agent no pad can be struck. Any other error may pass, and is reported once.
      guard error.code == .refused || error.code == .unavailable && error.subject == name else { throw error }
      if error.reason != complaint { Printer.complain(error) }
      complaint = error.reason
    }
  }

  private func pad(_ line: String) -> PadNumber? {
    let number = line.isDigits ? UInt32(line).flatMap { $0 > 0 ? PadNumber(rawValue: $0) : nil } : nil
    if let number, number.rawValue <= count { return number }
    // A pad may have a number for a name, such as that of a key of a keyboard.
    return names[line.lowercased()] ?? number
  }
}
