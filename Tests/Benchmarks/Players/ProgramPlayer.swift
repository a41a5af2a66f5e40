// SPDX-License-Identifier: MIT
import FermataTestKit

/// The program itself, playing in its own process. It takes orders over MPRIS.
final class ProgramPlayer: Player {
  static let name = "fermata"
  /// The agent's name; a player in a process of its own has its number behind it.
  static let busName = "org.mpris.MediaPlayer2.fermata"
  let child: Child
  let started: Duration
  private let environment: [String: String]

  init(_ files: [String], on stage: Stage) throws {
    guard let program = stage.bench.program else { throw KitError("there is no program to measure") }
    environment = stage.environment
    started = Monotonic.now
    child = try Child(Program(path: program), ["play", "--here"] + files, environment: environment)
  }

  func order(_ order: PlayerOrder) throws -> Duration? {
    try Self.order(order, at: "\(Self.busName).instance\(child.processID)", environment)
  }

  /// Gives an order over MPRIS and answers when.
  static func order(
    _ order: PlayerOrder, at name: String, _ environment: [String: String]
  ) throws -> Duration {
    let member = order.rawValue.prefix(1).uppercased() + order.rawValue.dropFirst()
    return try BareClient.ask(
      [name, "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player", member], environment
    ).start
  }
}
