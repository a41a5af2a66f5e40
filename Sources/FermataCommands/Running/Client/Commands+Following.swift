// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import CommandModel
import FaceModel
import Glibc
import TerminalIO

extension Commands {
  static func status(_ options: StatusCommand.Options, _ parsed: ParsedCommand) throws(CommandError)
    -> ExitCode
  {
    try withAgent(parsed) { client throws(CommandError) in
      if options.follow { return try await StatusFollower(client, options.form).run() }
      let status = try await client.status()
      switch options.form {
      case .json: try write(JSONWriter.text(status.json) + "\n")
      case .template(let template): try write(StatusTexts.line(status, template) + "\n")
      case .human:
        let palette = palette(of: STDOUT_FILENO)
        let width = Terminal.columns(of: STDOUT_FILENO) ?? 80
        try write(StatusTexts.block(status, width: width).map { $0.rendered(palette) + "\n" }.joined())
      }
      return .done
    }
  }

  static func events(_ options: DataOptions, _ parsed: ParsedCommand) throws(CommandError) -> ExitCode {
    try withAgent(parsed) { client throws(CommandError) in
      let ending = Ending()
      var lines = EventLines()
      let subscription = try await client.news { news in
        for news in news {
          let line = options.json ? JSONWriter.text(news.json(at: .now)) : lines.line(news, .now)
          if let line { ending.write(line) }
        }
      }
      let loss = try await client.loss { ending.end(.failure($0)) }
      defer {
        subscription.cancel()
        loss.cancel()
      }
      return try await ending.wait()
    }
  }
}
