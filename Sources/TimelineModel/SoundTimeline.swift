// SPDX-License-Identifier: MIT

/// Tells which of the frames that a decoder delivers a listener is meant to hear, and how to seek to one of them.
///
/// There are two ways to count frames. *Raw* frames are counted from the first that the decoder delivers, which may be the encoder's padding. The
/// listener's frames are counted from the first that is to be heard.
package struct SoundTimeline: Sendable, Equatable {
  /// The container's clock: `units` ticks make `seconds` seconds.
  package struct Clock: Sendable, Equatable {
    package let units: Int
    package let seconds: Int
    /// The time of the first packet, in ticks.
    package let origin: Int

    /// A clock. Nil unless both numbers are positive, and small enough that products of them do not overflow.
    package init?(units: Int, seconds: Int, origin: Int) {
      guard (1..<1 << 31).contains(units), (1..<1 << 31).contains(seconds), abs(origin) < 1 << 52 else {
        return nil
      }
      (self.units, self.seconds, self.origin) = (units, seconds, origin)
    }
  }

  /// What a decoder needs after a seek before its frames are right.
  package enum RunUp: Sendable, Equatable {
    /// The decoder must have decoded this many frames before.
    case frames(Int)
    /// The decoder must start at the beginning of the sound.
    case fromBeginning
  }

  /// What is known of the packets' lengths, which tells where packets may begin.
  package enum Packets: Sendable, Equatable {
    /// Each has this many frames.
    case same(Int)
    /// Each has this many frames, and the container has counted this many ticks for each. Some count whole ticks only: 3,134 for a packet of AC-3 at
    /// 44,100 Hz, which has 3,134.69.
    case counted(Int, ticks: Int)
    /// They have different numbers of frames, which are multiples of this one.
    case multiples(of: Int)

    /// The number of frames that every packet has; nil if they differ.
    package var length: Int? {
      switch self {
      case .same(let frames), .counted(let frames, _): frames
      case .multiples: nil
      }
    }
  }

  package let rate: Int
  /// The first raw frame to be heard.
  package let start: Int
  /// The first raw frame that is not to be heard any more; nil if only decoding tells.
  package let end: Int?
  package let runUp: RunUp
  /// Every packet begins at a multiple of this many raw frames. Nil if that is not so, or if it is not needed because the clock is exact.
  package let grid: Int?
  private let clock: Clock
  /// The ticks that the container has counted for each packet of `grid` frames; nil if its times are right.
  private let ticks: Int?

  package init(rate: Int, start: Int, end: Int?, runUp: RunUp, packets: Packets, clock: Clock) {
    (self.rate, self.start, self.end, self.clock) = (rate, start, end, clock)
    // If the clock's ticks are longer than a frame, packet times are rounded.
    let isExact = clock.units % (rate * clock.seconds) == 0
    if case .counted(_, let counted) = packets { ticks = max(1, counted) } else { ticks = nil }
    switch packets {
    case .counted(let frames, _): (grid, self.runUp) = (max(1, frames), runUp)
    case .same(let frames) where !isExact && frames > 0: (grid, self.runUp) = (frames, runUp)
    case .multiples(of: let step) where !isExact && step > 0:
      // Where a tick has room for two places at which a packet may begin, its time does not tell which it is.
      let isTold = rate * clock.seconds < step * clock.units
      (grid, self.runUp) = isTold ? (step, runUp) : (nil, .fromBeginning)
    default: (grid, self.runUp) = (nil, runUp)
    }
  }

  /// The raw frame with which the packet begins that has this time, in ticks of the container's clock.
  package func rawFrame(at time: Int) -> Int {
    guard abs(time) < 1 << 52 else { return 0 }
    if let ticks, let grid {
      return max(0, Self.scaled((time - clock.origin + ticks / 2) / ticks, grid, 1, roundingBy: 0))
    }
    let frame = Self.scaled(
      time - clock.origin, rate * clock.seconds, clock.units, roundingBy: clock.units / 2)
    guard let grid else { return max(0, frame) }
    return max(0, (frame + grid / 2) / grid * grid)
  }

  /// The time of a raw frame in ticks of the container's clock, rounded down.
  private func time(of rawFrame: Int) -> Int {
    if let ticks, let grid {
      return clock.origin + Self.scaled(rawFrame / grid, ticks, 1, roundingBy: 0)
    }
    return clock.origin + Self.scaled(rawFrame, clock.units, rate * clock.seconds, roundingBy: 0)
  }

  /// The two ways to get to a raw frame.
  package enum Approach: Sendable, Equatable {
    /// Open the sound again and decode up to the frame. Merely seeking to the beginning would not do: some decoders are then not in the same state as
    /// a new one.
    case fromBeginning
    /// Seek to the packet at this time, or the last one before it, and decode from there.
    case from(time: Int)
  }

  /// How to get to a raw frame, which must not be negative.
  package func approach(to rawFrame: Int) -> Approach {
    guard case .frames(let runUp) = runUp, rawFrame < 1 << 52 else { return .fromBeginning }
    // The container may have rounded the packet's time up.
    let early = rawFrame - runUp - (grid ?? 0)
    // A seek to the first packet does not put every decoder into its first state, so within the run-up of the beginning the sound is opened again.
    return early <= runUp ? .fromBeginning : .from(time: time(of: early))
  }

  /// `number` × `factor` / `divisor`, up to 10^18. The numbers come from a file and may be anything.
  private static func scaled(_ number: Int, _ factor: Int, _ divisor: Int, roundingBy part: Int) -> Int {
    let (product, overflow) = number.multipliedReportingOverflow(by: factor)
    guard overflow || product.magnitude > 1 << 62 else {
      return (product + (product < 0 ? -part : part)) / divisor
    }
    let quotient = Double(number) * Double(factor) / Double(divisor)
    return Int(max(-1e18, min(quotient, 1e18)))
  }
}

extension SoundTimeline.RunUp {
  /// The run-up that a coding needs, by FFmpeg's name for it. These were measured: after this run-up the samples are the same as when decoding from
  /// the beginning.
  package init(coding: String, packet: Int?) {
    let packet = packet ?? 0
    switch coding {
    case "alac", "flac", "wavpack", "tta", "ape": self = .frames(0)
    // Four packets. Opus needs the longest run-up: after the 80 ms that its specification demands, music is still off by a tenth of full scale.
    case "aac": self = .frames(max(4_096, 4 * packet))
    case "opus": self = .frames(48_000)
    case "vorbis": self = .frames(16_384)
    case "mp3", "mp2": self = .frames(12 * 1_152)
    case "ac3", "eac3": self = .frames(8 * 1_536)
    case "wmav1", "wmav2", "wmapro", "wmalossless": self = .frames(max(16_384, 4 * packet))
    // The times of Musepack's packets are wrong, so a seek can't use them.
    case "musepack7", "musepack8": self = .fromBeginning
    case let name where Self.startsWith(name, "pcm"): self = .frames(0)
    default: self = .frames(16_384)
    }
  }

  private static func startsWith(_ name: String, _ prefix: String) -> Bool {
    name.utf8.starts(with: prefix.utf8)
  }
}
