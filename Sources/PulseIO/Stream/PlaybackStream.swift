// SPDX-License-Identifier: MIT
public import AgentLoop
public import AudioModel
import CPulse

/// A playback stream on a sound server, from its making to its end; a new one is made when the server comes back.
///
/// Owns the library's stream, and is owned by whoever plays. It asks for sound through `fill` whenever the server has room,
/// and tells what happens through `handler`, both on the loop. Cork, uncork and flush are on their way when the call
/// returns, and the server takes them in order.
@AgentLoop @safe
public final class PlaybackStream {
  /// What happens to a stream.
  public enum Event: Sendable, Equatable {
    /// The server has made it; it sounds unless it is corked.
    case ready
    /// The server began to play what was written, after the making, a flush or an underflow.
    case started
    /// Nothing was there to play; silence is heard until more is written.
    case underflow
    /// It now goes to another output. What happened to the old one is for others to find out.
    case moved(to: Sink.Index)
    /// The output was suspended, or works again.
    case suspended(Bool)
    /// The server asks to be silent for something more important.
    case corkRequested
    /// What was more important is over.
    case uncorkRequested
    /// It exists no more: ended by somebody's order, or with the server. Nothing comes after this.
    case ended(PulseError)
  }

  /// What a stream is made with.
  public struct Settings: Sendable {
    /// What mixers show.
    public var name: String
    /// Of everything that is written.
    public var format: AudioFormat
    /// How much sound lies ready at the server. A cork is instant whatever the length, so more costs nothing but memory.
    public var bufferLength: Duration = .seconds(2)
    /// How much has to be written before it begins to sound, at the making, after a flush and after an underflow; `trigger` begins
    /// with less. A server takes about half of the buffer at once: where it finds less, it makes silence of the rest and
    /// has to take that back.
    public var startLength: Duration = .zero
    /// Whether it waits for `uncork`.
    public var startsCorked = false
    /// Nil leaves the volume to what the server remembers for us.
    public var volume: Double?
    /// The output by name; nil leaves it to the server.
    public var sink: String?
    /// `media.role` and the like.
    public var properties: [String: String] = [:]

    /// Settings for a stream of `format`; all else as preset.
    public init(name: String, format: AudioFormat) {
      self.name = name
      self.format = format
    }
  }

  /// What the stream was made for.
  public let format: AudioFormat
  /// The order that was last given: whether the stream is to be silent.
  public private(set) var isCorked: Bool
  /// Frames written since the beginning.
  public private(set) var written = 0

  /// Where the next write goes, in bytes from the end of the last one.
  private var offset = 0
  // Keeps the connection alive as long as its stream.
  private let context: PulseContext
  private let raw: OpaquePointer
  private let startVolume: Double?
  private let wasMadeCorked: Bool
  private let fill: @AgentLoop (inout OutputSpan<Float>) -> Void
  private let handler: @AgentLoop (Event) -> Void

  /// Makes a stream; `ready` comes when the server has it.
  ///
  /// - Parameters:
  ///   - fill: appends whole frames to the span; fewer than it has room for means that no more is there now, and `refill` has to
  ///     be called when it is.
  ///   - handler: hears what happens, never from within a call to this object.
  /// - Throws: where the server is away, or refuses at once.
  public init(
    on server: PulseServer, _ settings: Settings,
    fill: @escaping @AgentLoop (inout OutputSpan<Float>) -> Void,
    handler: @escaping @AgentLoop (Event) -> Void
  ) throws(PulseError) {
    context = try server.connected(to: "play")
    format = settings.format
    isCorked = settings.startsCorked
    wasMadeCorked = settings.startsCorked
    startVolume = settings.volume
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
    var buffer = pa_buffer_attr(
      maxlength: .max, tlength: UInt32(format.frames(in: settings.bufferLength) * format.bytesPerFrame),
      prebuf: UInt32(max(1, format.frames(in: settings.startLength)) * format.bytesPerFrame), minreq: .max,
      fragsize: .max)
    var flags: pa_stream_flags_t = [.PA_STREAM_ADJUST_LATENCY]
    if settings.startsCorked { flags.insert(.PA_STREAM_START_CORKED) }
    var volume = Volume.record(settings.volume ?? 1, channels: format.channels)
    let result = unsafe withUnsafePointer(to: &volume) { volume in
      unsafe pa_stream_connect_playback(
        raw, settings.sink, &buffer, flags, settings.volume == nil ? nil : volume, nil)
    }
    if result < 0 { throw context.lastError("play") }
  }

