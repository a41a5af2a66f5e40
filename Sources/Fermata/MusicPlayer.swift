// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
package import BusIO
import CommandModel
import FaceModel
import MediaModel
import PlaybackLogic

/// A player with a queue: the one of the desktop session, or one inside this process.
///
/// Every question and order is an `async` call that says why it failed; every change comes as a sequence that ends with the task that
/// reads it. A value of this type is a reference to the player: copy it, keep it, and use it on any actor and thread.
///
/// ```swift
/// let player = MusicPlayer.system
/// try await player.setQueue(with: [.path("/srv/music/Kind of Blue")])
/// try await player.play()
/// for await entry in player.nowPlayingUpdates { print(entry?.item.title ?? "silence") }
/// ```
public struct MusicPlayer: Sendable {
  package let core: PlayerCore

  package init(_ core: PlayerCore) { self.core = core }

  /// The player of the desktop session: the one that media keys and `playerctl` control. The session bus starts it if it isn't running, and
  /// it plays on when this process ends.
  public static let system = MusicPlayer(on: .session)

  /// The player of the desktop session that uses this bus.
  package init(on bus: BusEndpoint) {
    core = PlayerCore {
      do throws(CommandError) { return .success(try await BusTransport.open(bus)) } catch {
        return .failure(error)
      }
    }
  }

  // MARK: What it does

