// SPDX-License-Identifier: MIT

// Two small parts of the session. `OwnMute` tells who muted our stream. `StreamRetry` tells when a server that refused to make
// the stream is asked again.

/// Tells whether a mute of our stream is the server's or the user's. PulseAudio mutes our stream for a call, and may forget to unmute it.
///
/// A mute that the user chose through us applies to later streams as well, until somebody changes it in a mixer.
struct OwnMute: Sendable {
  /// Whose mute it is, where our stream is muted.
  private enum Owner {
    case user
    /// The server's, for a call. Then we have to unmute the stream when the call is over.
    case server
    /// Not known: the stream was muted when it was first read, on a server that mutes streams for calls, and nobody has touched that mute since.
    case unknown
  }

  /// What is known of our present stream.
  private enum Stream {
    /// No stream of ours has been read since the server was found.
    case none
    /// It was made and has not been read yet. If it was made during a call, a mute of it may be the server's or the user's. `former` is whether the user
    /// had muted the stream before this one; nil if there was none.
    case unread(madeInCall: Bool, former: Bool?)
    case read
  }

  /// Whose mute the first reading of our stream showed.
  enum FirstLook {
    /// The user's, or there is none.
    case usual
    /// The server's: a stream that is made during a call is muted from the start, and no event says so.
    case byServer
    /// Nobody's: the server gave our stream the mute that it remembers from another player. Servers that mute for calls are left alone.
    case foreign
  }

  /// Whether our stream is muted, as far as is known.
  private(set) var isMuted = false
  /// The user's choice through us: muted or not. Nil while that is left to the server and its mixers.
  private(set) var choice: Bool?
  private var owner = Owner.user
  private var stream = Stream.none
  /// The mute, or its end, that we have ordered and that no reading of the server has shown yet; nil if there is none.
  private var ordered: Bool?

  /// Whether the server muted our stream for a call, or is about to.
  var isByServer: Bool { owner == .server }

  /// Whether the user has muted our stream, as far as that is known.
  var isByUser: Bool { choice == true || isMuted && !isByServer && !mayBeServers }

  /// Whether our stream was made during a call and has not been read yet, so that a mute of it may be the server's or the user's.
  private var mayBeServers: Bool { if case .unread(madeInCall: true, _) = stream { true } else { false } }

  /// The user chose through us, and not in a mixer, whether our streams are muted.
  mutating func choose(_ isMuted: Bool) {
    (choice, ordered) = (isMuted, isMuted)
    knowOwner()
    // A mute by the server for a call stays: only the session may end it.
    if !isMuted { self.isMuted = false }
  }

  /// Call when the server asks for silence. It mutes our stream at the same time. If the stream was muted already, that mute is
  /// the user's.
  mutating func corked() { if !isMuted { owner = .server } }

  /// Call when the server has made our stream. `inCall` is true if a call is going on, for which the server may mute the stream.
  mutating func streamMade(inCall: Bool) {
    let hadNone =
      switch stream {
      case .none, .unread(_, former: nil): true
      case .unread, .read: false
      }
    stream = .unread(madeInCall: inCall, former: hadNone ? nil : isByUser)
    knowOwner()
    // The stream is made with the user's choice, but its first reading may be from before the server obeyed that.
    ordered = choice
  }

  /// Call when the new stream was read. `serverCorks` is true for a server that mutes streams for calls.
  mutating func read(_ isMuted: Bool, serverCorks: Bool, inCall: Bool) -> FirstLook {
    defer { (stream, ordered) = (.read, nil) }
    self.isMuted = isMuted
    knowOwner()
    guard isMuted else { return .usual }
    let (madeInCall, former): (Bool, Bool?) =
      if case .unread(let inCall, let former) = stream { (inCall, former) } else { (false, nil) }
    guard serverCorks else { return choice == nil && former == false ? .foreign : .usual }
    if inCall || madeInCall {
      owner = .server
      return .byServer
    }
    if owner == .user { owner = .unknown }
    return .usual
  }

  /// Call when our stream turns out to have been made during a call that was not known then.
  mutating func foundMadeInCall() { if owner == .unknown { owner = .server } }

  /// Call when the server reports the stream as muted, or not. A report from before the server obeyed our own order is ignored, because it does not
  /// show the user's wish. Returns whether somebody used a mixer to mute or unmute the stream; a mute that was chosen through us ends with that.
  mutating func reported(_ isMuted: Bool) -> Bool {
    if let ordered, ordered != isMuted { return false }
    ordered = nil
    let isNew = isMuted != (choice ?? self.isMuted)
    self.isMuted = isMuted
    if !isMuted { knowOwner() }
    guard isNew, !isByServer, !mayBeServers else { return false }
    choice = nil
    return true
  }

  /// Call when we order our stream to be unmuted.
  mutating func unmute() { (owner, isMuted, ordered) = (.user, false, false) }

  /// Call when the server's mute ends and the user wants the stream muted.
  mutating func muteAgain() {
    owner = .user
    choose(true)
  }

  /// Call when the server is gone; its mute ends with it.
  mutating func serverLost() { (owner, isMuted, stream) = (.user, false, .none) }

  /// A mute from the start has ended, or somebody has touched it: from now on a mute is the user's, unless it is the server's.
  private mutating func knowOwner() { if owner == .unknown { owner = .user } }
}

/// When a server that refused to make our stream is asked again. The wait doubles with each refusal, up to a limit.
struct StreamRetry: Sendable {
  private enum State {
    case none
    /// The server refused to make our stream, and is asked for it again at this time.
    case waiting(until: Duration)
    /// The server has been asked for our stream again. If it has not answered by this time, that counts as a refusal.
    case trying(until: Duration)
  }

  /// What to do when the time to wait for our stream is over.
  enum Step: Equatable {
    /// Ask the server for our stream again, and call `timeOut` again after this time.
    case `try`(comeBackAfter: Duration)
    /// The server has neither made nor refused our stream in time. That counts as a refusal.
    case giveUp
  }

  private static let first = Duration.milliseconds(250)
  private static let longest = Duration.seconds(5)

  private var state = State.none
  private var wait: Duration?

  /// Whether the server has been asked for our stream again and has not answered yet.
  var isTrying: Bool { if case .trying = state { true } else { false } }

  /// Call when the server has refused to make our stream. Returns how long to wait before it is asked again.
  mutating func refused(at now: Duration) -> Duration {
    let next = wait.map { min($0 * 2, Self.longest) } ?? Self.first
    wait = next
    state = .waiting(until: now + next)
    return next
  }

  /// What to do when a timer ran out; nil if it is too early, because the timer may have been set for another reason. `patience` is how long the
  /// server may take to make the stream.
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
