// SPDX-License-Identifier: MIT
package import AgentLoop
package import AudioModel
import CPulse

/// A playback stream on a sound server, from its making to its end; a new one is made when the server comes back.
///
/// Owns the library's stream, and is owned by whoever plays. It asks for sound through `fill` whenever the server has room,
/// and tells what happens through `handler`, both on the loop. Cork, uncork and flush are on their way when the call
/// returns, and the server takes them in order.
@AgentLoop @safe
package final class PlaybackStream {
  /// What the stream was made for.
  package let format: AudioFormat
  /// The order that was last given: whether the stream is to be silent.
  package internal(set) var isCorked: Bool
  /// Frames written since the beginning.
  package internal(set) var written = 0

  /// Where the next write goes, in bytes from the end of the last one.
  var offset = 0
  let depth: StreamDepth
  /// Whether it was given its full depth.
  var isDeep: Bool
  /// How many bytes it takes before it has asked for them: as many as it wants to lie ready, after a flush.
  var unasked = 0
  /// When the server asked last.
  var lastAsked = Duration.zero
  // Keeps the connection alive as long as its stream.
  let context: PulseContext
  let raw: OpaquePointer
  let startVolume: Double?
  let wasMadeCorked: Bool
  let fill: @AgentLoop (inout OutputSpan<Float>) -> Void
  let handler: @AgentLoop (Event) -> Void

  /// Makes a stream; `ready` comes when the server has it.
  ///
  /// - Parameters:
  ///   - fill: appends whole frames to the span; fewer than it has room for means that no more is there now, and `refill` has to
  ///     be called when it is.
  ///   - handler: hears what happens, never from within a call to this object.
  /// - Throws: where the server is away, or refuses at once.
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
    // No callback may find a stream that is going; then the server's end of it, then ours.
    unsafe pa_stream_set_state_callback(raw, nil, nil)
    unsafe pa_stream_set_write_callback(raw, nil, nil)
    unsafe pa_stream_set_started_callback(raw, nil, nil)
    unsafe pa_stream_set_underflow_callback(raw, nil, nil)
    unsafe pa_stream_set_moved_callback(raw, nil, nil)
    unsafe pa_stream_set_suspended_callback(raw, nil, nil)
    unsafe pa_stream_set_event_callback(raw, nil, nil)
    unsafe Self.end(raw)
  }

  /// Has the server drop a stream, and gives back the reference to it. One that is still being made cannot be dropped: libpulse would
  /// keep it, and so would the server, until the connection ends.
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
