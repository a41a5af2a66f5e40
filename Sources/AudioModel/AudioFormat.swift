// SPDX-License-Identifier: MIT

/// The sample rate and the channels of a sound. Samples are always 32-bit floats in native byte order, interleaved.
package struct AudioFormat: Sendable, Hashable {
  package let rate: Int
  /// The channels of a frame, in order.
  package let layout: ChannelLayout

  /// The sample rates that this program plays, in Hz. A decoder refuses a file with any other rate.
  package static let rates = 1_000...384_000
  package static let channelCounts = 1...8

  package var channels: Int { layout.count }
  package var bytesPerFrame: Int { channels * MemoryLayout<Float>.size }

  /// A format with this rate and layout. Traps outside `rates` and `channelCounts`, so code that reads a file has to check these first.
  package init(rate: Int, layout: ChannelLayout) {
    precondition(Self.rates.contains(rate), "a sample rate of \(rate) Hz")
    precondition(Self.channelCounts.contains(layout.count), "\(layout.count) channels")
    self.rate = rate
    self.layout = layout
  }

  /// A format with this number of channels in their usual order. Traps outside `rates` and `channelCounts`.
  package init(rate: Int, channels: Int) {
    self.init(rate: rate, layout: .usual(channels: channels))
  }

  /// The number of frames that are played in this time, rounded down.
  package func frames(in time: Duration) -> Int {
    let (seconds, attoseconds) = time.components
    return Int(seconds) * rate + Int(attoseconds / 1_000_000_000) * rate / 1_000_000_000
  }

  /// How long it takes to play this number of frames, rounded down to the nanosecond.
  package func duration(ofFrames frames: Int) -> Duration {
    let (whole, rest) = frames.quotientAndRemainder(dividingBy: rate)
    return .seconds(whole) + .nanoseconds(rest * 1_000_000_000 / rate)
  }
}

/// The channels of a sound in the order in which their samples are interleaved.
package struct ChannelLayout: Sendable, Hashable {
  /// The position of each channel; never empty.
  package let positions: [ChannelPosition]

  /// How many channels there are, 1 or more.
  package var count: Int { positions.count }

  /// A layout with the given positions. Traps when there are none, because every sound has a channel.
  package init(_ positions: [ChannelPosition]) {
    precondition(!positions.isEmpty, "a channel layout needs a channel")
    self.positions = positions
  }

  package static let mono = ChannelLayout([.mono])
  /// Two channels: left, then right.
  package static let stereo = ChannelLayout([.frontLeft, .frontRight])

  /// The layout of a file that states only a number of channels: the order of WAV and FLAC. Beyond eight channels there
  /// is no such order, and they are `unplaced`.
  package static func usual(channels: Int) -> ChannelLayout {
    switch channels {
    case 1: mono
    case 2: stereo
    case 3: ChannelLayout([.frontLeft, .frontRight, .frontCenter])
    case 4: ChannelLayout([.frontLeft, .frontRight, .rearLeft, .rearRight])
    case 5: ChannelLayout([.frontLeft, .frontRight, .frontCenter, .rearLeft, .rearRight])
    case 6: ChannelLayout([.frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight])
    case 7:
      ChannelLayout([
        .frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearCenter, .sideLeft, .sideRight,
      ])
    case 8:
      ChannelLayout([
        .frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight, .sideLeft, .sideRight,
      ])
    default: ChannelLayout(Array(repeating: .unplaced, count: channels))
    }
  }

  /// The layout that a mask states, with one bit for each channel in the order of WAV's header. If the bits do not fit the number of channels, it is
  /// the usual layout.
  package init(mask: UInt64, channels: Int) {
    let places: [ChannelPosition] = [
      .frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight, .frontLeftOfCenter,
      .frontRightOfCenter, .rearCenter, .sideLeft, .sideRight,
    ]
    let found = places.indices.filter { mask & 1 << UInt64($0) != 0 }.map { places[$0] }
    if channels == 1 {
      self = .mono
    } else if found.count == channels, mask >> UInt64(places.count) == 0 {
      self = ChannelLayout(found)
    } else {
      self = .usual(channels: channels)
    }
  }
}

