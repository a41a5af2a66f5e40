// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
import PlaybackLogic
import StoreIO
import Testing

/// The agent itself on a private bus and a private sound server, ordered over the bus by our own interfaces.
final class StateStage {
  let server: PrivatePulse
  let folder: TemporaryDirectory
  let caller: AgentCaller
  private let bus: PrivateBus
  private(set) var agent: Child
  private let rights: Rights

  /// What the system lets the agent do.
  enum Rights: Sendable {
    /// As much as the tests themselves.
    case own
    /// No more than any user: permissions of files hold for it, also where tests are run by the superuser.
    case plain
  }

  /// The agent's queue at its beginning. Whatever is done to both, chance included, makes them alike.
  static let queue = PlayQueue(seed: 7)

  /// Starts the agent and returns when it is on the bus.
  init(_ rights: Rights = .own, folder: TemporaryDirectory? = nil) async throws {
    server = try PrivatePulse(sinks: ["speakers"])
    bus = try PrivateBus()
    let folder = try folder ?? TemporaryDirectory()
    (self.folder, self.rights) = (folder, rights)
    let (store, _) = try await Store.open(in: StateFolder(folder.path(".local/state/fermata"))) {
      Issue.record($0)
    }
    try await store.close(saving: Self.queue)
    agent = try Self.start(server, bus, folder, rights)
    caller = try await AgentCaller.connected(to: bus)
    try await caller.waitUntilThere()
  }

  private static func start(
    _ server: PrivatePulse, _ bus: PrivateBus, _ folder: TemporaryDirectory, _ rights: Rights
  ) throws -> Child {
    let environment = AgentStage.environment(server, bus, folder)
    let program = try Program.beside("fermata")
    return rights == .plain
      ? try .withoutRights(program, ["agent"], environment: environment)
      : try Child(program, ["agent"], environment: environment)
  }

  /// The environment for programs that are to reach this agent.
  var environment: [String: String] { AgentStage.environment(server, bus, folder) }

  var busAddress: String { bus.address }

  /// Kills the agent as a crash would, at this instant.
  func kill() { agent.kill() }

  /// Starts it anew after it was killed, and returns when it shows what it restored.
  func restart() async throws {
    // The bus may not have told of the end of the one before; then the name is still that one's.
    let former = await caller.owner
    agent = try Self.start(server, bus, folder, rights)
    try await caller.waitUntilThere(after: former)
  }

  /// Ends it and starts it anew, as at a logout and the next login.
  func restartInOrder() async throws {
    #expect(agent.stop(within: .patience) == .exited(0))
    try await restart()
  }

  /// What the agent has logged so far.
  var log: String { agent.standardError }

  /// The processes of this name, as the kernel cuts it, that the agent has started.
  func children(named name: String) -> [Int32] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [Int32] = []
    while let entry = readdir(folder) {
      let text = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let number = Int32(text), let file = fopen("/proc/\(text)/stat", "r") else { continue }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 512)
      guard fgets(&line, 512, file) != nil else { continue }
      let words = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
      if words.count > 3, words[1] == "(\(name))", words[3] == "\(agent.processID)" { found.append(number) }
    }
    return found
  }

  /// Ends everything. Throws when the server had died, or the agent does not end in order.
  func stop() throws {
    #expect(agent.stop(within: .patience) == .exited(0))
    try server.stop()
    try bus.stop()
  }
}
