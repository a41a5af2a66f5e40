// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import CommandModel
import FaceModel
import Glibc
import ScreenModel
import TerminalIO

/// The screen as plain text: it writes a line for each change, and lines that are typed are commands. For screen readers, simple terminals and pipes.
/// It writes no escape sequences. A command begins when the one before has ended, as in a shell.
///
/// Only on the loop. It lives as long as the command.
@AgentLoop
final class PlainScreen {
  private let output = EndlessOutput()
  private var agent: ScreenAgent?
  private var input: LoopWatch?
  /// What was read of a line that has no end yet.
  private var typed: [UInt8] = []
  /// Whether the beginning of the present line was dropped, because it is too long for any command.
  private var isInLongLine = false
  private static let longestLine = 1 << 16
  /// The lines that were read and wait for the command that runs.
  private var lines: [String] = []
  /// If so many lines wait, no more is read until one of them has been run.
  private static let mostWaiting = 100
  private var isRunning = false
  private var last = ""
  private var isAtEnd = false

  /// Shows the screen until it is left. Blocks; on the main thread only, and once.
  nonisolated static func run(as name: String) throws(CommandError) -> ExitCode {
    try onLoop { () throws(CommandError) in
      let screen = PlainScreen()
      try await screen.run(as: name)
      return .done
    }
  }

  private func run(as name: String) async throws(CommandError) {
    let agent = ScreenAgent(name) { [weak self] in self?.take($0) }
    self.agent = agent
    await agent.begin()
    input = LoopWatch(descriptor: STDIN_FILENO) { [weak self] _ in self?.read() }
    try await output.wait()
    input = nil
    _ = await agent.end()
  }

  // MARK: What happens

  private func take(_ event: ScreenEvent) {
    switch event {
    case .status(let status): show(status)
    case .news(let news): take(news)
    case .agentFound: agent?.carryOut(.needStatus)
    case .agentLost(let absence): write("\(absence.reason); \(absence.remedy(by: "'play'"))")
    case .failed(let why), .said(let why): write(why)
    default: break
    }
  }

  private func take(_ news: AgentNews) {
    switch news {
    case .state, .nowPlaying, .volume, .muted, .modes, .sleepTimer, .stopsAfterCurrent, .category, .ducked,
      .interruptions, .callers, .duckedFor, .route:
      agent?.carryOut(.needStatus)
    case .seeked, .coding, .queue, .itemsChanged, .row, .library, .job, .pads, .ending: break
    case .skipped, .endedEarly, .stored, .routeChange, .interruptionBegan, .interruptionEnded, .guarded:
      write(EventText.text(news))
    }
  }

  private func show(_ status: StatusFace) {
    var line = StatusText.shortLine(status).runs.map(\.text).joined()
    if let route = status.route { line += "; on \(route.portDescription ?? route.description)" }
    line += "; volume \(status.isMuted ? "muted" : StatusText.percent(status.volume))"
    guard line != last else { return }
    last = line
    write(line)
  }

  private func write(_ text: String) {
    let isUnicode = TerminalTraits(charset: Terminal.charset, environment: Process.environment).isUnicode
    let line = TerminalText.printable(text)
    output.write(isUnicode ? line : ASCIISigns.text(line))
  }

  // MARK: What is typed

  private func read() {
    if let bytes = Terminal.readAvailable(STDIN_FILENO) {
      typed += bytes
    } else {
      (input, isAtEnd) = (nil, true)
      // The last line may lack its end.
      if !typed.isEmpty { typed.append(UInt8(ascii: "\n")) }
    }
    while let end = typed.firstIndex(of: UInt8(ascii: "\n")) {
      if !isInLongLine { lines.append(String(decoding: typed[..<end], as: UTF8.self)) }
      isInLongLine = false
      typed.removeSubrange(...end)
    }
    if typed.count > Self.longestLine {
      write("a line of more than \(Self.longestLine) bytes is no command")
      (typed, isInLongLine) = ([], true)
    }
    runNext()
  }

  /// Runs the lines that wait. At the end of input the screen ends after the last of them.
  private func runNext() {
    while !isRunning, !lines.isEmpty { run(lines.removeFirst()) }
    input?.events = lines.count < Self.mostWaiting ? .readable : []
    if isAtEnd, !isRunning { output.end() }
  }

  private func run(_ line: String) {
    guard let words = TypedLine.split(line) else { return write("a quote or backslash has no end") }
    guard let first = words.first else { return }
    if first == "q" {
      (lines, isAtEnd) = ([], true)
      return
    }
    if let wrong = Screen.mistake(in: words, of: FermataProgram.definition) { return write(wrong) }
    isRunning = true
    AgentLoop.task { [self] in
      let words = Screen.withoutName(words, of: FermataProgram.definition)
      for line in await ChildCommand.run(words).output.split(separator: "\n") { write(String(line)) }
      isRunning = false
      runNext()
    }
  }
}
