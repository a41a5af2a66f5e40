// SPDX-License-Identifier: MIT
import BusModel
import CommandModel
import FaceModel
import PlaybackLogic

extension Commands {
  static func volume(
    _ options: VolumeCommand.Options, _ parsed: ParsedCommand
  ) throws(CommandError) -> ExitCode {
    try withAgent(parsed) { client throws(CommandError) in
      guard let change = options.change else {
        try show(volume: await client.status().volume, json: options.json)
        return .done
      }
      let volume: Double
      switch change {
      case .to(let percent):
        volume = Double(percent) / 100
        try await client.call(.set(volume: volume))
      case .by(let percent):
        let reply = try await client.call(.change(volumeBy: Double(percent) / 100))
        guard let answer = try? reply.decoded(as: Double.self) else { throw client.unreadable }
        volume = answer
      }
      if options.json { try show(volume: volume, json: true) }
      return .done
    }
  }

  private static func show(volume: Double, json: Bool) throws(CommandError) {
    let text = JSONNumber(volume).map { JSONWriter.text(.object([.init("volume", .number($0))])) } ?? "{}"
    try write((json ? text : StatusTexts.percent(volume)) + "\n")
  }

  static func repeats(
    _ options: RepeatCommand.Options, _ parsed: ParsedCommand
  ) throws(CommandError) -> ExitCode {
    try withAgent(parsed) { client throws(CommandError) in
      if let mode = options.mode { try await client.edit(.set(repeat: mode.choice)) }
      guard options.mode == nil || options.json else { return .done }
      let mode = RepeatMode(try await client.status().repeatMode)
      try show(mode: mode.rawValue, of: "repeat", json: options.json)
      return .done
    }
  }

  static func shuffles(
    _ options: ShuffleCommand.Options, _ parsed: ParsedCommand
  ) throws(CommandError) -> ExitCode {
    try withAgent(parsed) { client throws(CommandError) in
      if let mode = options.mode { try await client.edit(.set(shuffle: mode.choice)) }
      guard options.mode == nil || options.json else { return .done }
      let mode = ShuffleMode(try await client.status().shuffleMode)
      try show(mode: mode.rawValue, of: "shuffle", json: options.json)
      return .done
    }
  }

  private static func show(mode: String, of name: String, json: Bool) throws(CommandError) {
    try write((json ? JSONWriter.text(.object([.init(name, .string(mode))])) : mode) + "\n")
  }
}
