// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import Glibc
import PlaybackLogic

/// Who is behind the names of those who call: the session manager pauses players for reasons of its own, everybody else does it for a
/// person.
@AgentLoop
final class SenderDirectory {
  private let connection: BusConnection
  private let note: @AgentLoop (@autoclosure () -> String?) -> Void
  private var known: [BusName: Sender] = [:]

  /// Names of connections are never used again, so what is known stays true; there are few callers as a rule.
  private static let most = 256

  /// A directory that has found nobody yet; `note` is told what is found.
  init(_ connection: BusConnection, note: @escaping @AgentLoop (@autoclosure () -> String?) -> Void) {
    self.connection = connection
    self.note = note
  }

  /// The sender, if it was asked for before.
  func known(_ name: BusName) -> Sender? { known[name] }

  /// The sender. One that is gone by now, or cannot be found, counts as a person.
  func resolve(_ name: BusName) async -> Sender {
    if let found = known[name] { return found }
    guard let process = try? await connection.processID(of: name) else { return .user }
    let program = Self.programName(ofProcess: process)
    let sender = Self.sender(named: program)
    note("bus: \(name) is '\(program ?? "unknown")', process \(process): \(sender)")
    if known.count >= Self.most { known = [:] }
    known[name] = sender
    return sender
  }

  private static func sender(named program: String?) -> Sender {
    switch program {
    case "wireplumber": .wirePlumber
    case "kdeconnectd": .tool("KDE Connect")
    case "gsconnect": .tool("GSConnect")
    default: .user
    }
  }

  private static func programName(ofProcess id: UInt32) -> String? {
    let descriptor = open("/proc/\(id)/comm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
