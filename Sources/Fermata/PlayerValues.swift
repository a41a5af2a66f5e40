// SPDX-License-Identifier: MIT
import AudioModel
import FaceModel
import PlaybackLogic

/// What a player does.
public enum PlaybackState: String, Sendable, Hashable, CaseIterable {
  /// Nothing plays, and the next play begins at the beginning of a track.
  case stopped
  /// Music plays.
  case playing
  /// The music waits at its place, for the user or for the reason that the status names.
  case paused
  /// Something else sounds, a call for example. Afterwards the music goes on by itself, if it should.
  case interrupted
  /// The place runs forward, as while a key is held.
  case seekingForward
  /// The place runs backward, as while a key is held.
  case seekingBackward
}

/// What happens at the end of a track and at the end of the queue.
public enum RepeatMode: String, Sendable, Hashable, CaseIterable {
  /// Whatever the user has set as preference. A player that is asked answers with the mode that this means.
  case `default`
  /// The queue ends after its last track.
  case none
  /// The same track again and again.
  case one
  /// The queue begins again after its last track.
  case all
}

/// In which order the queue is played.
public enum ShuffleMode: String, Sendable, Hashable, CaseIterable {
  /// Whatever the user has set as preference. A player that is asked answers with the mode that this means.
  case `default`
  /// The queue is played in its order.
  case off
  /// Songs in random order, each once.
  case songs
  /// Albums in random order, and the songs of each album in theirs.
  case albums
}

/// Which way a held seek goes.
public enum SeekDirection: Sendable, Hashable {
  /// Towards the end of the track.
  case forward
  /// Towards its beginning.
  case backward
}

/// How the sound of a file is coded.
public struct AudioCoding: Sendable, Hashable {
  /// The name of the codec: "FLAC", "MP3".
  public let codec: String
  /// Frames a second, as they are decoded.
  public let sampleRate: Int
  /// 1 for mono, 2 for stereo.
  public let channels: Int
  /// How many bits a sample has; nil for codecs that leave something out, such as MP3.
  public let bitsPerSample: Int?
  /// Bits a second on average; nil if that follows from the rest, or is not known.
  public let bitRate: Int?

  init(_ coding: SoundCoding) {
    (codec, sampleRate, channels) = (coding.codec, coding.rate, coding.channels)
    (bitsPerSample, bitRate) = (coding.bits, coding.bitRate)
  }
}

/// An output that the sound goes to.
public struct AudioRoute: Sendable, Hashable {
  /// The name by which the sound server knows the output.
  public let sink: String
  /// The output's description for people.
  public let description: String
  /// The name of the port, such as that of a jack; nil for an output without ports.
  public let port: String?
  /// The port's description for people.
  public let portDescription: String?
  /// What the port leads to: "headphones", "hdmi".
  public let portType: String?
  /// Whether only whoever wears or attached the device hears it: headphones, not loudspeakers.
  public let isPrivate: Bool

  init(_ face: RouteFace) {
    (sink, description) = (face.sink, face.description)
    (port, portDescription, portType) = (face.port, face.portDescription, face.portType)
    isPrivate = face.isPrivate
  }
}

/// The sound goes to another output, or to none.
public struct RouteChange: Sendable, Hashable {
  /// Why the sound goes elsewhere.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// Something was plugged in, paired or made, or came back.
    case newDeviceAvailable
    /// The device is gone. Music pauses for this, so that it is not heard where nobody expected it.
    case oldDeviceUnavailable
    /// The same device works in another way: a headset has switched its microphone on.
    case categoryChange
    /// Somebody has chosen another output.
    case override
    /// The machine woke up, and finds other outputs than it had.
    case wakeFromSleep
    /// No output is left.
    case noSuitableRouteForCategory
    /// The hardware has switched from one built-in output to another.
    case routeConfigurationChange
    /// The sound server is gone.
    case mediaServicesWereLost
    /// A sound server is there again.
    case mediaServicesWereReset
    /// Nothing that is known here.
    case unknown
  }

  /// Why it does.
  public let reason: Reason
  /// Where the sound went before; nil if nowhere.
  public let previous: AudioRoute?
  /// Where it goes now; nil if nowhere.
  public let current: AudioRoute?
  /// Whether the music was paused for it.
  public let pausedPlayback: Bool
}

/// An interruption has begun or ended: a call, another program that takes precedence, a sound server that has gone.
public enum Interruption: Sendable, Hashable {
  /// It began. `wasPlaying` says whether music was heard before.
  case began(source: String, wasPlaying: Bool)
  /// It is over. `shouldResume` says whether the music goes on by itself.
  case ended(source: String, shouldResume: Bool)
}

/// Everything that a player shows of one moment.
public struct PlayerStatus: Sendable, Hashable {
  /// What the player does.
  public internal(set) var state: PlaybackState
  /// Why nothing is heard, as a word: "route", "call", "user", "finished"; nil while music is heard.
  public internal(set) var reason: String?
  /// What plays, or would play; nil if nothing does.
  public internal(set) var nowPlaying: QueueEntry?
  /// How the sound that plays is coded; nil until its file has been opened.
  public internal(set) var coding: AudioCoding?
  /// From 0 to 1.
  public internal(set) var volume: Double
  /// Whether the user has muted the music.
  public internal(set) var isMuted: Bool
  /// What happens at the end of a track and of the queue; never `default`.
  public internal(set) var repeatMode: RepeatMode
  /// In which order the queue is played; never `default`.
  public internal(set) var shuffleMode: ShuffleMode
  /// How long the queue is, and which row is marked.
  public internal(set) var queue: QueueSummary
  /// Where the sound goes; nil if nowhere.
  public internal(set) var route: AudioRoute?
  /// What interrupts the music now, the most important first.
  public internal(set) var interruptions: [String]
  var place: Place

  /// The position in the track at this moment; nil if there is no track.
  public var position: Duration? { nowPlaying == nil ? nil : place.position(at: Place.now) }
}

/// How long a queue is, and which of its rows is marked.
public struct QueueSummary: Sendable, Hashable {
  /// How many rows there are.
  public internal(set) var count: Int
  /// The marked row, counted from 0; nil if there is none.
  public internal(set) var currentIndex: Int?
  /// Counts the edits that were seen, so that one that leaves the length as it was is noticed as well.
  var edits = 0
}
