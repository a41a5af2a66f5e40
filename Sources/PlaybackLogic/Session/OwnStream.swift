// SPDX-License-Identifier: MIT

// Two small parts of the session. `OwnMute` tells who muted our stream. `StreamRetry` tells when a server that refused to make
// the stream is asked again.

/// Tells whether a mute of our stream is the server's or the user's. PulseAudio mutes our stream for a call, and may forget to unmute it.
///
/// What the user chose through us holds for later streams as well, until somebody does something else in a mixer.
struct OwnMute: Sendable {
  /// Whether the stream is muted, as far as is known.
  private(set) var isMuted = false
  /// Whether the server muted the stream for a call. Then we have to unmute it.
  private(set) var isByServer = false
  /// What the user chose through us; nil while that is left to the server and its mixers.
  private(set) var choice: Bool?
  /// We have ordered our stream to be unmuted, and no reading has shown it unmuted yet.
  private var isUnmuting = false
  /// We have ordered our stream to be muted, and no reading has shown it muted yet.
  private var isMuting = false
  /// Our stream was made during a call, so the server may have muted it for that call.
  private var wasMadeInCall = false
  /// Our stream was made during a call and has not been read yet, so a mute of it may be the server's or the user's.
  private var isUnclear = false

  /// Our stream was muted when it was first read, by a server that mutes streams for calls, and nobody has touched that mute since.
  private var isMutedFromStart = false

  /// Whether the user has muted our stream, as far as that is known.
  var isByUser: Bool { choice == true || isMuted && !isByServer && !isUnclear }

  /// The user chooses through us whether our streams are muted.
  mutating func choose(_ isMuted: Bool) {
    choice = isMuted
    isMutedFromStart = false
    isMuting = isMuted
    isUnmuting = !isMuted
    // While the server mutes it for a call, it stays the server's to unmute.
    if !isMuted { self.isMuted = false }
  }

  /// Call when the server asks for silence. It mutes our stream at the same time. If the stream was muted already, that mute is
  /// the user's.
  mutating func corked() { if !isMuted { isByServer = true } }

  /// The server has made our stream.
  mutating func streamMade(inCall: Bool) {
    wasMadeInCall = inCall
    isUnclear = inCall
    isMutedFromStart = false
    // A reading of the stream may be older than what we make it with.
    isUnmuting = choice == false
    isMuting = choice == true
  }

  /// The new stream was read. Returns whether the server has muted it: a stream that is made during a call is muted from the start, and
  /// no event says so. `serverCorks` is true for a server that mutes streams for calls.
  mutating func read(_ isMuted: Bool, serverCorks: Bool, inCall: Bool) -> Bool {
    isUnclear = false
    self.isMuted = isMuted
    (isMuting, isUnmuting) = (false, false)
    isMutedFromStart = isMuted && serverCorks
    guard isMutedFromStart, inCall || wasMadeInCall else { return false }
    isByServer = true
    return true
  }

  /// It turns out that our stream was made during a call of which nobody knew then.
  mutating func foundMadeInCall() { if isMutedFromStart { isByServer = true } }

  /// The server reports the stream as muted, or not. What was read before the server obeyed our own order is ignored, because it is not
  /// the user's. Returns whether somebody has changed in a mixer what was chosen through us, so that it no longer holds.
  mutating func reported(_ isMuted: Bool) -> Bool {
    if isMuted ? isUnmuting : isMuting { return false }
    (isMuting, isUnmuting) = (false, false)
    self.isMuted = isMuted
    if !isMuted { isMutedFromStart = false }
    guard let choice, choice != isMuted, !isByServer else { return false }
    self.choice = nil
    return true
  }

  /// We order the stream to be unmuted.
  mutating func unmute() {
    isByServer = false
    isMuted = false
    isMutedFromStart = false
    isUnmuting = true
    isMuting = false
  }

  /// The server's mute is over, and the user's begins or goes on.
  mutating func muteAgain() {
    isByServer = false
    choose(true)
  }

  /// The server is gone, and its mute with it.
  mutating func serverLost() {
    isByServer = false
    isUnclear = false
    isMuted = false
    isMutedFromStart = false
  }
}

/// When a server that refused to make our stream is asked again. The wait doubles with each refusal, up to a limit.
struct StreamRetry: Sendable {
  private enum State {
    case none
    /// The stream is asked for again at this time.
    case waiting(until: Duration)
    /// The stream has been asked for again. If the server has not answered by this time, that counts as a refusal.
    case trying(until: Duration)
  }

  /// What has to be done when a wait is over.
  enum Step: Equatable {
    /// Ask for the stream again, and come back after this time.
    case `try`(comeBackAfter: Duration)
    /// The server has not answered in time. That counts as a refusal.
    case giveUp
  }

  private static let first = Duration.milliseconds(250)
  private static let longest = Duration.seconds(5)

  private var state = State.none
  private var wait: Duration?

  /// Whether the stream has been asked for again, and the server has not answered yet.
  var isTrying: Bool { if case .trying = state { true } else { false } }

  /// Call when the server has refused the stream. Returns how long to wait before it is asked again.
  mutating func refused(at now: Duration) -> Duration {
    let next = wait.map { min($0 * 2, Self.longest) } ?? Self.first
    wait = next
    state = .waiting(until: now + next)
    return next
  }

  /// Call when a timer ran out. Returns nil if it is too early for a step, because the timer may have been set for another
  /// reason. `patience` is how long the server may take to make the stream.
  mutating func timeOut(at now: Duration, patience: Duration) -> Step? {
    switch state {
    case .waiting(let time) where now >= time:
      state = .trying(until: now + patience)
      return .try(comeBackAfter: patience)
    case .trying(let time) where now >= time: return .giveUp
    case .none, .waiting, .trying: return nil
    }
  }
}
