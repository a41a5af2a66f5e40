// SPDX-License-Identifier: MIT
package import AgentLoop
package import AudioModel
import CPulse

/// One playback stream on a sound server. It is not reused: when the server comes back, a new one is made.
///
/// Owns libpulse's stream; releasing this object ends the stream at the server. Used on the loop only. It calls `fill` for sound whenever the server
/// has room, and reports events through `handler`, both on the loop. Cork, uncork and flush are sent before the call returns, and the server obeys
/// them in order.
@AgentLoop @safe
package final class PlaybackStream {
  package let format: AudioFormat
  /// Whether the last order was to cork the stream, which silences it; the server may not have obeyed yet.
  package private(set) var isCorked: Bool
  /// How many frames were written since the beginning, without those that were taken back.
  package private(set) var written = 0

  /// Where the next write goes, in bytes from the end of the last one. Below zero after `takeBack`, and when silence was added behind the
  /// sound: the next sound then takes its place.
  private var offset = 0
  /// How many frames had been written when silence was added behind them last.
  private var silenceFollows: Int?
  private let depth: StreamDepth
  /// Whether the stream has been given its full buffer; see `StreamDepth`.
  private var isDeep: Bool
  /// How many bytes may be written although the server has not asked for them yet: a whole buffer after a flush, less what was
  /// written since.
  private var unasked = 0
  /// How many flushes the server has not carried out yet, and whether the output was suspended before the first of them.
  private var (flushes, wasSuspended) = (0, false)
  // Keeps the connection alive as long as its stream.
  private let context: PulseContext
  private let raw: OpaquePointer
  private let wasMadeCorked: Bool
  // What was wanted while the stream was being made, and is ordered as soon as it is; nil if nothing was.
  private var nextName: String?
  private var nextVolume: BalancedVolume?
  private var nextMute: Bool?
  /// Whether the output plays what it has been given, whatever comes after it, so that the next stream waits for that to be heard.
  package var keepsWhatItHas: Bool
  private let fill: @AgentLoop (inout OutputSpan<Float>) -> Void
  private let handler: @AgentLoop (Event) -> Void

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
    // PulseAudio makes the stream with its volume; pipewire-pulse ignores that.
    nextVolume = context.serverKind == .pipeWire ? settings.volume : nil
    keepsWhatItHas = settings.keepsWhatItHas
    nextMute = settings.isMuted == true ? true : nil
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
    var buffer = depth.shallow(on: context.serverKind)
    var flags: pa_stream_flags_t = [.PA_STREAM_ADJUST_LATENCY]
    if settings.startsCorked { flags.insert(.PA_STREAM_START_CORKED) }
    if let isMuted = settings.isMuted {
      flags.insert(isMuted ? .PA_STREAM_START_MUTED : .PA_STREAM_START_UNMUTED)
    }
    // Where the server has flat volumes, an absolute one would turn the output up to it.
    if context.serverKind != .pipeWire { flags.insert(.PA_STREAM_RELATIVE_VOLUME) }
    var volume = Volume.record(settings.volume ?? BalancedVolume(1), channels: format.channels)
    let result = unsafe withUnsafePointer(to: &volume) { volume in
      unsafe pa_stream_connect_playback(
        raw, settings.sink, &buffer, flags, settings.volume == nil ? nil : volume, nil)
    }
    if result < 0 { throw context.lastError("play") }
  }

  // MARK: Orders

  /// Silences the stream at once and keeps what is written. Does nothing if it is corked already.
  package func cork() { setCorked(true) }

  /// Lets the stream go on from where it stopped. Does nothing if it is not corked.
  package func uncork() { setCorked(false) }

  /// Corks (silences) the stream from within a callback of libpulse. Events are held back until the server has obeyed, as their handlers would delay
  /// it.
  func corkFirst() {
    guard !isCorked else { return }
    isCorked = true
    unsafe context.holdBack(until: order("cork") { unsafe pa_stream_cork($0, 1, $1, $2) })
  }

  private func setCorked(_ corked: Bool) {
    guard isCorked != corked else { return }
    isCorked = corked
    tell(corked: corked)
  }

  private func tell(corked: Bool) { unsafe forget(pa_stream_cork(raw, corked ? 1 : 0, nil, nil)) }

  /// Drops everything that is written and not yet heard. The next frames that are written are heard next.
  package func flush() {
    // PulseAudio would still play everything that the device has been given already, up to two seconds. It takes that back only for a corked stream,
    // so the stream is corked during the flush.
    let takesBack = !isCorked && context.serverKind != .pipeWire
    if takesBack { tell(corked: true) }
    makeShallow()
    unsafe forget(pa_stream_flush(raw, nil, nil))
    offset = 0
    if takesBack { goOnAfterFlush() }
    // After a flush the server asks for a whole buffer: `refill` need not wait for that request.
    if isReady { unasked = Int(wantedBuffer.tlength) }
  }

  private func goOnAfterFlush() {
    // If this is the only stream on its card, the server may now reopen the card at another rate, and so suspend the output briefly. That suspension
    // is not reported if it is over when the server has obeyed.
    if flushes == 0 { wasSuspended = isSuspended }
    flushes += 1
    let order = unsafe order("play") { unsafe pa_stream_cork($0, 0, $1, $2) }
    if !order.onEnd({ [weak self] in self?.flushEnded() }) { flushEnded() }
  }

  private func flushEnded() {
    flushes -= 1
    if flushes == 0, isSuspended != wasSuspended { suspended() }
  }

  /// Starts to play what is written, although it is less than the stream's start length. Call it when there is no more to write.
  package func trigger() {
    if context.serverKind == .pipeWire { addSilence() }
    unsafe forget(pa_stream_trigger(raw, nil, nil))
  }

  /// PipeWire plays whole cycles only: of a stream that runs dry, it leaves out what does not fill one. With its preset limits, no cycle is longer
  /// than this.
  private static let longestCycle = Duration.milliseconds(200)

  /// Adds silence behind the sound, once, so that the sound is heard to its end.
  private func addSilence() {
    guard isReady, offset == 0, silenceFollows != written else { return }
    silenceFollows = written
    let frames = format.frames(in: Self.longestCycle)
    writeSilence(frames, at: 0)
    offset = -frames * format.bytesPerFrame
  }

  /// Takes back the last `frames` that were written, if they have not been heard. The next write takes their place.
  package func takeBack(_ frames: Int) {
    let count = min(frames, written)
    guard count > 0, isReady else { return }
    // They become silence first, in case nothing is written in their place.
    let start = -count * format.bytesPerFrame
    writeSilence(count, at: offset + start)
    written -= count
    offset = start
    // The server asks for more sound only when its buffer has room. It never asks for what is written in place of other sound.
    unasked = max(unasked, -start)
  }

  /// Writes silence at a place that is given, as `offset` is, in bytes from the end of what was written.
  private func writeSilence(_ frames: Int, at start: Int) {
    let silence = [Float](repeating: 0, count: frames * format.channels)
    unsafe silence.withUnsafeBytes { bytes in
      _ = unsafe pa_stream_write(raw, bytes.baseAddress, bytes.count, nil, Int64(start), PA_SEEK_RELATIVE)
    }
  }

  /// Writes what `fill` has, as far as the server has room. Call it when `fill` has sound again after it came up short.
  package func refill() {
    write(upTo: room)
  }

  /// Whether the server waits for sound: it has asked for some that has not been written yet.
  package var isAsking: Bool { room >= format.bytesPerFrame }

  /// How many bytes may be written now.
  private var room: Int {
    guard isReady else { return 0 }
    let asked = unsafe pa_stream_writable_size(raw)
    return asked == .max ? 0 : max(asked, unasked)
  }

  /// Waits until everything written has been heard. If more is written meanwhile, the return does not mean that all of that was heard.
  package func drain() async throws(PulseError) {
    _ = try await unsafe order("play to the end") { unsafe pa_stream_drain($0, $1, $2) }.get()
  }

  // MARK: Writing

  private func write(upTo room: Int) {
    var left = room
    while left >= format.bytesPerFrame {
      let isReplacing = offset < 0
      let bytes = writeOnce(upTo: left)
      if bytes == 0 { return }
      left -= bytes
      // What was taken back is counted as asked for by the first write in its place. A request of the server may have come before that.
      if isReplacing { left = max(left, self.room) }
    }
  }

  /// Lets `fill` write into memory that libpulse provides for the server, so that nothing is copied twice. Returns how
  /// many bytes were written.
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
    unasked = max(0, unasked - bytes)
    written += count / format.channels
    return bytes
  }

  // MARK: Timing

  /// Asks the server how far the stream has been heard.
  package func timing() async throws(PulseError) -> StreamTiming {
    _ = try await unsafe order("ask how far the sound is") { unsafe pa_stream_update_timing_info($0, $1, $2) }
      .get()
    guard let info = unsafe pa_stream_get_timing_info(raw)?.pointee else {
      throw PulseError(.badState, in: "ask how far the sound is")
    }
    return timing(info)
  }

  private func timing(_ info: pa_timing_info) -> StreamTiming {
    // Both indices describe the same moment at the server, and libpulse has added the bytes written since. The bytes between the two wait in the
    // server's buffer.
    let waiting = max(0, Int(info.write_index - info.read_index)) / format.bytesPerFrame
    let silence = -offset / format.bytesPerFrame
    let device = framesInDevice(info, isDry: waiting == 0)
    let ahead = min(written, max(0, waiting + device - silence))
    // A stream that ran dry does not play, but what the device already has is still heard. An answer that the server gave just before it
    // suspended the output may be looked at after that.
    let isMoving = !isCorked && !isSuspended && (info.playing != 0 || waiting == 0)
    // PulseAudio takes back what a device holds, to mix another stream into it, if the device can do that. PipeWire does not.
    let lead = context.serverKind == .pipeWire || keepsWhatItHas ? device : 0
    let hasRunDry = info.playing == 0 && waiting == 0
    return StreamTiming(
      taken: AgentLoop.now, heard: written - ahead, isMoving: isMoving, lead: lead,
      end: hasRunDry ? written : nil, rate: format.rate)
  }

  /// How many frames of the stream are in the device and not yet heard. If the stream has run dry, the device has been given silence since, which is
  /// subtracted.
  private func framesInDevice(_ info: pa_timing_info, isDry: Bool) -> Int {
    if isCorked { return 0 }
    let silence = isDry && info.playing == 0 ? Int(info.since_underrun) / format.bytesPerFrame : 0
    return max(0, format.frames(in: .microseconds(info.sink_usec)) - silence)
  }

  // MARK: Depth: a shallow stream starts soon; a deep one asks for sound only every few seconds, so that the program can sleep

  /// Gives the stream its full buffer; called when it plays.
  private func deepen() {
    guard !isDeep else { return }
    isDeep = true
    setBuffer()
  }

  /// Gives the stream a short buffer again, so that the next frames that are written are heard soon.
  private func makeShallow() {
    guard isDeep, depth.hasShallow, isReady else { return }
    isDeep = false
    setBuffer()
  }

  private var wantedBuffer: pa_buffer_attr {
    isDeep ? depth.deep(on: context.serverKind) : depth.shallow(on: context.serverKind)
  }

  private func setBuffer() {
    unsafe withUnsafePointer(to: wantedBuffer) { attributes in
      unsafe forget(pa_stream_set_buffer_attr(raw, attributes, nil, nil))
    }
  }

  // MARK: The stream as the server lists it and mixers see it

  /// The stream's number at the server; nil until the stream is ready.
  package var index: SinkInput.Index? {
    guard isReady else { return nil }
    return SinkInput.Index(rawValue: unsafe pa_stream_get_index(raw))
  }

  /// The output that the stream goes to; nil until the stream is ready.
  package var sink: Sink.Index? {
    guard isReady else { return nil }
    return Sink.Index(rawValue: unsafe pa_stream_get_device_index(raw))
  }

  package var isSuspended: Bool { unsafe isReady && pa_stream_is_suspended(raw) == 1 }

  private var isReady: Bool { unsafe pa_stream_get_state(raw) == .PA_STREAM_READY }

  /// The stream as the server lists it: its volume and mute, which others may have changed.
  package func readSinkInput() async throws(PulseError) -> SinkInput {
    guard let index, let found = try await context.readSinkInput(index.rawValue).get().first else {
      throw PulseError(.noSuchEntity, in: "ask for the stream")
    }
    return found
  }

  /// Sets the volume that was wanted while the stream was made, and on PipeWire the one that it was made with, which pipewire-pulse ignores. It takes
  /// effect before the first sound.
  private func setStartVolume() {
    guard let nextVolume, let index else { return }
    var volume = Volume.record(nextVolume, channels: format.channels)
    unsafe withUnsafePointer(to: &volume) { volume in
      unsafe forget(pa_context_set_sink_input_volume(context.raw, index.rawValue, volume, nil, nil))
    }
  }

  /// Sets the stream's own volume, at most 1.5 on any channel; of a stream that is being made, as soon as it is. Throws if the server refuses.
  package func setVolume(_ wanted: BalancedVolume) async throws(PulseError) {
    guard let index = index?.rawValue else { return nextVolume = wanted }
    var volume = Volume.record(wanted, channels: format.channels)
    let reply = unsafe withUnsafePointer(to: &volume) { volume in
      unsafe context.order("set the volume") {
        unsafe pa_context_set_sink_input_volume($0, index, volume, $1, $2)
      }
    }
    _ = try await reply.get()
  }

  /// Mutes or unmutes the stream at the server; one that is being made, as soon as it is. Throws if the server refuses.
  package func setMuted(_ isMuted: Bool) async throws(PulseError) {
    guard let index = index?.rawValue else { return nextMute = isMuted }
    _ = try await unsafe context.order("mute the stream") {
      unsafe pa_context_set_sink_input_mute($0, index, isMuted ? 1 : 0, $1, $2)
    }.get()
  }

  /// Gives the stream another name, which mixers show. The sound goes on undisturbed.
  package func setName(_ name: String) {
    guard index != nil else { return nextName = name }
    unsafe forget(pa_stream_set_name(raw, name, nil, nil))
  }

  /// Moves the stream to another output. Throws if the stream is not ready or the server refuses.
  package func move(toSink name: String) async throws(PulseError) {
    let index = try readyIndex("move the stream")
    _ = try await unsafe context.order("move the stream") {
      unsafe pa_context_move_sink_input_by_name($0, index, name, $1, $2)
    }.get()
  }

  private func readyIndex(_ operation: String) throws(PulseError) -> UInt32 {
    guard let index else { throw PulseError(.badState, in: operation) }
    return index.rawValue
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

  /// Releases a request that was sent, because nobody waits for its answer. A stream that cannot obey is about to end,
  /// and reports that itself.
  private func forget(_ request: OpaquePointer?) {
    if let request = unsafe request { unsafe pa_operation_unref(request) }
  }

  // MARK: The callbacks that libpulse calls

  private func listen() {
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe pa_stream_set_state_callback(
      raw, { _, this in unsafe AgentLoop.assume(this) { unsafe PlaybackStream.from($0).stateChanged() } },
      this)
    unsafe pa_stream_set_write_callback(
      raw,
      { _, room, this in
        unsafe AgentLoop.assume((room, this)) { unsafe PlaybackStream.from($0.1).asked(for: $0.0) }
      }, this)
    unsafe pa_stream_set_started_callback(
      raw, { _, this in unsafe AgentLoop.assume(this) { unsafe PlaybackStream.from($0).started() } },
      this)
    unsafe pa_stream_set_underflow_callback(
      raw,
      { _, this in unsafe AgentLoop.assume(this) { unsafe PlaybackStream.from($0).ranDry() } },
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
    case .PA_STREAM_FAILED: tell(.ended(context.lastError("play")))
    case .PA_STREAM_UNCONNECTED, .PA_STREAM_CREATING, .PA_STREAM_TERMINATED: break
    }
  }

  // libpulse ignores what is ordered while the stream is being made. So the last order of each kind was only noted, and is sent now.
  private func becomeReady() {
    if isCorked != wasMadeCorked { tell(corked: isCorked) }
    if let nextName { setName(nextName) }
    setStartVolume()
    if let nextMute, let index {
      unsafe forget(pa_context_set_sink_input_mute(context.raw, index.rawValue, nextMute ? 1 : 0, nil, nil))
    }
    tell(.ready)
  }

  private func asked(for room: Int) {
    unasked = 0
    write(upTo: room)
  }

  private func started() {
    deepen()
    tell(.started)
  }

  /// Handles a move to another output. That may be the wrong one, such as a speaker in place of headphones. Finding that out takes longer than
  /// becoming silent, so the stream is corked first.
  private func moved() {
    corkFirst()
    if let sink { tell(.moved(to: sink)) }
  }

  private func suspended() { if flushes == 0 { tell(.suspended(isSuspended)) } }

  private func ranDry() {
    // What PipeWire has taken is heard, and the next sound follows it. PulseAudio runs dry as much as two seconds before that, and may still replace
    // what it took.
    if context.serverKind == .pipeWire { offset = 0 }
    tell(.underflow)
  }

  private func requested(_ name: UnsafePointer<CChar>?) {
    guard let name = unsafe name else { return }
    switch unsafe String(cString: name) {
    case PA_STREAM_EVENT_REQUEST_CORK: tell(.corkRequested)
    case PA_STREAM_EVENT_REQUEST_UNCORK: tell(.uncorkRequested)
    default: break
    }
  }

  private func tell(_ event: Event) { context.tell { [weak self] in self?.handler(event) } }
}