  /// Everything that the player shows, all of one moment. After a skip it has the new row at once; ``statusUpdates`` tells that row when it is heard.
  public var status: PlayerStatus {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in
        PlayerStatus(try await agent.playerStatus(), at: Place.now)
      }
    }
  }

  /// Whether the player plays, is paused, and so on.
  public var state: PlaybackState { get async throws(MusicError) { try await status.state } }
  /// The current row: it plays, is paused, or was stopped. Nil if no row is current: before the first `play()` of a new queue, and after its end.
  public var nowPlaying: QueueEntry? { get async throws(MusicError) { try await status.nowPlaying } }
  /// The position in the track; nil if there is no track.
  public var position: Duration? { get async throws(MusicError) { try await status.position } }
  /// The volume, from 0 to 1.
  public var volume: Double { get async throws(MusicError) { try await status.volume } }
  /// What happens at the end of a track and of the queue; never `default`.
  public var repeatMode: RepeatMode { get async throws(MusicError) { try await status.repeatMode } }
  /// The order in which the queue is played; never `default`.
  public var shuffleMode: ShuffleMode { get async throws(MusicError) { try await status.shuffleMode } }

  // MARK: What changes

  /// Whether there is a player that answers, now and after each change. The other sequences tell nothing while there is none, so that their last
  /// values stay as they were.
  public var availabilityUpdates: Updates<PlayerAvailability> { core.availabilities() }
  /// The status, now and after each change. A jump of the position counts as a change.
  public var statusUpdates: Updates<PlayerStatus> { core.values(needsPlace: true) { $0 } }
  /// The state, now and after each change.
  public var stateUpdates: Updates<PlaybackState> { core.values(\.state) }
  /// The row that plays, now and after each change. The same row comes again when more becomes known of it.
  public var nowPlayingUpdates: Updates<QueueEntry?> { core.values(\.nowPlaying) }
  /// The volume, now and after each change, by whatever program.
  public var volumeUpdates: Updates<Double> { core.values(\.volume) }
  /// The length of the queue and its current row, now and after each edit, by whatever program, and when more becomes known of its rows. Read the
  /// rows that you show after each value.
  public var queueUpdates: Updates<QueueSummary> { core.values(\.queue) }
  /// Interruptions by calls and other programs, each when it begins and when it ends.
  public var interruptions: Updates<Interruption> { core.events { Interruption($0) } }
  /// Changes of the output, for example when headphones are plugged in or removed.
  public var routeChanges: Updates<RouteChange> { core.events { RouteChange($0) } }
  /// Tracks that could not be played, or not to their end.
  public var failures: Updates<PlaybackFailure> { core.events { PlaybackFailure($0) } }

  /// The position in the track, at this interval while it plays. While nothing plays this costs nothing.
  public func positionUpdates(every interval: Duration = .milliseconds(300)) -> Updates<Duration> {
    core.positions(every: interval)
  }

  // MARK: Orders

  /// Plays, or goes on. Returns the word of the interruption that playing has to wait for, such as `call`, as in ``PlayerStatus/interruptions``; nil
  /// if it plays.
  @discardableResult
  public func play() async throws(MusicError) -> String? { try await order(.play) }

  /// Pauses; the position stays.
  public func pause() async throws(MusicError) { try await order(.pause) }

  /// Pauses if music plays, plays if not. Returns the thing that playing has to wait for; nil if there is none.
  @discardableResult
  public func togglePlayPause() async throws(MusicError) -> String? { try await order(.toggle) }

  /// Stops. The next `play` begins the track anew, or a long one where it was left.
  public func stop() async throws(MusicError) { try await order(.stop) }

  /// Stops once the current track has been heard to its end. An order that leads to another track cancels this, and so does ``stop()``. Throws if no track
  /// is current.
  public func stopAfterCurrentItem() async throws(MusicError) { try await order(.stopAfterCurrent) }

  /// Pauses after this time, and fades out before that; nil cancels it. The volume is as before when music is played again. Throws for a time that is not
  /// above zero.
  public func setSleepTimer(_ time: Duration?) async throws(MusicError) {
    if let time, time <= .zero {
      throw MusicError(.invalidArgument, "sleep timer", "it is a time above zero")
    }
    try await core.ask { agent async throws(CommandError) in try await agent.sleep(after: time) }
  }

  /// The time until the sleep timer pauses the music; nil if none is set.
  public var sleepTimer: Duration? {
    get async throws(MusicError) {
      try await core.ask { agent async throws(CommandError) in try await agent.status().sleepLeft }
    }
  }

  /// Goes to the next row; what is paused stays paused. Throws if there is none.
  public func skipToNextItem() async throws(MusicError) { try await order(.next) }

  /// Goes to the beginning of the track, or to the previous track if this one has just begun.
  public func skipToPreviousItem() async throws(MusicError) { try await order(.previous) }

  /// Goes to the beginning of the track.
  public func skipToBeginning() async throws(MusicError) { try await order(.seekTo(.zero)) }

  /// Moves to this position in the track.
  public func seek(to position: Duration) async throws(MusicError) {
    try await order(.seekTo(max(.zero, position)))
  }

  /// Moves forward by this time, or back if it is negative. Past the end, the next track begins; before the beginning, this track begins again.
  public func seek(by offset: Duration) async throws(MusicError) { try await order(.seek(offset)) }

  /// Begins to seek through the track, while a button is held: short pieces of the track are heard. Seeking ends with ``endSeeking()``, with any
  /// other order, at either end of the track, and with this process.
  public func beginSeeking(_ direction: SeekDirection) async throws(MusicError) {
    let direction: PlaybackLogic.SeekDirection = direction == .forward ? .forward : .backward
    try await core.ask { [core] agent async throws(CommandError) in
      _ = try await agent.order(.holdSeek(direction))
      core.hold(direction)
    }
  }

  /// Ends a held seek; the music plays on from there. A seek that was held for less than the setting `seek-tap-limit`, a tenth of a second by default,
  /// was a click: then the next track plays, or the previous one. A task that was cancelled can call this, too.
  public func endSeeking() async throws(MusicError) {
    // Also in a task that was cancelled while the button was held.
    try await core.askInAnyCase { [core] agent async throws(CommandError) in
      core.letGo()
      _ = try await agent.order(.endSeek)
    }
  }

  /// Sets the volume. Throws for one that is not from 0 to 1.
  public func setVolume(_ volume: Double) async throws(MusicError) {
    guard (0...1).contains(volume) else {
      throw MusicError(.invalidArgument, "volume \(volume)", "it is from 0 to 1")
    }
    try await core.ask { agent async throws(CommandError) in try await agent.set(volume: volume) }
  }

  /// Mutes the music, or unmutes it. The volume stays the same.
  public func setMuted(_ isMuted: Bool) async throws(MusicError) {
    try await core.ask { agent async throws(CommandError) in try await agent.set(muted: isMuted) }
  }

  /// Sets what happens at the end of a track and of the queue.
  public func setRepeatMode(_ mode: RepeatMode) async throws(MusicError) {
    let choice = PlaybackLogic.RepeatMode(rawValue: mode.rawValue).map { ModeChoice.chosen($0) } ?? .default
    try await core.ask { agent async throws(CommandError) in try await agent.set(repeat: choice) }
  }

  /// Sets the order in which the queue is played.
  public func setShuffleMode(_ mode: ShuffleMode) async throws(MusicError) {
    let choice = PlaybackLogic.ShuffleMode(rawValue: mode.rawValue).map { ModeChoice.chosen($0) } ?? .default
    try await core.ask { agent async throws(CommandError) in try await agent.set(shuffle: choice) }
  }

  /// Gives an order. Returns the thing that playing has to wait for, such as a call; nil if it has to wait for nothing.
  @discardableResult
  private func order(_ order: PlayerOrder) async throws(MusicError) -> String? {
    try await core.ask { [core] agent async throws(CommandError) in
      core.letGo()
      return try await agent.order(order)
    }
  }
}

extension PlayerCore {
  /// How often a held seek is renewed. The player ends a seek that nobody renews, so that it does not go on after this process has died.
  private static let renewal = Duration.seconds(4)

  /// Renews a seek that has begun until `letGo` is called.
  func hold(_ direction: PlaybackLogic.SeekDirection) {
    letGo()
    let number = holds
    held = AgentLoop.after(Self.renewal) { [weak self] in
      AgentLoop.task {
        guard let self, let client = try? await self.connected() else { return }
        // If the seek has ended meanwhile, or another has begun, this one is not renewed any more.
        guard let status = try? await client.withoutStart.status(), self.holds == number,
          [.seekingForward, .seekingBackward].contains(status.state)
        else { return }
        _ = try? await client.withoutStart.order(.holdSeek(direction))
        if self.holds == number { self.hold(direction) }
      }
    }
  }

  func letGo() {
    held?.cancel()
    held = nil
    holds += 1
  }
}
