// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import FermataAgent
import Glibc
import HealthModel
import PulseIO

/// Collects the doctor's evidence from the sound server.
@AgentLoop
enum SoundLook {
  /// How long connecting may take.
  private static let patience = Duration.seconds(3)

  static func evidence(ownSink: String?) async -> HealthEvidence.Answer<HealthEvidence.Sound> {
    let server = PulseServer(properties: StreamIdentity.application)
    defer { server.stop() }
    if let reason = await connect(server) { return .missing(reason) }
    do throws(PulseError) {
      let world = try await server.readWorld()
      return .found(
        HealthEvidence.Sound(
          world: world, modules: try await server.readModules(), wirePlumber: wirePlumber(in: world),
          ownSink: ownSink))
    } catch {
      return .missing(error.reason)
    }
  }

  /// Connects. Returns nil on success, or else the reason for the failure.
  private static func connect(_ server: PulseServer) async -> String? {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<String?, Never>) in
      var waiting: UnsafeContinuation<String?, Never>? = continuation
      let finish = { (reason: String?) in
        waiting?.resume(returning: reason)
        waiting = nil
      }
      server.handler = { event in
        switch event {
        case .connected: finish(nil)
        case .disconnected(let error, _): finish(error.reason)
        case .changed: break
        }
      }
      server.start()
      AgentLoop.after(patience) { finish("it takes the connection and says nothing") }
    }
  }

  private static func wirePlumber(in world: AudioWorld) -> WirePlumberVersion? {
    let client = world.clients.first { $0.properties["application.process.binary"] == "wireplumber" }
    guard let process = client?.processID else { return nil }
    return WirePlumberVersion(inMaps: ProcessMaps.text(of: process))
  }
}

/// Reads the list of files that a process has mapped into its memory.
private enum ProcessMaps {
  private static let limit = 1 << 22

  static func text(of process: Int32) -> String {
    guard let file = fopen("/proc/\(process)/maps", "r") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
