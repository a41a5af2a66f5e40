// SPDX-License-Identifier: MIT
import CommandModel
import FermataAgent
package import FermataCommands
import Glibc
import MediaModel
import PlaybackLogic
import ReaderIO
import SourceIO
import TerminalIO

/// The program that plays sound: runs `agent`, `play --here` and `doctor`. `fermata` becomes this program for these commands, with the same words.
/// Ends the process.
///
/// Call it on the main thread, before any other thread exists.
package func runSoundCommand(_ words: CommandWords) -> Never {
  runProgram(words) { command, name throws(CommandError) in
    switch command {
    case let agent as AgentCommand: agent.serve()
    case let doctor as DoctorCommand: try doctor.examine()
    case let play as PlayCommand where play.here: try play.playHere()
    default:
      throw CommandError(
        .usage, "fermata-agent", "'\(name)' is not among what it does", "type 'fermata \(name)'")
    }
  }
}

extension AgentCommand {
  fileprivate func serve() -> ExitCode {
    let log = Log(isVerbose: verbose)
    if !unlessRunning, Terminal.isBackground(of: STDERR_FILENO) {
      log(
        .warning,
        "in the background of this terminal the agent ends with it; what lasts is 'systemctl --user start fermata' "
          + "or 'setsid -f fermata agent >/dev/null 2>&1'")
    }
    let status =
      guardOnly
      ? GuardAgent.run(log, unlessRunning: unlessRunning) : Agent.run(log, unlessRunning: unlessRunning)
    return ExitCode(rawValue: status) ?? .refused
  }
}

extension PlayCommand {
  fileprivate func playHere() throws(CommandError) -> ExitCode {
    var queue = PlayQueue(seed: .random(in: .min ... .max))
    let reader = ReaderClient { news in
      if case .missing(let reason) = news {
        Printer.complain(CommandError(.unavailable, "tags", reason, "playing without them"))
      }
    }
    _ = queue.append(try entries(reader))
    if shuffle { _ = queue.setShuffle(.chosen(.songs)) }
    SettingsCommands.warn()
    return HerePlayer.run(
      queue, reader, settings: SettingsCommands.settingsOrPresets(), startsAnywhere: random,
      showsProgress: progress)
  }

  private func entries(_ reader: ReaderClient) throws(CommandError) -> [EntrySource] {
    // If nothing is named, a built-in tune is played.
    if sources == .words([]) {
      Printer.complain(
        "a tune of its own; 'fermata play --here SOURCE…' plays a file, a folder or a playlist")
      return [EntrySource(Tune.location)]
    }
    let requests = try sources.forThisProcess()
    do throws(SourceError) {
      let expansion = try Sources.expand(requests, from: "/", reader: reader)
      for problem in expansion.problems { Printer.complain(CommandError(problem, .nothingPlayable)) }
      expansion.unplayed.message.map(Printer.complain)
      return expansion.entries
    } catch {
      let code: ExitCode = error.reason == .noSuchFile ? .noSuchFile : .nothingPlayable
      let problems = error.decisiveLast.map { CommandError($0, code) }
      Printer.complain(problems.dropLast())
      throw problems.last
        ?? CommandError(
          code, "sources", "there is nothing in them that plays", "name a file, a folder or a playlist")
    }
  }
}

extension CommandError {
  fileprivate init(_ problem: SourceProblem, _ code: ExitCode) {
    self.init(code, problem.subject, problem.reason, problem.remedy)
  }
}
