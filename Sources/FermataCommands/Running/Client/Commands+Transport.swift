// SPDX-License-Identifier: MIT
import BusModel
import CommandModel
import FaceModel
import PlaybackLogic

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
        try await client.call(.set(shuffle: .chosen(.songs)))
        sayWaiting(try await client.call(AgentCall(PlayerOrder.play)))
        return .done
      }
    }
    let sources = try NamedSources.sources(options.sources)
    let how = PlayOptions(isRandom: options.random, shuffle: options.shuffle ? .chosen(.songs) : nil)
    return try withAgent(parsed) { client throws(CommandError) in
      let call = AgentCall(QueueOrder.play(sources, how))
      sayWaiting(try await client.call(call, timeout: AgentClient.patience))
      return .done
    }
  }

  /// The reason why nothing is heard yet is the last text of an answer.
  private static func sayWaiting(_ reply: [WireValue]) {
    guard case .string(let waiting)? = reply.last, !waiting.isEmpty else { return }
    say("It plays when \(TerminalText.printable(PlainWords.awaited(waiting))).\n")
  }
}
