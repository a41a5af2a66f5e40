// SPDX-License-Identifier: MIT
import BusModel
import CommandModel
import FaceModel
import PlaybackLogic
import TerminalIO

extension Commands {
  /// Gives an order and says what playing waits for, if it does.
  static func order(_ order: PlayerOrder, _ parsed: ParsedCommand) throws(CommandError) -> ExitCode {
    try withAgent(parsed) { client throws(CommandError) in
      sayWaiting(try await client.call(AgentCall(order)))
      return .done
    }
  }

  static func seek(_ options: SeekCommand.Options, _ parsed: ParsedCommand) throws(CommandError) -> ExitCode {
    switch options {
    case .seek(.to(let place)): try order(.seekTo(place), parsed)
    case .seek(.by(let offset)): try order(.seek(offset), parsed)
    case .begin(.forward): try order(.beginSeek(.forward), parsed)
    case .begin(.backward): try order(.beginSeek(.backward), parsed)
    case .end: try order(.endSeek, parsed)
    }
  }

  /// Replaces the queue by what is named and plays it; goes on where nothing is named.
  static func playThere(
    _ options: PlayCommand.Options, _ parsed: ParsedCommand
  ) throws(CommandError) -> ExitCode {
    if case .words([]) = options.sources {
      guard options.shuffle else { return try order(options.random ? .jumpAnywhere : .play, parsed) }
      return try withAgent(parsed) { client throws(CommandError) in
        try await client.edit(AgentCall(QueueOrder.shuffle(.chosen(.songs))))
        sayWaiting(try await client.call(AgentCall(PlayerOrder.play)))
        return .done
      }
    }
    let sources = try NamedSources.sources(options.sources, toPlay: true)
    let how = PlayOptions(isRandom: options.random, shuffle: options.shuffle ? .chosen(.songs) : nil)
    return try withAgent(parsed) { client throws(CommandError) in
      let call = AgentCall(QueueOrder.play(sources, how))
      let reply = try await client.edit(call, timeout: AgentClient.patience)
      complain(ofLeftOut: reply)
      sayWaiting(reply)
      return .done
    }
  }

  /// What was named and is not in the queue, a line each: the rest of it is, so that is no error.
  static func complain(ofLeftOut reply: [WireValue]) {
    guard let last = reply.last, let texts = try? [last].decoded(as: [String].self) else { return }
    for text in texts { _ = try? LineWriter.errors.write(line: "fermata: \(TerminalText.printable(text))") }
  }

  /// The reason why nothing is heard yet is the only text of an answer.
  private static func sayWaiting(_ reply: [WireValue]) {
    guard case .string(let waiting)? = reply.last(where: { if case .string = $0 { true } else { false } }),
      !waiting.isEmpty
    else { return }
    say("It plays when \(TerminalText.printable(PlainWords.awaited(waiting))).\n")
  }
}
