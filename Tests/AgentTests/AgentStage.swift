// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

/// The agent itself on a private bus and a private sound server, asked and ordered by playerctl, as a desktop does.
final class AgentStage {
  let server: any SoundServer
  let bus: PrivateBus
  let folder: TemporaryDirectory
  let systemBus: PrivateBus?
  private(set) var agent: Child

  /// Starts the agent and waits until it is on the bus. Without a system bus it finds none. The folder is its home. `others` are variables of which it
  /// alone has other values than the programs that ask it.
  init(
    _ server: any SoundServer, systemBus: PrivateBus? = nil, isVerbose: Bool = false,
    folder: TemporaryDirectory? = nil, others: [String: String] = [:]
  ) throws {
    self.server = server
    self.systemBus = systemBus
    bus = try PrivateBus()
    self.folder = try folder ?? TemporaryDirectory()
    agent = try Child(
      .beside("fermata"), ["agent"] + (isVerbose ? ["--verbose"] : []),
      environment: Self.environment(server, bus, self.folder, systemBus).merging(others) { $1 })
    try waitForStatus("Stopped")
  }

  static func environment(
    _ server: any SoundServer, _ bus: PrivateBus, _ folder: TemporaryDirectory,
    _ systemBus: PrivateBus? = nil
  ) -> [String: String] {
    [
      "PULSE_SERVER": server.serverAddress, "DBUS_SESSION_BUS_ADDRESS": bus.address, "HOME": folder.path,
      "XDG_RUNTIME_DIR": folder.path,
      // playerctl wants a system bus that is either there or has no socket.
      "DBUS_SYSTEM_BUS_ADDRESS": systemBus?.address ?? "unix:path=\(folder.path)/no-bus",
    ]
  }

  var environment: [String: String] { Self.environment(server, bus, folder, systemBus) }

  /// Ends everything. Throws when the server had died, or the agent does not end in order.
  func stop() throws {
    let end = agent.stop(within: .patience)
    #expect(end == .exited(0), "\(agent.standardError.suffix(2_000))")
    try server.stop()
    try bus.stop()
  }

  /// Kills the agent as a crash would, and starts it anew.
  func restartAfterCrash(into status: String = "Paused") throws {
    agent.kill()
    try start(into: status)
  }

  /// Ends the agent as a logout does, and starts it anew.
  func restart(into status: String = "Paused") throws {
    let end = agent.stop(within: .patience)
    #expect(end == .exited(0), "\(agent.standardError.suffix(2_000))")
    try start(into: status)
  }

  private func start(into status: String) throws {
    agent = try Child(.beside("fermata"), ["agent"], environment: environment)
    try waitForStatus(status)
  }

  /// What playerctl answers, without the end of the line; nil where it fails.
  @discardableResult
  func playerctl(_ words: String...) -> String? { playerctl(words) }

  private func playerctl(_ words: [String]) -> String? {
    guard let program = try? Program.named("playerctl", package: "playerctl") else {
      Issue.record("playerctl is missing: apt-get install playerctl")
      return nil
    }
    let answer = try? Child.run(program, ["-p", "fermata"] + words, environment: environment)
    return answer.map { $0.last == "\n" ? String($0.dropLast()) : $0 }
  }

  /// A file of one steady tone, so long that no test hears its end.
  func makeTone(_ name: String = "tone.wav") throws -> String { try folder.write(name, Self.tone) }

  // Made once for all tests: sines are slow without the optimizer.
  private static let tone: [UInt8] = {
    let format = AudioFormat(rate: 44_100, channels: 2)
    return WAVFile.bytes(Tone.sine(frames: 60 * 44_100, format), format)
  }()

  /// Plays a file, and waits until it does.
  func play(_ path: String) throws {
    playerctl("open", "file://\(path)")
    try waitForStatus("Playing")
  }

  /// Asks again and again, for a client has no other way, until the status is this; playerctl's own start is the pause in between.
  func waitForStatus(_ status: String) throws { try wait(for: status, from: "status") }

  /// The same of whatever else playerctl answers when asked with these words.
  func wait(for answer: String, from words: String...) throws {
    let deadline = Deadline.patient
    while playerctl(words) != answer {
      if deadline.hasPassed {
        throw KitError("\(words) did not become \(answer); the agent says:\n\(agent.standardError)")
      }
    }
  }

  /// Waits until a line of the agent's log has these words.
  func waitForLog(_ words: String) throws {
    let deadline = Deadline.patient
    while !agent.standardError.contains(words) {
      if deadline.hasPassed { throw KitError("nothing of '\(words)' in the log:\n\(agent.standardError)") }
      playerctl("status")
    }
  }

  /// Waits until a file of its folder has these words.
  func waitForFile(_ name: String, with words: String) throws {
    let deadline = Deadline.patient
    while true {
      let text = TextFile.read(folder.path(name))
      if text?.contains(words) == true { return }
      if deadline.hasPassed { throw KitError("nothing of '\(words)' in \(name): \(text ?? "no such file")") }
      playerctl("status")
    }
  }

  /// How often any of its threads, or those of another process, has given up the processor of its own accord.
  func contextSwitches(of other: Child? = nil) throws -> Int {
    let process = other ?? agent
    return try threads(of: process).reduce(0) { sum, thread in
      let status = try text("/proc/\(process.processID)/task/\(thread)/status")
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }

  /// The numbers of its threads, or of those of another process.
  func threads(of other: Child? = nil) throws -> [String] {
    let process = other ?? agent
    guard let folder = opendir("/proc/\(process.processID)/task") else {
      throw KitError("\(process.name) is gone")
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private func text(_ path: String) throws -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw KitError("\(path) cannot be read") }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