  // MARK: Orders

  /// Makes the stream silent at once, keeping what is written. Does nothing where it is.
  public func cork() { setCorked(true) }

  /// Lets it sound again where it stopped. Does nothing where it does.
  public func uncork() { setCorked(false) }

  private func setCorked(_ corked: Bool) {
    guard isCorked != corked else { return }
    isCorked = corked
    tellCorked()
  }

  private func tellCorked() { unsafe forget(pa_stream_cork(raw, isCorked ? 1 : 0, nil, nil)) }

  /// Throws away what is written and not yet heard; what is written next is heard next.
  public func flush() { unsafe forget(pa_stream_flush(raw, nil, nil)) }

  /// Lets what is written sound, although it is less than the stream was to begin with: there is no more.
  public func trigger() { unsafe forget(pa_stream_trigger(raw, nil, nil)) }

  /// Takes back the last `frames` that were written, as far as they have not been heard: what is written next takes their place.
  public func takeBack(_ frames: Int) {
    let count = min(frames, written)
    guard count > 0, isReady else { return }
    // Whoever has nothing to write in their place means silence.
    overwrite(withSilence: count)
    written -= count
    offset = -count * format.bytesPerFrame
  }

  private func overwrite(withSilence frames: Int) {
    let silence = [Float](repeating: 0, count: frames * format.channels)
    let start = Int64(-frames * format.bytesPerFrame)
    unsafe silence.withUnsafeBytes { bytes in
      _ = unsafe pa_stream_write(raw, bytes.baseAddress, bytes.count, nil, start, PA_SEEK_RELATIVE)
    }
  }

  /// Writes what `fill` has, as far as the server has room. To be called when `fill` has more after it had not enough.
  public func refill() {
    guard isReady else { return }
    let room = unsafe pa_stream_writable_size(raw)
    if room != .max { write(upTo: room) }
  }

  /// Waits until all that is written has been heard. More may be written meanwhile, but then it says nothing.
  public func drain() async throws(PulseError) {
    _ = try await unsafe order("play to the end") { unsafe pa_stream_drain($0, $1, $2) }.get()
  }

  /// Asks how far the stream is.
  public func timing() async throws(PulseError) -> StreamTiming {
    _ = try await unsafe order("ask how far the sound is") { unsafe pa_stream_update_timing_info($0, $1, $2) }
      .get()
    guard let info = unsafe pa_stream_get_timing_info(raw)?.pointee else {
      throw PulseError(.badState, in: "ask how far the sound is")
    }
    return timing(info)
  }

  private func timing(_ info: pa_timing_info) -> StreamTiming {
    // Both indices are the server's at one moment, moved on by what was written since: what lies between them waits there.
    let waiting = max(0, Int(info.write_index - info.read_index)) / format.bytesPerFrame
    let ahead = min(written, waiting + framesInDevice(info, isDry: waiting == 0))
    // A dry stream does not play, but what is in the device is heard on.
    let isMoving = !isCorked && (info.playing != 0 || waiting == 0)
    return StreamTiming(taken: AgentLoop.now, heard: written - ahead, isMoving: isMoving, rate: format.rate)
  }

