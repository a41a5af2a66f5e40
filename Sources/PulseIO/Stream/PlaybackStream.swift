// SPDX-License-Identifier: MIT
package import AgentLoop
package import AudioModel
import CPulse

/// A playback stream on a sound server, from its making to its end. It is not reused: when the server comes back, a new
/// one is made.
///
/// Owns libpulse's stream, and is owned by whoever plays; letting go of it ends the stream at the server. Used on the
/// loop only. It asks for sound through `fill` whenever the server has room, and reports what happens through
/// `handler`, both on the loop. Cork, uncork and flush are on their way when the call returns, and the server obeys
/// them in order.
@AgentLoop @safe
package final class PlaybackStream {
  /// The format of everything that is written.
  package let format: AudioFormat
  /// Whether the last order was to be silent; the server may not have obeyed yet.
  package internal(set) var isCorked: Bool
  /// Frames written since the beginning, without those that were taken back.
  package internal(set) var written = 0

  /// Where the next write goes, in bytes from the end of the last one; below zero after `takeBack`.
  var offset = 0
  let depth: StreamDepth
  /// Whether the stream has been given its full buffer; see `StreamDepth`.
  var isDeep: Bool
  /// How many bytes the stream takes although the server has not asked for them yet: after a flush, a whole buffer.
  var unasked = 0
  /// When the server last asked for sound, on the loop's clock.
  var lastAsked = Duration.zero
  // Keeps the connection alive as long as its stream.
  let context: PulseContext
  let raw: OpaquePointer
  let startVolume: Double?
  let wasMadeCorked: Bool
  let fill: @AgentLoop (inout OutputSpan<Float>) -> Void
  let handler: @AgentLoop (Event) -> Void

  /// Begins to make a stream; the event `ready` comes when the server has it.
  ///
  /// - Parameters:
  ///   - fill: appends whole frames to the span. Fewer than it has room for means that there is no more now; then call
  ///     `refill` when there is.
  ///   - handler: is told what happens, never from within a call to this object.
  /// - Throws: if the server is not connected, or if libpulse refuses at once.
  package init(
    on server: PulseServer, _ settings: Settings,
    fill: @escaping @AgentLoop (inout OutputSpan<Float>) -> Void,
    handler: @escaping @AgentLoop (Event) -> Void
  ) throws(PulseError) {
    context = try server.connected(to: "play")
    format = settings.format
    isCorked = settings.startsCorked
    wasMadeCorked = settings.startsCorked
    startVolume = settings.volume
    depth = StreamDepth(settings)
    isDeep = !depth.hasShallow
    self.fill = fill
    self.handler = handler
    var spec = pa_sample_spec(
      format: cpulse_float32_native, rate: UInt32(format.rate), channels: UInt8(format.channels))
    var map = format.layout.record
    let properties = PropertyList(settings.properties)
    guard
      let raw = unsafe pa_stream_new_with_proplist(context.raw, settings.name, &spec, &map, properties.raw)
    else { throw context.lastError("play") }
    unsafe self.raw = raw
    listen()
    try connect(settings)
  }

  isolated deinit {
    // The callbacks go first, so that none finds a stream that is being freed. Then the server's stream ends, and then
    // ours is released.
    unsafe pa_stream_set_state_callback(raw, nil, nil)
    unsafe pa_stream_set_write_callback(raw, nil, nil)
    unsafe pa_stream_set_started_callback(raw, nil, nil)
    unsafe pa_stream_set_underflow_callback(raw, nil, nil)
    unsafe pa_stream_set_moved_callback(raw, nil, nil)
    unsafe pa_stream_set_suspended_callback(raw, nil, nil)
    unsafe pa_stream_set_event_callback(raw, nil, nil)
    unsafe Self.end(raw)
  }

  /// Has the server drop a stream, and releases our reference to it. A stream that is still being made cannot be
  /// dropped: libpulse would keep it, and so would the server, until the connection ends. It is dropped as soon as it
  /// has been made.
  private static func end(_ raw: OpaquePointer) {
    if unsafe pa_stream_get_state(raw) == .PA_STREAM_CREATING {
      return unsafe pa_stream_set_state_callback(
        raw, { raw, _ in unsafe AgentLoop.assume(raw) { unsafe PlaybackStream.endLate($0) } }, nil)
    }
    unsafe pa_stream_disconnect(raw)
    unsafe pa_stream_unref(raw)
  }

  private static func endLate(_ raw: OpaquePointer?) {
    guard let raw = unsafe raw, unsafe pa_stream_get_state(raw) != .PA_STREAM_CREATING else { return }
    unsafe pa_stream_set_state_callback(raw, nil, nil)
    unsafe end(raw)
  }

  private func connect(_ settings: Settings) throws(PulseError) {
    var buffer = depth.shallow
    var flags: pa_stream_flags_t = [.PA_STREAM_ADJUST_LATENCY]
    if settings.startsCorked { flags.insert(.PA_STREAM_START_CORKED) }
    var volume = Volume.record(settings.volume ?? 1, channels: format.channels)
    let result = unsafe withUnsafePointer(to: &volume) { volume in
      unsafe pa_stream_connect_playback(
        raw, settings.sink, &buffer, flags, settings.volume == nil ? nil : volume, nil)
    }
    if result < 0 { throw context.lastError("play") }
  }
}
