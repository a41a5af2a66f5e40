// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import CommandModel
import FaceModel
import PlaybackLogic

/// A player's sound among that of other programs: whether it can sound, what interrupts it, and where it goes.
///
/// The session of the desktop's player belongs to whoever listens to it: programs ask and follow, and the user chooses the category with
/// `fermata settings set category solo`. The category of a player inside a program is chosen by the program.
///
/// ```swift
/// let session = AudioSession.shared
/// try await session.activate()
/// for await change in session.routeChanges where change.reason == .oldDeviceUnavailable {
///   print("gone:", change.previous?.description ?? "")
/// }
/// ```
public struct AudioSession: Sendable {
  private let core: PlayerCore

  /// The session of the desktop session's player.
  public static let shared = AudioSession(of: .system)

  /// The session of a player.
  public init(of player: MusicPlayer) { core = player.core }

  /// How the player's sound gets on with that of others.
  public enum Category: String, Sendable, Hashable, CaseIterable {
    /// It yields to calls, and pauses when the listener's device is gone.
    case playback
    /// It goes on beside calls, and on whatever output is left when the listener's device is gone.
    case ambient
    /// As `playback`, and when it begins, other players are asked to pause.
    case solo
  }

  // MARK: What is so

  /// Whether the player could sound now: a sound server answers, and there is an output that somebody could hear. An interruption by a
  /// call does not count against it.
  public var isActive: Bool {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in
        Self.isActive(PlayerStatus(try await agent.status(), at: Place.now))
      }
    }
  }

  /// How the player's sound gets on with that of others.
  public var category: Category {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in
        guard let category = Category(rawValue: try await agent.category()) else { throw agent.unreadable }
        return category
      }
    }
  }

  /// Whether a stream of another program sounds. Some programs keep one running that is silent, and nobody can tell.
  public var isOtherAudioPlaying: Bool {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in try await agent.isOtherAudioPlaying() }
    }
  }

  /// Where the sound goes, or would go; nil if nowhere.
  public var currentRoute: AudioRoute? {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in
        try await agent.status().route.map(AudioRoute.init)
      }
    }
  }

  // MARK: What changes

  /// Whether the player could sound, now and after each change.
  public var activity: Updates<Bool> { core.values { Self.isActive($0) } }
  /// Where the sound goes, now and after each change.
  public var currentRoutes: Updates<AudioRoute?> { core.values(\.route) }
  /// Calls and other programs that take precedence, as they begin and end; at the end with whether the music goes on.
  public var interruptions: Updates<Interruption> { core.events { Interruption($0) } }
  /// Changes of where the sound goes, each with its reason, the route before and the route now.
  public var routeChanges: Updates<RouteChange> { core.events { RouteChange($0) } }

  // MARK: Orders

  /// A player that was just started has so long to find its sound server.
  private static let patience = Duration.seconds(2)

  /// Has the player started if it isn't running, and waits a moment until it could sound. Throws with the reason if it can't: no bus, no
  /// sound server, or no output. Ask again after an interruption, or follow ``activity``.
  ///
  /// There is no counterpart: the session is everybody's, and a program that needs it no more just lets go of it.
  public func activate() async throws(MusicError) {
    try await core.ask { agent async throws(CommandError) in
      try await agent.start()
      let status = try await Self.status(of: agent, untilActive: Self.patience)
      if Self.isActive(status) { return }
      throw CommandError(
        .unavailable, "audio session",
        "no sound server answers that has an output which anyone could hear",
        "'fermata doctor' says what is missing")
    }
  }

  /// Chooses how the player's sound gets on with that of others. Throws if that is the user's choice, as for the player of the desktop
  /// session.
  public func setCategory(_ category: Category) async throws(MusicError) {
    do throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in
        try await agent.set(category: SessionCategory(category))
      }
    } catch {
      guard error.code == .refused else { throw error }
      throw MusicError(
        .refused, "category", "for the session's player the user chooses it",
        "'fermata settings set category \(category.rawValue)' does")
    }
  }

  /// The status when it says that the player could sound, or after this time.
  @AgentLoop
  private static func status(
    of agent: AgentClient, untilActive patience: Duration
  ) async throws(CommandError) -> PlayerStatus {
    let bell = ActivityBell(atMost: patience)
    // Listens before it asks, so that nothing is missed in between.
    let news = try await agent.news { _ in bell.ring() }
    defer { news.cancel() }
    while true {
      let status = PlayerStatus(try await agent.status(), at: Place.now)
      if isActive(status) { return status }
      guard await bell.wait() else { return status }
    }
  }

  /// The word for an interruption by a sound server that is not there.
  private static let serverSource = "server"

  private static func isActive(_ status: PlayerStatus) -> Bool {
    status.route != nil && !status.interruptions.contains(serverSource)
  }
}

extension SessionCategory {
  fileprivate init(_ category: AudioSession.Category) {
    self =
      switch category {
      case .playback: .playback
      case .ambient: .ambient
      case .solo: .solo
      }
  }
}

/// Wakes one task when something has happened, until its time is over.
@AgentLoop
private final class ActivityBell {
  private var hasRung = false
  private var isOver = false
  private var waiting: UnsafeContinuation<Void, Never>?
  private var timer: LoopTimer?

  init(atMost time: Duration) {
    timer = AgentLoop.after(time) { [weak self] in
      self?.isOver = true
      self?.ring()
    }
  }

  func ring() {
    hasRung = true
    waiting?.resume()
    waiting = nil
  }

  /// Waits until it rings, and returns at once if it has rung since the last time. False if the time is over.
  func wait() async -> Bool {
    if !hasRung, !isOver { await withUnsafeContinuation { waiting = $0 } }
    hasRung = false
    return !isOver
  }
}
