// SPDX-License-Identifier: MIT
import AudioModel
import FaceModel
import PlaybackLogic

/// The state of playback.
public enum PlaybackState: String, Sendable, Hashable, CaseIterable {
  /// Nothing plays, and the next play begins a track anew, or a long one where it was left.
  case stopped
  /// Music plays.
  case playing
  /// The music is paused at its position, by the user or for the reason in the status.
  case paused
  /// Something else sounds, such as a call. Afterwards the music goes on by itself, if it should.
  case interrupted
  /// The position runs forward, as while a key is held.
  case seekingForward
  /// The position runs backward, as while a key is held.
  case seekingBackward
}

/// What happens at the end of a track and at the end of the queue.
public enum RepeatMode: String, Sendable, Hashable, CaseIterable {
  /// The mode in the user's settings. A player never returns this, but the mode that it means.
  case `default`
  /// The queue ends after its last track.
  case none
  /// The same track is repeated.
  case one
  /// The queue begins again after its last track.
  case all
}

/// The order in which the queue is played.
public enum ShuffleMode: String, Sendable, Hashable, CaseIterable {
  /// The mode in the user's settings. A player never returns this, but the mode that it means.
  case `default`
  /// The queue is played in its order.
  case off
  /// Songs in random order, each once.
  case songs
  /// Albums in random order, and the songs of each album in its own order.
  case albums
}

/// The direction of a held seek.
public enum SeekDirection: Sendable, Hashable {
  /// Towards the end of the track.
  case forward
  /// Towards the beginning of the track.
  case backward
}

/// The coding of a sound file.
public struct AudioCoding: Sendable, Hashable {
  /// The name of the codec: "FLAC", "MP3".
  public let codec: String
  /// Decoded frames per second.
  public let sampleRate: Int
  /// 1 for mono, 2 for stereo.
  public let channels: Int
  /// How many bits a sample has; nil for lossy codecs such as MP3.
  public let bitsPerSample: Int?
  /// The average number of bits per second; nil if it follows from the other values, or is not known.
  public let bitRate: Int?

  init(_ coding: SoundCoding) {
    (codec, sampleRate, channels) = (coding.codec, coding.rate, coding.channels)
    (bitsPerSample, bitRate) = (coding.bits, coding.bitRate)
  }
}

/// An output, with the port that is in use.
public struct AudioRoute: Sendable, Hashable {
  /// The sound server's name for the output.
  public let sink: String
  /// The output's description for people.
  public let description: String
  /// The name of the port, such as that of a jack; nil for an output without ports.
  public let port: String?
  /// The port's description for people.
  public let portDescription: String?
  /// The kind of device at the port: "headphones", "hdmi".
  public let portType: String?
  /// Whether only the person who wears or attached the device hears it: true for headphones, not for loudspeakers.
  public let isPrivate: Bool
  /// The description of a filter that the sound goes through first, such as an equalizer; nil if there is none.
  public let filter: String?

  init(_ face: RouteFace) {
    (sink, description) = (face.sink, face.description)
    (port, portDescription, portType) = (face.port, face.portDescription, face.portType)
    (isPrivate, filter) = (face.isPrivate, face.filter)
  }
}

/// A change of the output: the sound goes to another one, or to none.
public struct RouteChange: Sendable, Hashable {
  /// Why the output changed.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// A device was plugged in, paired or created, or came back.
    case newDeviceAvailable
    /// The device is gone. The music pauses, so that it is not heard where nobody expected it.
    case oldDeviceUnavailable
    /// The same device works in another mode, such as a headset that has switched its microphone on.
    case categoryChange
    /// Somebody has chosen another output.
    case override
    /// The machine woke up. The output is the same until another change is reported.
    case wakeFromSleep
    /// No output is left.
    case noSuitableRouteForCategory
    /// The hardware has switched from one built-in output to another.
    case routeConfigurationChange
    /// The sound server is gone.
    case mediaServicesWereLost
    /// A sound server answers again.
    case mediaServicesWereReset
    /// The first output that is known since the player was started, or a reason that this version of the library does not know.
    case unknown
  }

  /// Why the output changed.
  public let reason: Reason
  /// The output before; nil if there was none.
  public let previous: AudioRoute?
  /// The output now; nil if there is none.
  public let current: AudioRoute?
  /// Whether the music was paused because of the change.
  public let pausedPlayback: Bool
}

/// An interruption has begun or ended: a call, another program that takes precedence, a sound server that has gone.
public enum Interruption: Sendable, Hashable {
  /// The interruption began. `wasPlaying` says whether music was heard before.
  case began(source: String, wasPlaying: Bool)
  /// The interruption is over. `shouldResume` says whether the music goes on by itself.
  case ended(source: String, shouldResume: Bool)
  /// The user has chosen to play the music all the same. What interrupted it, such as a call, may still go on.
  case overruled(source: String)
}

