// SPDX-License-Identifier: MIT
import AudioModel

/// A private sound server of either kind.
package protocol SoundServer: AnyObject, Sendable {
  /// What stands in PULSE_SERVER for those who shall use it.
  var serverAddress: String { get }
  /// A whole environment for a child program that uses this server and else knows nothing of this machine.
  var environment: [String: String] { get }
  /// The test's own hand on the server.
  var control: SoundControl { get }

  /// Adds a null sink while the server runs, and waits until it is there.
  func load(sink: NullSink) throws
  /// Plugs in a card without hardware, and waits until the server shows it.
  func insert(_ layout: CardLayout) throws -> any VirtualCard
  /// Sends the server's processes a signal: to have them stop and go on.
  func send(signal: Int32)
  /// Throws when the server has died, with its last words.
  func check() throws
  /// Ends the server. Throws when it had died before. Ends nothing twice.
  func stop() throws
  /// Kills it as a crash would, so that its clients see the connection break.
  func crash()
  /// Another server of its kind at its address, after `crash`. Its sinks come one after the other while clients may already be
  /// there, as after a real crash.
  func successor(sinks: [NullSink]) throws -> any SoundServer
}

extension SoundServer {
  /// Records what a sink plays, from now on. Returns when the first frames have come.
  ///
  /// A sink of PulseAudio that can take back what it rendered, and that nobody hurries, renders two seconds ahead, so
  /// that a recorder would hear nothing for so long. The recorder wants `latency`, and so hurries the sink; but only
  /// a stream that begins makes it take back what it rendered too early: so a short silence is played.
  package func record(_ sink: String, latency: Duration = .milliseconds(10)) throws -> Recorder {
    guard let monitor = try control.sinks().first(where: { $0.name == sink })?.monitorSource else {
      throw KitError("there is no sink \(sink) to record")
    }
    let recorder = try Recorder(sink: sink, monitor: monitor, address: serverAddress, latency: latency)
    let format = recorder.format
    let silence = Tone.silence(frames: format.frames(in: .milliseconds(20)), format)
    let nudge = try play(silence, format, on: sink)
    try recorder.wait(forFrames: 1)
    withExtendedLifetime(nudge) {}
    return recorder
  }

  /// Removes a null sink, as if its device were pulled out whole, and waits until it is gone.
  package func unload(sink name: String) throws {
    guard let module = try control.ownerModule(ofSink: name) else {
      throw KitError("there is no sink \(name)")
    }
    try control.unload(module)
    try control.wait(for: "the end of the sink \(name)") { $0.sink(named: name) == nil }
  }
}

/// Lets a body use a server, then ends the server. Throws when the server died, which is the cause of whatever
/// the body had to say, or else what the body throws.
package func using<Server: SoundServer, R>(_ server: Server, _ body: (Server) throws -> R) throws -> R {
  let result = Result { try body(server) }
  try server.stop()
  return try result.get()
}

/// Lets an asynchronous body use a server, then ends the server; see above.
package func using<Server: SoundServer, R>(_ server: Server, _ body: (Server) async throws -> R) async throws
  -> R
{
  let result: Result<R, any Error>
  do { result = .success(try await body(server)) } catch { result = .failure(error) }
  try server.stop()
  return try result.get()
}
