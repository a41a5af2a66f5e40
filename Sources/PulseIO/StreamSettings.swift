// SPDX-License-Identifier: MIT
package import AudioModel
import CPulse

extension PlaybackStream {
  /// The properties with which a stream is made.
  package struct Settings: Sendable {
    package var name: String
    package var format: AudioFormat
    /// How much sound the server's buffer holds when the stream plays. A cork is instant whatever the length, so more
    /// costs nothing but memory.
    package var bufferLength: Duration = .seconds(2)
    /// How much has to be written before the stream starts to sound, at first and after a flush; `trigger` starts it
    /// with less. Until the stream plays, the server's buffer is only as long as this needs. With zero, the stream starts with
    /// the first frame, and the buffer has its full length from the beginning.
    package var startLength: Duration = .zero
    /// Whether the stream is made corked, which is silent, and waits for `uncork`.
    package var startsCorked = false
    /// The volume that the stream starts with. Nil leaves it to what the server remembers for us.
    package var volume: BalancedVolume?
    /// Whether the stream starts muted. Nil leaves it to what the server remembers for us.
    package var isMuted: Bool?
    /// The name of the output that the stream goes to; nil lets the server choose.
    package var sink: String?
    /// What the server is told about the stream: `media.role` and the like.
    package var properties: [String: String] = [:]
    /// Whether the output plays what it has been given, whatever comes after it; see `PlaybackStream.keepsWhatItHas`.
    package var keepsWhatItHas = false

    package init(name: String, format: AudioFormat) {
      self.name = name
      self.format = format
    }
  }
}

extension PlaybackStream {
  /// What happens to a stream.
  package enum Event: Sendable, Equatable {
    /// The server has made the stream, which sounds unless it is corked.
    case ready
    /// The server began to play the frames that were written: at the start, or again after a flush or an underflow.
    case started
    /// Everything written has been played; silence is heard until more is written.
    case underflow
    /// The stream now goes to another output, and has been corked because of that. Whoever handles this event finds out
    /// what happened to the old output and whether the stream may sound on the new one.
    case moved(to: Sink.Index)
    /// The output was suspended, or works again.
    case suspended(Bool)
    /// The server asks us to be silent for something more important, such as a call.
    case corkRequested
    /// The reason for `corkRequested` is over; the stream may sound again.
    case uncorkRequested
    /// The stream no longer exists: somebody ordered its end, or the server went away. No event comes after this.
    case ended(PulseError)
  }
}

/// How large the server's buffer for a stream is, and how much of it must be filled before the sound starts.
///
/// A server renders half of the buffer at once. If it finds less sound than that, it renders silence for the rest. When
/// more sound comes it has to take that silence back, and not every output can do that. So a stream starts with a small
/// ("shallow") buffer and gets a large ("deep") one when it plays.
struct StreamDepth {
  private let format: AudioFormat
  private let start: Duration
  private let full: Duration

  init(_ settings: PlaybackStream.Settings) {
    format = settings.format
    start = settings.startLength
    full = settings.bufferLength
  }

  /// Whether the stream has a small buffer until it plays. If not, it has its full buffer from the beginning.
  var hasShallow: Bool { start > .zero && shallowLength < full }

  /// The buffer that the server is asked for until the stream plays: a small one, so that the sound starts soon.
  func shallow(on server: AudioServer.Kind?) -> pa_buffer_attr {
    hasShallow ? attributes(length: shallowLength, start: start) : deep(on: server)
  }

  /// The buffer that the server is asked for once the stream plays. If the stream ever runs dry, it starts again when half of the buffer is filled,
  /// which is what PulseAudio renders at once. With a start length of zero it starts again with the first frame.
  func deep(on server: AudioServer.Kind?) -> pa_buffer_attr {
    let full = full(on: server)
    let start = start == .zero ? .zero : full / 2
    // The buffer of a stream that starts with the first frame is short, so that it sounds soon, and should be filled often.
    let isRare = server == .pipeWire && self.start > .zero
    return attributes(length: full, start: start, request: isRare ? full * Self.rareRequest : nil)
  }