/// Whether there is a player that answers.
public enum PlayerAvailability: Sendable, Hashable {
  /// A player is there.
  case available
  /// There is none, or it does not answer, for this reason. The next one that comes is followed.
  case unavailable(MusicError)
}

/// Everything that a player shows, all of one moment.
public struct PlayerStatus: Sendable, Hashable {
  /// The state of playback.
  public internal(set) var state: PlaybackState
  /// Why nothing is heard, as a word for programs; ``explanation`` says it to people. Nil while music is heard, and before anything was played.
  ///
  /// - Paused: `user`, `route` (the output is gone), `no-output`, `sleep`, `sleep-timer`, `terminated` (somebody ended the stream in a mixer),
  ///   `restored` (the player was started anew), `tool:NAME` (that program).
  /// - Interrupted: `call`, `notification` and other kinds of streams; `cork` (another program asks for silence), `microphone`, `server` (no sound
  ///   server answers), `suspend`, `stall`, `sleep`.
  /// - Playing, but inaudible: `muted`, `volume`, `output-muted`, `output-volume`.
  /// - Stopped: `finished` (the queue has ended), `unplayable` (nothing that was left of it could be played), `after-current` (it was to stop after
  ///   a track), `removed` (what played was taken out of the queue), `user`, `tool:NAME` (that program).
  public internal(set) var reason: String?
  /// The row that plays, or would play; nil if there is none.
  public internal(set) var nowPlaying: QueueEntry?
  /// The coding of the current track; nil until its file has been opened.
  public internal(set) var coding: AudioCoding?
  /// The volume, from 0 to 1.
  public internal(set) var volume: Double
  /// Whether the user has muted the music.
  public internal(set) var isMuted: Bool
  /// What happens at the end of a track and of the queue; never `default`.
  public internal(set) var repeatMode: RepeatMode
  /// The order in which the queue is played; never `default`.
  public internal(set) var shuffleMode: ShuffleMode
  /// The length of the queue, and its current row.
  public internal(set) var queue: QueueSummary
  /// The output that the sound goes to; nil if there is none.
  public internal(set) var route: AudioRoute?
  /// The interruptions that keep the music silent now, the most important first.
  public internal(set) var interruptions: [String]
  /// The programs that interrupt the music, by their names for people, as far as they are known.
  public internal(set) var callers: [String]
  var lost: RouteFace?
  var place: Place

  /// The output whose loss paused the music, as long as it is paused for that.
  public var lostRoute: AudioRoute? { lost.map(AudioRoute.init) }

  /// What the player does and why, in words for people: "paused: the headphones were unplugged".
  public var explanation: String {
    // The words for a terminal name a command.
    if state == .stopped, reason == "finished" { return "finished" }
    let state = PlaybackLogic.PlaybackState(rawValue: state.rawValue) ?? .stopped
    return PlainWords.state(state, reason, lost: lost, callers: callers)
  }

  /// The position in the track at this moment; nil if there is no track.
  public var position: Duration? { nowPlaying == nil ? nil : place.position(at: Place.now) }
}

/// A track that could not be played, or not to its end. The player goes on with the next one.
public struct PlaybackFailure: Sendable, Hashable {
  /// The row of the track.
  public let entry: QueueEntry.ID
  /// The URI of the file.
  public let url: String
  /// Why it could not be played, in words for people.
  public let reason: String
  /// The position at which it ended too early; nil if nothing of it was played.
  public let position: Duration?

  init?(_ news: AgentNews) {
    switch news {
    case .skipped(let entry, let url, let why): self.init(entry, url, why, at: nil)
    case .endedEarly(let entry, let url, let why, let position): self.init(entry, url, why, at: position)
    default: return nil
    }
  }

  private init(_ entry: EntryID, _ url: String, _ reason: String, at position: Duration?) {
    (self.entry, self.url) = (QueueEntry.ID(rawValue: entry.rawValue), url)
    (self.reason, self.position) = (reason, position)
  }
}

/// The length of a queue, and its current row.
public struct QueueSummary: Sendable, Hashable {
  /// How many rows there are.
  public internal(set) var count: Int
  /// The index of the current row, counted from 0; nil if there is none.
  public internal(set) var currentIndex: Int?
  /// Counts the edits that were reported, and the reports of rows whose tags were read, so that what does not change the length is noticed too. So two
  /// values with different edits between them are never equal.
  var edits = 0
}
