// SPDX-License-Identifier: MIT
package import AudioModel
import CPulse

/// Another program's sound: a call, a game, a notification. It plays its samples once. Then it stays open until it is
/// released, like a call in which nobody speaks.
///
/// Any thread may use it. It has a connection of its own, unless it was made as another stream of the same program.
@safe package final class OtherStream: @unchecked Sendable {
  // `stream` never changes, and what it points to is touched only with the connection's lock held: hence
  // `@unchecked Sendable`.
  private let stream: OpaquePointer
  private let connection: PulseConnection

  /// Starts playing. `properties` are the stream's, most importantly `["media.role": "phone"]`. Without a sink the
  /// server chooses one. Returns when the server has accepted the stream; throws if it doesn't.
  package convenience init(
    _ samples: [Float], _ format: AudioFormat, address: String, sink: String? = nil,
    properties: [String: String] = [:]
  ) throws {
    let connection = try PulseConnection(address: address, name: "another program")
    try self.init(samples, format, on: connection, sink: sink, properties: properties)
  }

  /// Starts another stream of the same program. A server accepts more streams than programs.
  package convenience init(_ samples: [Float], _ format: AudioFormat, of other: OtherStream, sink: String)
    throws
  {
    try self.init(samples, format, on: other.connection, sink: sink, properties: [:])
  }

  private init(
    _ samples: [Float], _ format: AudioFormat, on connection: PulseConnection, sink: String?,
    properties: [String: String]
  ) throws {
    self.connection = connection
    unsafe stream = try connection.withContext { context in
      try unsafe Self.makeStream(context, format, properties)
    }
    try connection.locked { try connect(to: sink, samples) }
  }

  deinit {
    connection.locked {
      unsafe pa_stream_set_state_callback(stream, nil, nil)
      unsafe pa_stream_disconnect(stream)
      unsafe pa_stream_unref(stream)
    }
  }

  /// Its index among the server's playback streams.
  package var index: SinkInput.Index {
    connection.locked { SinkInput.Index(rawValue: unsafe pa_stream_get_index(stream)) }
  }

  private static func makeStream(
    _ context: OpaquePointer, _ format: AudioFormat, _ properties: [String: String]
  ) throws -> OpaquePointer {
    let list = unsafe pa_proplist_new()
    defer { unsafe pa_proplist_free(list) }
    for (key, value) in properties { unsafe pa_proplist_sets(list, key, value) }
    var spec = pa_sample_spec(
      format: cpulse_float32_native, rate: UInt32(format.rate), channels: UInt8(format.channels))
    // By default the library has no channel map for eight channels.
    var map = pa_channel_map()
    unsafe pa_channel_map_init_extend(&map, UInt32(format.channels), PA_CHANNEL_MAP_DEFAULT)
    guard
      let stream = unsafe pa_stream_new_with_proplist(context, "another program's sound", &spec, &map, list)
    else { throw KitError("the server takes no stream of \(format)") }
    return unsafe stream
  }

  // The buffer holds all samples at once, so that nothing has to refill it. It is never small, because a small buffer
  // would shorten the sink's latency.
  private func connect(to sink: String?, _ samples: [Float]) throws {
    let bytes = samples.count * MemoryLayout<Float>.size
    let target = max(bytes, Int(unsafe pa_bytes_per_second(pa_stream_get_sample_spec(stream))))
    var buffer = pa_buffer_attr(
      maxlength: .max, tlength: UInt32(target), prebuf: 0, minreq: .max, fragsize: .max)
    unsafe pa_stream_set_state_callback(stream, { unsafe Bell.from($1)?.ring() }, connection.bell.pointer)
    guard unsafe pa_stream_connect_playback(stream, sink, &buffer, .PA_STREAM_START_CORKED, nil, nil) >= 0
    else {
      throw KitError("cannot play: \(connection.lastError)")
    }
    try connection.wait("another program's stream", within: .patience) { try isReady() ? true : nil }
    // The stream is corked until now: while an uncorked stream plays nothing, PipeWire counts the time and skips as
    // much of the samples that come.
    if !samples.isEmpty, unsafe pa_stream_write(stream, samples, bytes, nil, 0, PA_SEEK_RELATIVE) < 0 {
      throw KitError("cannot play: \(connection.lastError)")
    }
    // What a server does about a call depends on which streams sound when it comes. So this waits until the server
    // has uncorked the stream.
    let uncork = unsafe pa_stream_cork(stream, 0, { unsafe Bell.from($2)?.ring() }, connection.bell.pointer)
    defer { unsafe pa_operation_unref(uncork) }
    try connection.wait("another program's sound", within: .patience) {
      unsafe pa_operation_get_state(uncork) == PA_OPERATION_RUNNING ? nil : true
    }
  }

  private func isReady() throws -> Bool {
    let state = unsafe pa_stream_get_state(stream)
    guard state != .PA_STREAM_FAILED else { throw KitError("cannot play: \(connection.lastError)") }
    return state == .PA_STREAM_READY
  }
}

extension SoundServer {
  /// Starts another program that plays until the returned object is released.
  package func play(
    _ samples: [Float], _ format: AudioFormat, on sink: String? = nil, properties: [String: String] = [:]
  ) throws -> OtherStream {
    try OtherStream(samples, format, address: serverAddress, sink: sink, properties: properties)
  }
}