  /// The most bytes that a buffer of PipeWire holds, whatever is asked for.
  private static let mostOnPipeWire = 4 << 20

  /// The length of the full buffer. Of sound with a high rate or many channels PipeWire holds less than is wanted. A request that is as large as all
  /// that it holds would come when the buffer is empty, so both are made smaller.
  private func full(on server: AudioServer.Kind?) -> Duration {
    guard server == .pipeWire else { return full }
    return min(full, format.duration(ofFrames: Self.mostOnPipeWire / format.bytesPerFrame))
  }

  /// How much of the buffer PipeWire should ask for at a time, if the buffer is long enough for that to matter. Left to itself, PipeWire asks after
  /// every cycle of its graph, which is 24 times a second. It sets the length of a cycle by what is left of the buffer beside two requests, so a tenth of
  /// the buffer is left.
  private static let rareRequest = 0.45

  /// The length of the small buffer that a stream has until it plays. The server renders half of it at once, and sets aside two requests of its usual
  /// size, 20 ms each.
  private var shallowLength: Duration { start * 2 + .milliseconds(40) }

  /// Without a `request` the server chooses how much it asks for at a time.
  private func attributes(length: Duration, start: Duration, request: Duration? = nil) -> pa_buffer_attr {
    pa_buffer_attr(
      maxlength: .max, tlength: bytes(length), prebuf: max(UInt32(format.bytesPerFrame), bytes(start)),
      minreq: request.map(bytes) ?? .max, fragsize: .max)
  }

  private func bytes(_ length: Duration) -> UInt32 {
    UInt32(format.frames(in: length) * format.bytesPerFrame)
  }
}

extension ChannelLayout {
  /// The layout as libpulse's channel map.
  var record: pa_channel_map {
    var record = pa_channel_map()
    record.channels = UInt8(count)
    unsafe withUnsafeMutableBytes(of: &record.map) { bytes in
      let map = unsafe bytes.bindMemory(to: pa_channel_position_t.self)
      for (channel, position) in positions.enumerated() {
        unsafe map[channel] = position.protocolPosition(channel: channel)
      }
    }
    return record
  }
}

extension ChannelPosition {
  fileprivate func protocolPosition(channel: Int) -> pa_channel_position_t {
    switch self {
    case .mono: PA_CHANNEL_POSITION_MONO
    case .frontLeft: PA_CHANNEL_POSITION_FRONT_LEFT
    case .frontRight: PA_CHANNEL_POSITION_FRONT_RIGHT
    case .frontCenter: PA_CHANNEL_POSITION_FRONT_CENTER
    case .lowFrequency: PA_CHANNEL_POSITION_LFE
    case .rearLeft: PA_CHANNEL_POSITION_REAR_LEFT
    case .rearRight: PA_CHANNEL_POSITION_REAR_RIGHT
    case .rearCenter: PA_CHANNEL_POSITION_REAR_CENTER
    case .frontLeftOfCenter: PA_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER
    case .frontRightOfCenter: PA_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER
    case .sideLeft: PA_CHANNEL_POSITION_SIDE_LEFT
    case .sideRight: PA_CHANNEL_POSITION_SIDE_RIGHT
    case .unplaced: pa_channel_position_t(rawValue: PA_CHANNEL_POSITION_AUX0.rawValue + Int32(channel))
    }
  }
}

/// Volumes as fractions of the server's full volume, on the scale that volume sliders show.
enum Volume {
  /// The loudest volume that is ever asked for. A file or a bus peer may name any number, and it must not hurt
  /// anybody's ears.
  static let loudest = 1.5

  /// The volume of an output's loudest channel; nil if the server names no channels.
  static func known(_ volume: pa_cvolume) -> Double? { volume.channels == 0 ? nil : fraction(volume) }

  /// The volume of the loudest channel.
  static func fraction(_ volume: pa_cvolume) -> Double {
    var volume = volume
    return Double(unsafe pa_cvolume_max(&volume)) / Double(PA_VOLUME_NORM)
  }

