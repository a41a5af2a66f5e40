// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import DecodeIO
import Glibc
import MediaModel

/// What this program is when it runs itself in a process of its own: the modules without the program around them.
enum Role: String {
  /// Connects to the bus and the sound server, shows an object, and waits.
  case agent
  /// Plays files; see `PlayerRole`.
  case player
  /// Decodes a file, and nothing else.
  case decoder
  /// Asks an agent's library; see `AskerRole`.
  case asker

  /// The role that a first word asks for, if any.
  init?(word: String) {
    guard word.hasPrefix("--as-") else { return nil }
    self.init(rawValue: String(word.dropFirst("--as-".count)))
  }

  /// The word that asks for it.
  var word: String { "--as-\(rawValue)" }

  /// Plays the role to its end.
  func run(_ words: [String]) -> Int32 {
    switch self {
    case .agent:
      AgentLoop.task { await AgentRole.start() }
      return AgentLoop.run()
    case .player:
      AgentLoop.task { PlayerRole.start(words) }
      return AgentLoop.run()
    case .asker:
      guard !words.isEmpty else { return 64 }
      AgentLoop.task { await AskerRole.start(words) }
      return AgentLoop.run()
    case .decoder: return words.first.map(decode) ?? 64
    }
  }

  /// Decodes as the producer does: a stretch at a time, into the same memory again and again.
  private func decode(_ path: String) -> Int32 {
    do {
      let decoder = try Decoders.open(FilePath(stringLiteral: path))
      var samples = [Float](repeating: 0, count: 4096 * decoder.format.channels)
      var span = samples.mutableSpan
      while try decoder.read(into: &span) > 0 {}
      return 0
    } catch {
      write("\(error)\n", to: STDERR_FILENO)
      return 65
    }
  }
}
