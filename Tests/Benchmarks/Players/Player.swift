// SPDX-License-Identifier: MIT
import FermataTestKit

/// A program that plays files, ours or another, while this object lives.
protocol Player: AnyObject {
  /// What it is called in reports.
  static var name: String { get }
  /// Starts to play files, one after the other, on a server. Returns when it was started, which is before it plays.
  init(_ files: [String], on stage: Stage) throws

  /// The process that does it.
  var process: Int32 { get throws }
  /// The child that ends when it does.
  var child: Child { get }
  /// When its program was started.
  var started: Duration { get }
  /// Gives an order and answers when; nil where it takes none.
  func order(_ order: PlayerOrder) throws -> Duration?
}

/// What a player can be told.
enum PlayerOrder: String {
  case pause, play, next, stop
}

extension Player {
  var process: Int32 { child.processID }
  func order(_ order: PlayerOrder) throws -> Duration? { nil }
}
