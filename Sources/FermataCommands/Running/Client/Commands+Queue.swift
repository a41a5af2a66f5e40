// SPDX-License-Identifier: MIT
import BusModel
import CommandModel
import FaceModel
import Glibc
import PlaybackLogic
import TerminalIO

extension Commands {
  static func add(_ options: AddCommand.Options, _ parsed: ParsedCommand) throws(CommandError) -> ExitCode {
    let sources = try NamedSources.sources(options.sources)
    let order: QueueOrder =
      switch options.place {
      case .end: .append(sources)
      case .next: .addNext(sources)
      case .row(let row): .insert(sources, at: row)
      }
    return try withAgent(parsed) { client throws(CommandError) in
      let reply = try await client.edit(AgentCall(order), timeout: AgentClient.patience)
      guard let entries = try? Array(reply.prefix(1)).decoded(as: [UInt64].self) else {
        throw client.unreadable
      }
      complain(ofLeftOut: reply)
      say(entries.count == 1 ? "Added one track\n" : "Added \(entries.count) tracks\n")
      return .done
    }
  }

  static func listQueue(_ options: DataOptions, _ parsed: ParsedCommand) throws(CommandError) -> ExitCode {
    try withAgent(parsed) { client throws(CommandError) in
      let queue = try await client.queue()
      if options.json {
        try write(JSONWriter.text(queue.json) + "\n")
      } else {
        let width = Terminal.columns(of: STDOUT_FILENO)
        let palette = palette(of: STDOUT_FILENO)
        try write(QueueText.lines(queue, width: width).map { $0.rendered(palette) + "\n" }.joined())
      }
      return .done
    }
  }

  static func jump(_ options: QueueJumpCommand.Options, _ parsed: ParsedCommand) throws(CommandError)
    -> ExitCode
  {
    try withAgent(parsed) { client throws(CommandError) in
      for entry in try await client.entries(ofRows: [options.row]) {
        try await client.call(AgentCall(PlayerOrder.jump(to: entry)))
      }
      return .done
    }
  }

  static func remove(_ options: QueueRemoveCommand.Options, _ parsed: ParsedCommand) throws(CommandError)
    -> ExitCode
  {
    try withAgent(parsed) { client throws(CommandError) in
      let entries = try await client.entries(ofRows: options.rows)
      try await client.edit(AgentCall(QueueOrder.remove(entries)))
      return .done
    }
  }

  static func move(_ options: QueueMoveCommand.Options, _ parsed: ParsedCommand) throws(CommandError)
    -> ExitCode
  {
    try withAgent(parsed) { client throws(CommandError) in
      // Both rows must exist, so that a mistyped target is not taken for the end of the queue.
      _ = try await client.entries(ofRows: [options.to])
      for entry in try await client.entries(ofRows: [options.from]) {
        try await client.edit(AgentCall(QueueOrder.move(entry, count: 1, to: options.to)))
      }
      return .done
    }
  }

  /// Undoes or redoes an edit, and prints which.
  static func retrace(_ order: QueueOrder, _ parsed: ParsedCommand) throws(CommandError) -> ExitCode {
    try withAgent(parsed) { client throws(CommandError) in
      let reply = try await client.edit(AgentCall(order))
      guard let counts = try? AgentQueue.counts(reply: reply) else { throw client.unreadable }
      say("\(order == .undo ? "Undone" : "Done again"): \(QueueText.edit(counts))\n")
      return .done
    }
  }

  /// Makes an edit that needs no row numbers.
  static func edit(_ order: QueueOrder, _ parsed: ParsedCommand) throws(CommandError) -> ExitCode {
    try withAgent(parsed) { client throws(CommandError) in
      if case .save = order {
        try await client.call(AgentCall(order))
      } else {
        try await client.edit(AgentCall(order))
      }
      return .done
    }
  }
}
