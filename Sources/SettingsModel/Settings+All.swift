// SPDX-License-Identifier: MIT
import PlaybackLogic

extension Settings {
  /// All settings, in the order in which they are listed.
  package static let all: [Setting] = order + sound + tags + silence + routes

  /// The setting with this name. Throws if there is none, with a suggestion.
  package static func setting(named name: String) throws(SettingError) -> Setting {
    guard let setting = all.first(where: { $0.name == name }) else { throw SettingError(unknown: name) }
    return setting
  }

  private static let order: [Setting] = [
    .choice("repeat", "What `repeat default` means", \.repeatMode),
    .choice("shuffle", "What `shuffle default` means", \.shuffleMode),
    .flag("play-on-start", "Play on by itself when the agent starts", \.playsOnStart),
    .seconds(
      "previous-restarts-after", "After so much of a track, `previous` begins it anew", in: 0...3600,
      \.player.restartsAfter),
    .seconds(
      "seek-tap-limit", "A seek button that is held for less skips instead", in: 0...5, \.player.tapLimit),
  ]

  private static let sound: [Setting] = [
    .choice(
      "loudness", "Whose measured loudness evens tracks out; `auto` is the album's beside its own tracks",
      \.loudness.mode),
    .number(
      "loudness-preamp", "Added to what `loudness` does", "dB", in: -24...24,
      read: { Double($0.loudness.preamp) }, write: { $0.loudness.preamp = Float($1) }),
    .flag("prevent-clipping", "Make no track louder than its peaks allow", \.loudness.preventsClipping),
  ]

  private static let tags: [Setting] = [
    .choice(
      "tags-charset", "How titles in MP3 are read that say iso-8859-1 and come out wrong", \.tagsCharset,
      separator: ", ")
  ]

  private static let silence: [Setting] =
    WatchedRole.allCases.map(role) + [
      .number(
        "duck-level", "What is left of the volume while music is ducked", "", in: 0...100, suffix: "%",
        read: { $0.session.duckLevel * 100 }, write: { $0.session.duckLevel = $1 / 100 }),
      .choice(
        "microphone", "When another program that records counts as a call", \.session.microphone),
      .seconds(
        "stall-limit", "How long sound may hang before that counts as an interruption", in: 0.5...60,
        \.session.stallLimit),
    ]

  private static let routes: [Setting] = [
    .secondsOrOff(
      "resume-on-return", "Play on when a lost device is back within this time, if nothing was touched since",
      in: 1...86_400, \.session.resumeOnReturn)
  ]

  private static func role(_ role: WatchedRole) -> Setting {
    let what =
      switch role {
      case .phone: "a call"
      case .a11y: "a screen reader"
      case .event: "a sound of the desktop"
      case .notification: "a message"
      case .announcement: "an announcement"
      }
    return .choice("role-\(role.rawValue)", "What the music does while there is \(what)", \.session[role])
  }
}

extension SessionSettings {
  fileprivate subscript(role: WatchedRole) -> RolePolicy {
    get { policy(for: role) }
    set { roles[role] = newValue }
  }
}
