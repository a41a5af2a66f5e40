// SPDX-License-Identifier: MIT
import BusModel
import CommandModel
import FaceModel
import PlaybackLogic
import TerminalIO

extension Commands {
  /// Gives the player an order. If playing has to wait for something, prints what for.
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

  /// Replaces the queue with the named sources and plays them in the agent. If no source is named, playing continues.
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

  /// Prints each named thing that was left out of the queue, one a line on standard error. This is not an error,
  /// because the rest was queued.
  static func complain(ofLeftOut reply: [WireValue]) {
    guard let last = reply.last, let texts = try? [last].decoded(as: [String].self) else { return }
    for text in texts { _ = try? LineWriter.errors.write(line: "fermata: \(TerminalText.printable(text))") }
  }

  /// Prints why playing has to wait, if it does. The reason is the only string in the reply.
  private static func sayWaiting(_ reply: [WireValue]) {
    guard case .string(let waiting)? = reply.last(where: { if case .string = $0 { true } else { false } }),
      !waiting.isEmpty
    else { return }
    say("It plays when \(TerminalText.printable(PlainWords.awaited(waiting))).\n")
  }
}