/// The place in the room where a channel belongs.
package enum ChannelPosition: UInt8, Sendable, Hashable, CaseIterable {
  case mono
  case frontLeft, frontRight, frontCenter
  case lowFrequency
  case rearLeft, rearRight, rearCenter
  case frontLeftOfCenter, frontRightOfCenter
  case sideLeft, sideRight
  /// A channel whose place is not known, only its number in the layout.
  case unplaced
}

/// The number of one playing of a sound, which no other playing has: a repetition of the same track gets a new one. The player gives it, and the
/// parts that decode and play the sound name the playing by it in their reports.
package struct PlayID: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package init(integerLiteral value: UInt64) { self.init(rawValue: value) }

  package var description: String { "\(rawValue)" }
}

/// Keeps samples within bounds, for decoders that could be made to return any. Numbers beyond all measure are heard at full scale however low the
/// volume is.
package enum SampleBounds {
  /// The largest sample that is played, 36 dB above full scale. Lossy codecs overshoot by a few dB.
  package static let largest: Float = 64

  /// A sample of at most this height; silence if it is not a number, or infinite.
  package static func bounded(_ sample: Float, by limit: Float = largest) -> Float {
    sample.isFinite ? min(max(sample, -limit), limit) : 0
  }

  /// Brings the first `count` samples within the bounds.
  package static func bound(_ samples: inout MutableSpan<Float>, count: Int) {
    guard areBeyond(samples, count: count) else { return }
    for index in 0..<count { samples[index] = bounded(samples[index]) }
  }

  /// Whether any sample must be changed: it is beyond the bounds, infinite, or not a number. In most sounds none is.
  ///
  /// Without its sign bit, a float with a larger value has larger bits, read as an integer; infinity and "not a number" have the largest. So integers are
  /// compared. The loop has no branch for each sample, so that the compiler can have the processor compare eight of them at once.
  private static func areBeyond(_ samples: borrowing MutableSpan<Float>, count: Int) -> Bool {
    precondition(count <= samples.count, "more samples than there are")
    let limit = largest.bitPattern
    var differences: UInt32 = 0
    for index in 0..<count { differences |= limit &- (samples[index].bitPattern & 0x7FFF_FFFF) }
    // A difference is below zero where a sample is beyond.
    return differences >> 31 != 0
  }
}

/// The coding of a file's sound, such as FLAC with 44,100 frames a second and 16 bits, to be shown to people. The decoder tells it; facts that a
/// decoder does not know for certain are nil.
package struct SoundCoding: Sendable, Hashable {
  /// The name of the coding: "FLAC", "MP3".
  package let codec: String
  /// Decoded frames per second.
  package let rate: Int
  package let channels: Int
  /// How many bits a sample has; nil for lossy codings such as MP3, whose samples have no fixed size.
  package let bits: Int?
  /// The average number of bits per second, in whole thousands; nil if it follows from the other values, or cannot be known without reading the whole
  /// file.
  package let bitRate: Int?

  package init(_ codec: String, rate: Int, channels: Int, bits: Int? = nil, bitRate: Int? = nil) {
    (self.codec, self.rate, self.channels, self.bits, self.bitRate) = (codec, rate, channels, bits, bitRate)
  }

  /// The coding of a sound that is decoded to this format. `bitRate` is rounded, because the container's own bytes are included in it.
  package init(_ codec: String, _ format: AudioFormat, bits: Int? = nil, bitRate: Double? = nil) {
    let thousands = bitRate.flatMap { $0.isFinite && $0 < 1e9 ? Int(($0 / 1_000).rounded()) : nil } ?? 0
    self.init(
      codec, rate: format.rate, channels: format.channels, bits: bits,
      bitRate: thousands > 0 ? thousands * 1_000 : nil)
  }

  /// The coding in one line: "FLAC · 44.1 kHz · stereo · 16 bit".
  package var text: String {
    let parts = [
      codec, Self.kilohertz(rate), Self.channels(channels), bits.map { "\($0) bit" },
      bitRate.map { "\(($0 + 500) / 1_000) kb/s" },
    ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }

  private static func kilohertz(_ rate: Int) -> String {
    let rest = rate % 1_000
    if rest == 0 { return "\(rate / 1_000) kHz" }
    // Three digits with leading zeros, but without zeros at the end.
    var digits = String(String(1_000 + rest).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return "\(rate / 1_000).\(digits) kHz"
  }

  private static func channels(_ count: Int) -> String {
    switch count {
    case 1: "mono"
    case 2: "stereo"
    default: "\(count) channels"
    }
  }
}