  /// What the device was given and has not made audible. Since the stream ran dry it was given silence.
  private func framesInDevice(_ info: pa_timing_info, isDry: Bool) -> Int {
    if isCorked { return 0 }
    let silence = isDry && info.playing == 0 ? Int(info.since_underrun) / format.bytesPerFrame : 0
    return max(0, format.frames(in: .microseconds(info.sink_usec)) - silence)
  }

  // MARK: The stream among the server's

  /// Its number in the server's world; nil until it is ready.
  public var index: SinkInput.Index? {
    guard isReady else { return nil }
    return SinkInput.Index(rawValue: unsafe pa_stream_get_index(raw))
  }

  /// The output it goes to; nil until it is ready.
  public var sink: Sink.Index? {
    guard isReady else { return nil }
    return Sink.Index(rawValue: unsafe pa_stream_get_device_index(raw))
  }

  /// Whether its output is suspended.
  public var isSuspended: Bool { unsafe isReady && pa_stream_is_suspended(raw) == 1 }

  private var isReady: Bool { unsafe pa_stream_get_state(raw) == .PA_STREAM_READY }

  /// The stream as the server lists it: its volume and mute, which others may have changed.
  public func readSinkInput() async throws(PulseError) -> SinkInput {
    guard let index, let found = try await context.readSinkInput(index.rawValue).get().first else {
      throw PulseError(.noSuchEntity, in: "ask for the stream")
    }
    return found
  }

  /// Sets the stream's own volume, a fraction of the full one, at most 1.5.
  public func setVolume(_ fraction: Double) async throws(PulseError) {
    let index = try readyIndex("set the volume")
    var volume = Volume.record(fraction, channels: format.channels)
    let reply = unsafe withUnsafePointer(to: &volume) { volume in
      unsafe context.order("set the volume") {
        unsafe pa_context_set_sink_input_volume($0, index, volume, $1, $2)
      }
    }
    _ = try await reply.get()
  }

  /// Silences the stream at the server, or ends that.
  public func setMuted(_ isMuted: Bool) async throws(PulseError) {
    let index = try readyIndex("mute the stream")
    _ = try await unsafe context.order("mute the stream") {
      unsafe pa_context_set_sink_input_mute($0, index, isMuted ? 1 : 0, $1, $2)
    }.get()
  }

  private func readyIndex(_ operation: String) throws(PulseError) -> UInt32 {
    guard let index else { throw PulseError(.badState, in: operation) }
    return index.rawValue
  }

  // MARK: What the library calls