  /// The volume of each channel as a fraction of the loudest one's; empty if none is heard.
  static func balance(_ volume: pa_cvolume) -> [Double] {
    var volume = volume
    let loudest = Double(unsafe pa_cvolume_max(&volume))
    guard loudest > 0 else { return [] }
    return unsafe withUnsafeBytes(of: &volume.values) { bytes in
      unsafe bytes.bindMemory(to: pa_volume_t.self).prefix(Int(volume.channels)).map { Double($0) / loudest }
    }
  }

  /// libpulse's record of a volume, bounded on every channel by zero and `loudest`. What is not a number becomes silence.
  static func record(_ volume: BalancedVolume, channels: Int) -> pa_cvolume {
    var record = pa_cvolume()
    unsafe pa_cvolume_set(&record, UInt32(channels), 0)
    unsafe withUnsafeMutableBytes(of: &record.values) { bytes in
      let values = unsafe bytes.bindMemory(to: pa_volume_t.self)
      for (channel, fraction) in volume.channels(channels).enumerated() {
        unsafe values[channel] = step(fraction)
      }
    }
    return record
  }

  private static func step(_ fraction: Double) -> pa_volume_t {
    let bounded = fraction.isNaN ? 0 : min(max(fraction, 0), loudest)
    return pa_volume_t((bounded * Double(PA_VOLUME_NORM)).rounded())
  }
}

/// How far a stream had been heard at one moment, as the server told it.
package struct StreamTiming: Sendable, Equatable {
  /// The moment that `heard` and `isMoving` describe, by the loop's clock (`AgentLoop.now`).
  package let taken: Duration
  /// Frames that had left the speakers by then, counted from the stream's beginning; frames that a flush threw away count as
  /// if they had been heard.
  package let heard: Int
  /// Whether `heard` grew with time: the stream played, or had run dry while the device still played the rest of it.
  package let isMoving: Bool
  /// How many frames before this stream's end is heard another one has to begin so that it follows without a pause. It is above zero where the server
  /// can't take back what the device holds, so that a stream that begins is heard only after that.
  package let lead: Int
  /// If the stream had run dry: how many frames had been written by then. What is written later is heard only when the server plays again, and then
  /// another answer tells how far.
  private let end: Int?
  private let rate: Int

  init(taken: Duration, heard: Int, isMoving: Bool, lead: Int = 0, end: Int? = nil, rate: Int) {
    self.taken = taken
    self.heard = heard
    self.isMoving = isMoving
    self.lead = lead
    self.end = end
    self.rate = rate
  }

  /// Estimates how many frames have been heard at `now`, assuming that the stream went on playing, or standing still. A
  /// playing stream is never taken past the frames that were `written`, and one that had run dry not past those that had been.
  package func heard(at now: Duration, written: Int) -> Int {
    guard isMoving, now > taken else { return heard }
    let (seconds, attoseconds) = (now - taken).components
    let gone = Int(seconds) * rate + Int(attoseconds / 1_000_000_000) * rate / 1_000_000_000
    return max(heard, min(heard + gone, written, end ?? .max))
  }

  /// How long it takes from `now` until the device has played the rest of a stream that had run dry; zero if it has. Nil for a stream that plays or stands
  /// still.
  package func rest(at now: Duration, written: Int) -> Duration? {
    guard isMoving, let end else { return nil }
    let left = max(0, min(end, written) - heard(at: now, written: written))
    return .nanoseconds((left * 1_000_000_000 + rate - 1) / rate)
  }

  /// How many more frames this answer counts as heard than one would expect from the `former` answer; negative if there are fewer. A large number
  /// means that sound was lost: the server counts frames that an output was given and dropped as heard.
  package func ahead(of former: StreamTiming, written: Int) -> Int {
    heard - former.heard(at: taken, written: written)
  }

  /// The same timing, but with `isMoving` true: the stream is taken to play on from the frame `heard`.
  package var moving: StreamTiming {
    StreamTiming(taken: taken, heard: heard, isMoving: true, lead: lead, end: end, rate: rate)
  }

  /// The timing of this stream if it is stopped at `now`: it stands at the frame that was heard by then.
  package func stopped(at now: Duration, written: Int) -> StreamTiming {
    StreamTiming(taken: now, heard: heard(at: now, written: written), isMoving: false, rate: rate)
  }
}
