// SPDX-License-Identifier: MIT
import AudioModel

/// A private sound server: PulseAudio or PipeWire.
package protocol SoundServer: AnyObject, Sendable {
  /// The value of PULSE_SERVER for programs that should use it.
  var serverAddress: String { get }
  /// A complete environment for a child program that uses this server and nothing else of this machine.
  var environment: [String: String] { get }
  /// Controls the server for the test.
  var control: SoundControl { get }

  /// Adds a null sink while the server runs, and waits until it exists.
  func load(sink: NullSink) throws
  /// Plugs in a virtual card, and waits until the server lists it.
  func insert(_ layout: CardLayout) throws -> any VirtualCard
  /// Sends a signal to the server's processes, to stop and continue them.
  func send(signal: Int32)
  /// Throws if the server has died, with the end of its error output.
  func check() throws
  /// Ends the server. Throws if it had died before. A second call does nothing.
  func stop() throws
  /// Kills the server as a crash would, so that its clients see the connection break.
  func crash()
  /// Starts another server of the same kind at the same address, after `crash`. Its sinks appear one after another
  /// while clients may already be connected, as after a real crash.
  func successor(sinks: [NullSink]) throws -> any SoundServer
}

extension SoundServer {
  /// Records what a sink plays, from now on. Returns when the first frames have arrived.
  ///
  /// A PulseAudio sink that can rewind, and of which no stream asks for a low latency, renders two seconds ahead. So
  /// a recorder would hear nothing for two seconds. The recorder asks for `latency`, which shortens that. But the
  /// sink only rewinds what it has already rendered when a new stream begins, so a short silence is played.
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

  /// Removes a null sink as if its device were unplugged, and waits until it is gone.
  package func unload(sink name: String) throws {
    guard let module = try control.ownerModule(ofSink: name) else {
      throw KitError("there is no sink \(name)")
    }
    try control.unload(module)
    try control.wait(for: "the end of the sink \(name)") { $0.sink(named: name) == nil }
  }
}

/// Runs a body with a server, then ends the server. If the server died, it throws that error, since it is the cause
/// of whatever the body threw. Otherwise it throws what the body throws.
package func using<Server: SoundServer, R>(_ server: Server, _ body: (Server) throws -> R) throws -> R {
  let result = Result { try body(server) }
  try server.stop()
  return try result.get()
}

/// The same with an asynchronous body.
package func using<Server: SoundServer, R>(_ server: Server, _ body: (Server) async throws -> R) async throws
  -> R
{
  let result: Result<R, any Error>
  do { result = .success(try await body(server)) } catch { result = .failure(error) }
  try server.stop()
  return try result.get()
}