  private func listen() {
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe pa_stream_set_state_callback(
      raw, { _, this in unsafe AgentLoop.assume(this) { unsafe PlaybackStream.from($0).stateChanged() } },
      this)
    unsafe pa_stream_set_write_callback(
      raw,
      { _, room, this in
        unsafe AgentLoop.assume((room, this)) { unsafe PlaybackStream.from($0.1).write(upTo: $0.0) }
      }, this)
    unsafe pa_stream_set_started_callback(
      raw, { _, this in unsafe AgentLoop.assume(this) { unsafe PlaybackStream.from($0).handler(.started) } },
      this)
    unsafe pa_stream_set_underflow_callback(
      raw,
      { _, this in unsafe AgentLoop.assume(this) { unsafe PlaybackStream.from($0).handler(.underflow) } },
      this)
    unsafe pa_stream_set_moved_callback(
      raw, { _, this in unsafe AgentLoop.assume(this) { unsafe PlaybackStream.from($0).moved() } }, this)
    unsafe pa_stream_set_suspended_callback(
      raw, { _, this in unsafe AgentLoop.assume(this) { unsafe PlaybackStream.from($0).suspended() } }, this)
    unsafe pa_stream_set_event_callback(
      raw,
      { _, name, _, this in
        unsafe AgentLoop.assume((name, this)) { unsafe PlaybackStream.from($0.1).requested($0.0) }
      }, this)
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> PlaybackStream {
    guard let pointer = unsafe pointer else { preconditionFailure("a callback without its stream") }
    return unsafe Unmanaged<PlaybackStream>.fromOpaque(pointer).takeUnretainedValue()
  }

  private func stateChanged() {
    switch unsafe pa_stream_get_state(raw) {
    case .PA_STREAM_READY: becomeReady()
    case .PA_STREAM_FAILED: handler(.ended(context.lastError("play")))
    case .PA_STREAM_UNCONNECTED, .PA_STREAM_CREATING, .PA_STREAM_TERMINATED: break
    }
  }

  // Until now the server would have refused an order to cork: the last one was only noted.
  private func becomeReady() {
    if isCorked != wasMadeCorked { tellCorked() }
    setStartVolume()
    handler(.ready)
  }

  /// pipewire-pulse passes over the volume that a stream is made with. Told now it comes before the first sound.
  private func setStartVolume() {
    guard let fraction = startVolume, let index else { return }
    var volume = Volume.record(fraction, channels: format.channels)
    unsafe withUnsafePointer(to: &volume) { volume in
      unsafe forget(pa_context_set_sink_input_volume(context.raw, index.rawValue, volume, nil, nil))
    }
  }

  private func moved() { if let sink { handler(.moved(to: sink)) } }

  private func suspended() { handler(.suspended(isSuspended)) }

  private func requested(_ name: UnsafePointer<CChar>?) {
    guard let name = unsafe name else { return }
    switch unsafe String(cString: name) {
    case PA_STREAM_EVENT_REQUEST_CORK: handler(.corkRequested)
    case PA_STREAM_EVENT_REQUEST_UNCORK: handler(.uncorkRequested)
    default: break
    }
  }

  private func write(upTo room: Int) {
    var left = room
    while left >= format.bytesPerFrame {
      let bytes = writeOnce(upTo: left)
      if bytes == 0 { return }
      left -= bytes
    }
  }

  /// Lets `fill` write into the server's own memory, so that nothing is copied twice. Answers how many bytes it wrote.
  private func writeOnce(upTo room: Int) -> Int {
    var memory: UnsafeMutableRawPointer?
    var size = room
    guard unsafe pa_stream_begin_write(raw, &memory, &size) == 0, let memory = unsafe memory else { return 0 }
    let capacity = min(size, room) / format.bytesPerFrame * format.channels
    let samples = unsafe UnsafeMutableBufferPointer(
      start: memory.bindMemory(to: Float.self, capacity: capacity), count: capacity)
    var span = unsafe OutputSpan(buffer: samples, initializedCount: 0)
    fill(&span)
    let count = unsafe span.finalize(for: samples)
    precondition(count.isMultiple(of: format.channels), "a torn frame")
    guard count > 0 else {
      unsafe pa_stream_cancel_write(raw)
      return 0
    }
    let bytes = count * MemoryLayout<Float>.size
    unsafe pa_stream_write(raw, memory, bytes, nil, Int64(offset), PA_SEEK_RELATIVE)
    offset = 0
    written += count / format.channels
    return bytes
  }

  // MARK: Requests

  private func order(
    _ operation: String,
    _ start: (OpaquePointer, pa_stream_success_cb_t, UnsafeMutableRawPointer) -> OpaquePointer?
  ) -> Reply<Void> {
    unsafe context.request(operation, collecting: ()) { _, reply in
      unsafe start(
        raw,
        { stream, isDone, reply in
          unsafe AgentLoop.assume((stream, isDone, reply)) { stream, isDone, reply in
            guard isDone == 0 else { return }
            let code = unsafe pa_context_errno(pa_stream_get_context(stream))
            unsafe Reply<Void>.from(reply).refusal = PulseError.Code(rawValue: code)
          }
        }, reply)
    }
  }

  /// Nobody waits for the answer: a stream that cannot obey is about to end, and says so.
  private func forget(_ request: OpaquePointer?) {
    if let request = unsafe request { unsafe pa_operation_unref(request) }
  }
}
