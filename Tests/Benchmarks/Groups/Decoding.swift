// SPDX-License-Identifier: MIT
import FermataTestKit

extension Bench {
  /// Instructions for a second of MP3 V0: of a long file less those of a short one, so that starting does not count.
  func decoding() throws -> [Figure] {
    let stage = try Stage.card(self)
    let short = try Tunes.busyMP3(seconds: 5, in: stage.directory)
    let long = try Tunes.busyMP3(seconds: 15, in: stage.directory)
    func perSecond(_ program: Program, _ words: [String]) throws -> Double {
      let counts = try [short, long].map {
        try Callgrind.instructions(program, words + [$0], environment: stage.environment)
      }
      return (counts[1] - counts[0]) / 10 / 1e6
    }
    let mpg123 = try perSecond(.named("mpg123", package: "mpg123"), ["-q", "-t"])
    let decoder = try perSecond(Self.own, [Role.decoder.word])
    let whole =
      try soundProgram.map { try perSecond(Program(path: $0), ["play", "--here"]) }
      ?? perSecond(Self.own, [Role.player.word])
    return [
      Figure(
        name: "decoder alone", ours: decoder, unit: "M/s", budget: .times(1.2, of: "mpg123 -t"),
        others: [("mpg123 -t", mpg123)], note: "\((decoder / mpg123).short) ×"),
      Figure(
        name: "playing, as a whole", ours: whole, unit: "M/s", budget: .times(1.2, of: "mpg123 -t"),
        others: [("mpg123 -t", mpg123)],
        note: "\((whole / mpg123).short) ×, "
          + (program == nil ? "decoder, ring, engine and libpulse" : "fermata play --here")),
    ]
  }
}
