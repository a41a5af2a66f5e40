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

  /// The audio session of the player of the desktop session.
  public static let shared = AudioSession(of: .system)

  /// The audio session of a player.
  public init(of player: MusicPlayer) { core = player.core }

  /// How the player's sound behaves beside other programs' sound.
  public enum Category: String, Sendable, Hashable, CaseIterable {
    /// The player yields to calls, and pauses when the listener's device is gone.
    case playback
    /// The player goes on during calls, and on the remaining output when the listener's device is gone.
    case ambient
    /// As `playback`; in addition, other players are asked to pause when this one begins.
    case solo
  }

  // MARK: What is so

  /// Whether the player could sound now: a sound server answers, and there is an output that somebody could hear. An interruption by a
  /// call does not count against it.
  public var isActive: Bool {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in
        let status = try await agent.status()
        return !status.onlyGuards && Self.isActive(PlayerStatus(status, at: Place.now))
      }
    }
  }

  /// How the player's sound behaves beside other programs' sound.
  public var category: Category {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in
        guard let category = Category(rawValue: try await agent.category()) else { throw agent.unreadable }
        return category
      }
    }
  }

  /// Whether a stream of another program plays. Some programs keep a silent stream running; it counts too, because its silence can't be seen.
  public var isOtherAudioPlaying: Bool {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in try await agent.isOtherAudioPlaying() }
    }
  }

  /// Whether sound that is only an addition, such as the music of a game, should be silent now: this player's music sounds, or a stream of
  /// another program plays.
  public var secondaryAudioShouldBeSilencedHint: Bool {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in
        switch PlayerStatus(try await agent.status(), at: Place.now).state {
        case .playing, .seekingForward, .seekingBackward: true
        case .stopped, .paused, .interrupted: try await agent.isOtherAudioPlaying()
        }
      }
    }
  }

  /// The output that the sound goes to, or would go to; nil if there is none.
  public var currentRoute: AudioRoute? {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in
        try await agent.status().route.map(AudioRoute.init)
      }
    }
  }

  /// The outputs that the sound could go to, as mixers list them.
  public var availableRoutes: [AudioRoute] {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in
        try await agent.outputs().map { AudioRoute($0.route) }
      }
    }
  }

  // MARK: What changes

  /// Whether the player could sound, now and after each change.
  public var activity: Updates<Bool> { core.values { Self.isActive($0) } }
  /// The output that the sound goes to, now and after each change.
  public var currentRoutes: Updates<AudioRoute?> { core.values(\.route) }
  /// Interruptions by calls and other programs, each when it begins and when it ends. The end tells whether the music goes on.
  public var interruptions: Updates<Interruption> { core.events { Interruption($0) } }
  /// Changes of the output, each with its reason, the former route and the present one.
  public var routeChanges: Updates<RouteChange> { core.events { RouteChange($0) } }

  // MARK: Orders

  /// How long ``activate()`` waits for an agent that it has just started to connect to the sound server, before it throws.
  private static let patience = Duration.seconds(2)

  /// Starts the player if it isn't running, and waits a moment until it could sound. Throws with the reason if it can't: no bus, no sound server, or
  /// no output. Call it again after an interruption, or follow ``activity``.
  ///
  /// There is no call to deactivate: the session is shared by all programs, and a program that no longer needs it just stops using it.
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

  /// Has the sound go to this output, and returns when it does. ``routeChanges`` tells of it as an `override`. Throws if the output is gone, or if the sound
  /// server refuses.
  public func setRoute(_ route: AudioRoute) async throws(MusicError) {
    try await core.ask { agent async throws(CommandError) in try await agent.set(output: route.sink) }
  }

  /// Sets the category. Throws if only the user may choose it, as for the player of the desktop session.
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

  /// The status as soon as it says that the player could sound, or else the status after this time.
  @AgentLoop
  private static func status(
    of agent: AgentClient, untilActive patience: Duration
  ) async throws(CommandError) -> PlayerStatus {
    let bell = ActivityBell(atMost: patience)
    // It subscribes before it asks, so that no change in between is missed.
    let news = try await agent.news { _ in bell.ring() }
    defer { news.cancel() }
    while true {
      let status = PlayerStatus(try await agent.playerStatus(), at: Place.now)
      if isActive(status) { return status }
      guard await bell.wait() else { return status }
    }
  }

  /// The word by which a status names the interruption that lasts while no sound server answers.
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

/// Wakes one task when something has happened, or when its time is over.
@AgentLoop
private final class ActivityBell {
  private var isOver = false
  private var ringing = Promise<Void>()
  private var timer: LoopTimer?

  init(atMost time: Duration) {
    timer = AgentLoop.after(time) { [weak self] in self?.giveUp() }
  }

  func ring() { ringing.keep() }

  /// Waits until `ring` is called; returns at once if it was called since the last wait. Returns false if the time is over, or the task cancelled.
  func wait() async -> Bool {
    await withTaskCancellationHandler {
      await ringing.get()
    } onCancel: {
      // Any thread may cancel, so this goes to the loop as a task.
      AgentLoop.task { self.giveUp() }
    }
    if !isOver { ringing = Promise() }
    return !isOver
  }

  private func giveUp() {
    isOver = true
    ring()
  }
}
