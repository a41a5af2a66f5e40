// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// A session without systemd: a bus that starts what is installed, and no agent yet.
///
/// Agents that the bus has started end with it.
final class ActivationStage {
  let installation: Installation?
  let bus: PrivateBus

  /// A session for which fermata is installed, or isn't.
  init(isInstalled: Bool = true) throws {
    installation = isInstalled ? try Installation() : nil
    bus = try PrivateBus(serviceFolders: installation.map { [$0.serviceFolder] } ?? [])
  }

  /// Runs a command to its end.
  func fermata(_ words: String...) throws -> (status: ExitStatus?, output: String, errors: String) {
    let child = try Child(try program(), words, environment: bus.environment)
    let status = child.exit(until: .patient)
    return (status, child.standardOutput, child.standardError)
  }

  /// Starts an agent as a person would, with what else its environment says.
  func agent(_ words: String..., environment more: [String: String] = [:]) throws -> Child {
    try Child(try program(), ["agent"] + words, environment: bus.environment.merging(more) { $1 })
  }

  /// What playerctl answers of a player. It looks for the system's bus as well, and takes a wrong address amiss.
  func playerctl(_ player: String, _ words: String...) throws -> String {
    let program = try Program.named("playerctl", package: "playerctl")
    let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
    return try Child.run(program, ["-p", player] + words, environment: environment)
  }

  func program() throws -> Program { try installation?.program ?? .beside("fermata") }

  /// Begins a call to the bus itself.
  func beginAsking(_ member: String, _ arguments: String...) throws -> Child {
    try Child(
      .named("dbus-send", package: "dbus-bin"),
      [
        "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
        "org.freedesktop.DBus.\(member)",
      ]
        + arguments, environment: bus.environment)
  }

  /// What the bus answers, in words; nil where it refuses.
  func ask(_ member: String, _ arguments: String...) throws -> String? {
    let child = try Child(
      .named("dbus-send", package: "dbus-bin"),
      [
        "--session", "--print-reply=literal", "--dest=org.freedesktop.DBus", "/",
        "org.freedesktop.DBus.\(member)",
      ]
        + arguments, environment: bus.environment)
    guard child.exit(until: .patient) == .exited(0) else { return nil }
    return child.standardOutput.split(separator: " ").joined(separator: " ").filter { $0 != "\n" }
  }

  /// The process behind a name, if somebody has it.
  func process(of name: String) throws -> String? {
    try ask("GetConnectionUnixProcessID", "string:\(name)")
  }

  /// Sends a signal to the process behind a name.
  func end(_ name: String, by signal: Int32) throws {
    let answer = try waitForOwner(of: name)
    guard let process = pid_t(answer.split(separator: " ").last ?? "") else {
      throw KitError("no process: \(answer)")
    }
    kill(process, signal)
  }

  /// Waits until somebody has a name, and says which process.
  @discardableResult
  func waitForOwner(of name: String) throws -> String {
    let deadline = Deadline.patient
    while true {
      if let process = try process(of: name) { return process }
      if deadline.hasPassed { throw KitError("nobody came to have \(name)") }
    }
  }
}
