// SPDX-License-Identifier: MIT
package import AudioModel
import CPulse

/// Another program that records from a microphone until this object is released: a call without a role, or a
/// dictation program.
///
/// Any thread may use it. It has a connection of its own.
@safe package final class OtherRecording: @unchecked Sendable {
  // The pointers never change, and what they point to is touched only with the connection's lock held: hence
  // `@unchecked Sendable`.
  private let streams: [OpaquePointer]
  private let connection: PulseConnection

  /// Starts recording from a source, or what a stream plays (`hearing`). With `plays` the same program also has a silent output. `isMeter` asks
  /// only for peaks, as level meters do. Returns when the server has accepted the streams; throws if it doesn't.
  package init(
    source: String?, hearing stream: SinkInput.Index? = nil, address: String,
    name: String = "a talking program", plays: Bool = false, isMeter: Bool = false
  ) throws {
    let connection = try PulseConnection(address: address, name: name)
    self.connection = connection
    let recording = try unsafe Self.makeStream(connection, "what somebody says", rate: isMeter ? 25 : 48_000)
    let playing = try plays ? unsafe Self.makeStream(connection, "what the others say", rate: 48_000) : nil
    unsafe streams = unsafe [recording, playing].compactMap { unsafe $0 }
    try connection.locked {
      let flags: pa_stream_flags = isMeter ? [.PA_STREAM_PEAK_DETECT, .PA_STREAM_DONT_MOVE] : []
      if let stream, unsafe pa_stream_set_monitor_stream(recording, stream.rawValue) < 0 { throw refusal }
      guard unsafe pa_stream_connect_record(recording, source, nil, flags) >= 0 else { throw refusal }
      if let playing = unsafe playing,
        unsafe pa_stream_connect_playback(playing, nil, nil, [], nil, nil) < 0
      {
        throw refusal
      }
      try connection.wait("another program's recording", within: .patience) { try areReady() ? true : nil }
    }
  }

  deinit {
    connection.locked {
      unsafe streams.forEach { stream in
        unsafe pa_stream_set_state_callback(stream, nil, nil)
        unsafe pa_stream_set_moved_callback(stream, nil, nil)
        unsafe pa_stream_disconnect(stream)
        unsafe pa_stream_unref(stream)
      }
    }
  }

  /// Has the server take the recording from another microphone, as somebody in a mixer does. Returns when it records from there.
  package func move(to source: String) throws {
    let _: [Bool] = try unsafe connection.request("record from \(source)") { context, box in
      unsafe pa_context_move_source_output_by_name(
        context, pa_stream_get_index(streams[0]), source,
        { _, success, box in unsafe Answer<Bool>.from(box)?.finish(isRefused: success == 0) }, box)
    }
    try connection.locked {
      try connection.wait("a recording from \(source)", within: .patience) {
        let name = unsafe pa_stream_get_device_name(streams[0]).map { unsafe String(cString: $0) }
        return name == source ? () : nil
      }
    }
  }

  private static func makeStream(_ connection: PulseConnection, _ name: String, rate: UInt32) throws
    -> OpaquePointer
  {
    try unsafe connection.withContext { context in
      var spec = pa_sample_spec(format: cpulse_float32_native, rate: rate, channels: 1)
      guard let stream = unsafe pa_stream_new(context, name, &spec, nil) else {
        throw KitError("no stream: \(connection.lastError)")
      }
      unsafe pa_stream_set_state_callback(stream, { unsafe Bell.from($1)?.ring() }, connection.bell.pointer)
      unsafe pa_stream_set_moved_callback(stream, { unsafe Bell.from($1)?.ring() }, connection.bell.pointer)
      return unsafe stream
    }
  }

  private var refusal: KitError { KitError("cannot record: \(connection.lastError)") }

  private func areReady() throws -> Bool {
    let states = unsafe streams.map { unsafe pa_stream_get_state($0) }
    if states.contains(.PA_STREAM_FAILED) { throw refusal }
    return states.allSatisfy { $0 == .PA_STREAM_READY }
  }
}

extension SoundServer {
  /// Starts another program that records from a microphone until the returned object is released.
  package func listen(
    to source: String, name: String = "a talking program", plays: Bool = false, isMeter: Bool = false
  ) throws -> OtherRecording {
    try OtherRecording(source: source, address: serverAddress, name: name, plays: plays, isMeter: isMeter)
  }

  /// Starts another program that records what a stream plays, until the returned object is released. It plays as well.
  package func record(_ stream: SinkInput.Index, name: String = "a recorder") throws -> OtherRecording {
    try OtherRecording(
      source: nil, hearing: stream, address: serverAddress, name: name, plays: true)
  }

  /// Adds a silent microphone, and waits until the server has it.
  package func load(microphone name: String) throws {
    if self is PrivatePipeWire {
      try control.load("module-null-sink", "sink_name=\(name) media.class=Audio/Source/Virtual channels=1")
    } else {
      try control.load("module-null-source", "source_name=\(name) channels=1")
    }
    try control.wait(forSource: name)
  }
}
