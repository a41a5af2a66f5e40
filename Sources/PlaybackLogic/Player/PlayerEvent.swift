// SPDX-License-Identifier: MIT

/// Something that happened and that the player must know. Passed to `Player.handle`.
enum PlayerEvent: Sendable {
  /// A person or a program gives an order.
  case order(PlayerOrder, by: Sender)
  /// The sound engine reports something.
  case sound(SoundReport)
  /// The length of an entry according to its tags. It counts while the entry is current, until a decoder knows the length.
  case tagged(EntryID, length: Duration)
  /// Something that concerns interruptions and routes, for the session.
  case session(SessionEvent)
  /// A setting has changed, for example of the loudness, so that a sound that is loaded now would be heard differently. So the
  /// engine has to load its sound again.
  case soundChanged
  /// A timer that the player asked for has run out.
  case timer(PlayerTimer)
}

/// An action that `Player` wants carried out. Effects must be carried out in the order in which they are returned.
enum PlayerEffect: Sendable, Equatable {
  /// Give this order to the sound engine.
  case sound(SoundOrder)
  /// Tell this to those who show, store or log it.
  case tell(PlayerNews)
  /// Send `PlayerEvent.timer` for this timer after this time. It replaces an earlier request for the same timer.
  case timer(PlayerTimer, after: Duration)
  /// Stop this timer.
  case cancelTimer(PlayerTimer)
  /// Play at this fraction of the volume, because something else sounds; nil ends that.
  case duck(to: Double?)
  /// Unmute our stream, which the server muted for a call: that is over, or the music goes on in spite of it.
  case unmuteOwnStream
  /// The user chose this through us: mute or unmute our stream, and make later ones so.
  case muteOwnStream(Bool)
  /// Somebody muted or unmuted our stream in a mixer: do the same to our streams that wait to be heard, and leave it to the server whether later
  /// streams are muted.
  case followOwnMute(Bool)
  /// If the server has not made our stream yet, drop it: the server will not make it any more.
  case dropUnmadeStream

  /// Hands on an effect of the session, which the player cannot carry out either.
  init(_ effect: SessionEffect) {
    self =
      switch effect {
      case .interruptionBegan(let told): .tell(.interruptionBegan(told))
      case .interruptionEnded(let told, let end): .tell(.interruptionEnded(told, end))
      case .routeChanged(let change, let paused): .tell(.route(change, paused: paused))
      case .waiting(let source): .tell(.waiting(for: source))
      case .noOutput: .tell(.refused(.noOutput))
      case .unmuteOwnStream: .unmuteOwnStream
      case .muteOwnStream(let isMuted): .muteOwnStream(isMuted)
      case .followOwnMute(let isMuted): .followOwnMute(isMuted)
      case .dropUnmadeStream: .dropUnmadeStream
      case .duck(let level): .duck(to: level)
      case .unduck: .duck(to: nil)
      case .timer(let delay): .timer(.session, after: delay)
      }
  }
}

/// The timers that `Player` asks for. A new request for the same timer replaces the earlier one.
package enum PlayerTimer: Sendable, Hashable, CaseIterable {
  /// The session's own timer (`SessionEffect.timer`).
  case session
  /// Runs out when a seek button has been held for longer than a tap.
  case tap
  /// Runs out when the next jump through the track is due, while a seek button is held.
  case cue
  /// Runs out when nobody has reported for `PlayerSettings.longestRun` that the seek button is still held.
  case run
}

/// When Previous restarts a track, and how a held seek button moves.
package struct PlayerSettings: Sendable, Equatable {
  /// If more than this of a track has played, Previous restarts it. Preset: 3 s.
  package var restartsAfter: Duration = .seconds(3)
  /// A seek button held for less than this counts as a tap. Preset: 0.1 s.
  package var tapLimit: Duration = .milliseconds(100)
  /// How long each piece of the track sounds between two jumps while a seek button is held. Preset: 0.15 s.
  package var cueLength: Duration = .milliseconds(150)

  /// A held seek ends by itself if nobody reports for this long that the button is still held. Preset: 10 s.
  package var longestRun: Duration = .seconds(10)
  /// How long the end of a track and the beginning of the next sound together. Preset: not at all.
  package var crossfade: Duration = .zero

  package init() {}
}
