// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import CommandModel
import FaceModel
import Glibc
import TerminalIO

/// `fermata pads play`: the keys of the terminal strike the pads.
struct PadsPlayCommand: Command {
  static let definition = CommandDefinition(
    "play", summary: "Strike pads with the keys of the terminal",
    discussion: [
      "`1` to `9` and `q` to `p` strike the pads, which light up. Escape silences all of them. Ctrl-C ends it."
    ], read: { _ in PadsPlayCommand() })

  func run(as name: String) throws(CommandError) -> ExitCode {
    guard Terminal.isTerminal(STDIN_FILENO), LivingLine.isPossible else {
      throw CommandError(
        .usage, name, "there is no terminal with keys, or TERM says that it takes no codes",
        "'fermata pads tap' reads hits from a pipe")
    }
    return try withAgent(name) { agent throws(CommandError) in
      let pads = try await agent.preparePads()
      try await PadPlayer(agent, pads).play()
    }
  }
}

/// Turns keys into hits, and shows the pads. Only on the loop.
@AgentLoop
private final class PadPlayer {
  private let agent: AgentClient
  private let board: PadBoard
  private var count: Int
  private let end = Promise<Result<Void, CommandError>>()

  init(_ agent: AgentClient, _ pads: PadsFace) {
    self.agent = agent
    board = PadBoard(pads)
    count = pads.pads.count
  }

  /// Plays until Ctrl-C or Ctrl-D, or until the agent ends.
  func play() async throws(CommandError) {
    let signals = SignalWatch(SignalWatch.ending + [SIGWINCH, SIGCONT]) { [weak self] signal in
      switch signal {
      case SIGWINCH: self?.board.draw()
      case SIGCONT: self?.board.drawAnew()
      default: self?.end.keep(.success(()))
      }
    }
    // First its end, so that nothing it tells is heard of an agent whose end was missed.
    let loss = try await agent.loss { [weak self] in self?.end.keep(.failure($0)) }
    let news = try await agent.news { [weak self] in self?.hear($0) }
    let keys = TerminalKeys { [weak self] in self?.press($0) }
    board.draw()
    let result = await end.get()
    board.leave()
    withExtendedLifetime((self, signals, keys, news, loss)) {}
    try result.get()
  }

  private func hear(_ news: [AgentNews]) {
    for case .pads(let pads) in news {
      count = pads.pads.count
      board.show(pads)
    }
  }

  private func press(_ key: Key) {
    switch key {
    case .escape: order { (agent) throws(CommandError) in try await agent.stopPads() }
    case .control("d"): end.keep(.success(()))
    case .character(let letter):
      guard let index = PadsText.index(ofKey: letter), index < count else { return }
      board.light(index)
      order { (agent) throws(CommandError) in try await agent.hit(pad: PadNumber(rawValue: UInt32(index + 1)))
      }
    default: break
    }
  }

  /// Gives an order without waiting for its answer, so that the next key is not delayed. A refusal is shown.
  private func order(_ order: @escaping @AgentLoop (AgentClient) async throws(CommandError) -> Void) {
    AgentLoop.task { [weak self, agent] in
      do throws(CommandError) {
        try await order(agent)
        self?.board.note(nil)
      } catch {
        self?.board.note(error.reason)
      }
    }
  }
}

/// The pads drawn on a terminal, one cell each, always redrawn at the same place. Only on the loop.
@AgentLoop
private final class PadBoard {
  /// How long a struck pad is lit.
  private static let glow = Duration.milliseconds(160)

  private var pads: PadsFace
  private var note: String?
  private var lit: [Int: LoopTimer] = [:]
  /// The widths in columns of the lines that were drawn last. They tell how far up the first line is.
  private var drawn: [Int] = []
  private let palette = Printer.palette

  init(_ pads: PadsFace) { self.pads = pads }

  func show(_ pads: PadsFace) {
    self.pads = pads
    draw()
  }

  /// Shows a pad as struck, for a moment.
  func light(_ pad: Int) {
    lit[pad]?.cancel()
    lit[pad] = AgentLoop.after(Self.glow) { [weak self] in
      self?.lit[pad] = nil
      self?.draw()
    }
    draw()
  }

  /// Shows why a hit did not sound; nil removes that text.
  func note(_ text: String?) {
    guard text != note else { return }
    note = text
    draw()
  }

  /// Redraws everything. In the background it does nothing, because the terminal belongs to another process then.
  func draw() {
    guard Terminal.isForeground(STDOUT_FILENO) else { return drawn = [] }
    let columns = max(8, Printer.columns ?? 80)
    let lines = lines(columns: columns)
    Printer.say(home(columns) + lines.map { $0.rendered(palette) }.joined(separator: "\r\n"))
    drawn = lines.map(\.width)
  }

  /// Draws below what the terminal shows now: while this program was stopped, others have written there.
  func drawAnew() {
    drawn = []
    draw()
  }

  /// Moves the cursor below the drawing.
  func leave() {
    for timer in lit.values { timer.cancel() }
    lit = [:]
    if !drawn.isEmpty { Printer.say("\r\n") }
  }

  /// Moves the cursor to the beginning of the first line, and erases from there. If the terminal was made narrower, long lines take several rows,
  /// which are counted.
  private func home(_ columns: Int) -> String {
    guard !drawn.isEmpty else { return "" }
    let rows = drawn.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) } - 1
    return "\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "") + "\u{1B}[J"
  }

  private func lines(columns: Int) -> [StyledText] {
    let room = columns - 1
    let cells = pads.pads.indices.filter { PadsText.key(of: $0) != nil }
    let width = min(room, (cells.map { TerminalText.width(pads.pads[$0].name) }.max() ?? 0) + 6)
    let perLine = max(1, min(5, room / width))
    var lines = [head.truncated(to: room)]
    for start in stride(from: 0, to: cells.count, by: perLine) {
      let line = cells[start..<min(start + perLine, cells.count)].reduce(StyledText("")) {
        $0 + cell($1, width: width)
      }
      lines.append(line.truncated(to: room))
    }
    return lines
  }

  private var head: StyledText {
    let text = note ?? (pads.isEnabled ? "Esc silences, Ctrl-C ends" : pads.reason ?? "no sound")
    return .outside(pads.kit.name, .bold) + .outside("  \(text)", .dim)
  }

  /// The pad's key and name. A struck pad is shown between arrows, so that it can be recognised without colours too.
  private func cell(_ index: Int, width: Int) -> StyledText {
    let pad = pads.pads[index]
    let isLit = lit[index] != nil
    let name = TerminalText.truncated(TerminalText.printable(pad.name), to: max(1, width - 6))
    let text = "\(PadsText.key(of: index) ?? " ") \(name)"
    let style = isLit ? Style(bold: true, colour: PadsText.colour(pad.colour)) : .plain
    let padded = TerminalText.padded(isLit ? "▶\(text)◀" : " \(text) ", to: width)
    return StyledText(padded, style)
  }
}
