// SPDX-License-Identifier: MIT
import FermataTestKit

/// cmus in a terminal of its own, with orders over its socket.
final class Cmus: Player {
  static let name = "cmus"
  let child: Child
  let started: Duration
  private let socket: String

  init(_ files: [String], on stage: Stage) throws {
    socket = stage.directory.path("cmus")
    let environment = stage.environment.merging(["TERM": "xterm"]) { $1 }
    started = Monotonic.now
    child = try Child(
      .named("script", package: "bsdutils"), ["-qc", "exec cmus --listen \(socket)", "/dev/null"],
      environment: environment)
    let deadline = Deadline.after(.seconds(5))
    while (try? BareClient.say("", to: socket)) == nil {
      guard !deadline.hasPassed else { throw KitError("cmus does not listen") }
    }
    for line in ["set output_plugin=pulse"] + files.dropFirst().map({ "add -q \($0)" }) {
      _ = try BareClient.say(line, to: socket)
    }
    if let file = files.first { _ = try BareClient.say("player-play \(file)", to: socket) }
  }

  var process: Int32 {
    get throws {
      guard let process = ProcessTable.children(of: child.processID, named: "cmus").first else {
        throw KitError("cmus has no process")
      }
      return process
    }
  }

  /// Takes a folder into its library, and reads the tags of all files in it.
  func add(_ folder: String) throws { _ = try BareClient.say("add -l \(folder)", to: socket) }

  /// Has it look at all files of its library again.
  func update() throws { _ = try BareClient.say("update-cache", to: socket) }

  /// Puts a list of files into its queue.
  func add(list: String) throws { _ = try BareClient.say("add -q \(list)", to: socket) }

  /// The words with which `cmus-remote` reaches it.
  var remote: [String] { ["--server", socket] }

  /// When it last did something, once it has done nothing for two seconds. It does not tell when it has read everything.
  func quiet() throws -> Duration {
    let process = try process
    var (last, spent) = (Monotonic.now, ProcessTable.nanoseconds(process))
    while Monotonic.now - last < .seconds(2) {
      _ = child.exit(until: .after(.milliseconds(5)))
      try child.check()
      let now = ProcessTable.nanoseconds(process)
      if now != spent { (last, spent) = (Monotonic.now, now) }
    }
    return last
  }

  func order(_ order: PlayerOrder) throws -> Duration? {
    try BareClient.say("player-\(order.rawValue)", to: socket)
  }
}
