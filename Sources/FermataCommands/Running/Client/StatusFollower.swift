// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import CommandModel
import FaceModel
import Glibc
import PlaybackLogic

/// Writes the status again each time its text has changed.
///
/// News from the agent only trigger a question for the whole status; news that arrive together cause one question. If
/// the output shows the position, it is written every second while a track plays; otherwise no timer runs. Only on
/// the loop.
@AgentLoop
final class StatusFollower {
  private let client: AgentClient
  private let form: StatusCommand.Options.Form
  private let ending = Ending()
  private var isAsking = false
  private var isStale = false
  private var status: StatusFace?
  private var askedAt = Duration.zero
  private var last: String?
  private var tick: LoopTimer?

  init(_ client: AgentClient, _ form: StatusCommand.Options.Form) {
    self.client = client
    self.form = form
  }

  /// Runs until the reader has gone. Throws when the agent has ended.
  func run() async throws(CommandError) -> ExitCode {
    let news = try await client.news { [weak self] _ in self?.ask() }
    let loss = try await client.loss { [weak self] in self?.ending.end(.failure($0)) }
    ask()
    defer {
      news.cancel()
      loss.cancel()
      tick?.cancel()
    }
    return try await ending.wait()
  }

  private func ask() {
    isStale = true
    guard !isAsking else { return }
    isAsking = true
    AgentLoop.task { [self] in
      await askUntilFresh()
      isAsking = false
    }
  }

  private func askUntilFresh() async {
    while isStale {
      isStale = false
      do throws(CommandError) {
        status = try await client.status()
        askedAt = AgentLoop.now
        show()
      } catch {
        ending.end(.failure(error))
      }
    }
  }

  private func show() {
    tick?.cancel()
    guard var status else { return }
    if status.state == .playing, let position = status.position {
      status.position = position + (AgentLoop.now - askedAt)
    }
    var moves = false
    let text = text(status, &moves)
    if text != last { ending.write(text) }
    last = text
    guard moves, status.state == .playing else { return }
    // Just after the next whole second of the track, so that no second is skipped.
    let rest = Duration.nanoseconds(1_000_000_000 - (status.position ?? .zero).nanosecondsOfSecond)
    tick = AgentLoop.after(rest + .milliseconds(5)) { [weak self] in self?.show() }
  }

  private func text(_ status: StatusFace, _ moves: inout Bool) -> String {
    switch form {
    case .json: return JSONWriter.text(status.json)
    case .human: return StatusTexts.shortLine(status).rendered(Commands.palette(of: STDOUT_FILENO))
    case .template(let template):
      return template.text { name in
        if name == StatusField.position.rawValue || name == StatusField.remaining.rawValue { moves = true }
        return StatusTexts.value(of: name, status)
      }
    }
  }
}

extension Duration {
  /// The part beyond the last whole second, in nanoseconds.
  fileprivate var nanosecondsOfSecond: Int64 { max(0, components.attoseconds / 1_000_000_000) }
}
