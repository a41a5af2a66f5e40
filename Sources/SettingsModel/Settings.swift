// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// All settings of the user. A setting that was not chosen has its preset value.
package struct Settings: Sendable, Equatable {
  /// The repeat mode while none has been chosen by hand.
  package var repeatMode = RepeatMode.none
  /// The shuffle mode while none has been chosen by hand.
  package var shuffleMode = ShuffleMode.off
  /// Whether the agent plays on when it starts, if music played when the agent before it ended.
  package var playsOnStart = false
  /// How the player carries out some of its orders.
  package var player = PlayerSettings()
  /// The settings that bring tracks to a similar loudness.
  package var loudness = LoudnessSettings()
  /// The character set of tag texts that call themselves Latin-1.
  package var tagsCharset = TagsCharset.latin1
  /// Whether long jobs, such as scans of the library, go on while the machine runs on its battery.
  package var runsJobsOnBattery = true
  /// The settings for calls, other programs' sounds, stalls and lost devices.
  package var session = SessionSettings()

  /// Whether other players are paused when their device is gone, and which are left alone.
  package var guarding = GuardSettings(isOn: true)

  package init() {}
}

extension Settings {
  /// All settings, in the order in which they are listed.
  package static let all: [Setting] = order + sound + tags + silence + routes

  /// The setting with this name. Throws if there is none, with a suggestion.
  package static func setting(named name: String) throws(SettingError) -> Setting {
    guard let setting = all.first(where: { $0.name == name }) else { throw SettingError(unknown: name) }
    return setting
  }

  private static let order: [Setting] = [
    // With the words that the commands take.
    .choice("repeat", "What `repeat default` means", \.repeatMode, synonyms: ["off": .none]),
    .choice("shuffle", "What `shuffle default` means", \.shuffleMode, synonyms: ["on": .songs]),
    .flag("play-on-start", "Play on when the agent starts, if music played when it ended", \.playsOnStart),
    .seconds(
      "previous-restarts-after", "After so much of a track, `previous` begins it anew", in: 0...3600,
      \.player.restartsAfter),
    .seconds(
      "seek-tap-limit", "A seek button that is held for less skips instead", in: 0...5, \.player.tapLimit),
  ]

  private static let sound: [Setting] = [
    .seconds(
      "crossfade", "How long two tracks of one format sound together, unless they are neighbours on an album",
      in: 0...12,
      \.player.crossfade),
    .choice(
      "loudness", "Whose measured loudness evens tracks out; `auto` is the album's beside its own tracks",
      \.loudness.mode),
    .number(
      "loudness-preamp", "Added to what `loudness` does", \.loudness.preamp, unit: "dB", in: -24...24,
      number: { Double($0) }, value: { Float($0) }),
    .flag("prevent-clipping", "Make no track louder than its peaks allow", \.loudness.preventsClipping),
  ]

  private static let tags: [Setting] = [
    .choice(
      "tags-charset", "The letters of titles in MP3, lists and CUE sheets that come out wrong", \.tagsCharset,
      separator: ", "),
    .flag("jobs-on-battery", "Go on with scans while the machine runs on battery", \.runsJobsOnBattery),
  ]

  private static let silence: [Setting] =
    [
      .choice(
        "category",
        "What music does beside others: yields to calls, goes on regardless, or has other players pause",
        \.session.category)
    ] + WatchedRole.allCases.map(role) + [
      .number(
        "duck-level", "What is left of the volume while music is ducked", \.session.duckLevel, in: 0...100,
        suffix: "%", number: { $0 * 100 }, value: { $0 / 100 }),
      .choice(
        "microphone", "When another program that records counts as a call", \.session.microphone),
      // Healthy sound goes on by steps of two seconds: so long a server with a large buffer asks for none.
      .seconds(
        "stall-limit", "How long sound may hang before that counts as an interruption", in: 3...60,
        \.session.stallLimit),
    ]

  private static let routes: [Setting] = [
    .secondsOrOff(
      "resume-on-return", "Play on when a lost device is back within this time, if nothing was touched since",
      in: 1...86_400, \.session.resumeOnReturn),
    .onOrOff("guard", "Pause other players too when the device that they play on is gone", \.guarding.isOn),
    .names("guard-except", "Players that are never paused for that", \.guarding.exceptions),
  ]

  private static func role(_ role: WatchedRole) -> Setting {
    let moment =
      switch role {
      case .phone: "during a call"
      case .a11y: "while a screen reader speaks"
      case .event: "while the desktop makes a sound"
      case .notification: "while a notification sounds"
      case .announcement: "during an announcement"
      }
    return .choice("role-\(role.rawValue)", "What the music does \(moment)", \.session[role])
  }
}

extension SessionSettings {
  fileprivate subscript(role: WatchedRole) -> RolePolicy {
    get { policy(for: role) }
    set { roles[role] = newValue }
  }
}

/// The character set of ID3 texts that call themselves Latin-1. The raw value is the C library's name for it.
package enum TagsCharset: String, CaseIterable, Sendable {
  case latin1 = "iso-8859-1"
  case latin2 = "iso-8859-2"
  case greek = "iso-8859-7"
  case latin5 = "iso-8859-9"
  case windows1250 = "windows-1250"
  case windows1251 = "windows-1251"
  case windows1252 = "windows-1252"
  case windows1253 = "windows-1253"
  case windows1254 = "windows-1254"
  case windows1255 = "windows-1255"
  case windows1256 = "windows-1256"
  case windows1257 = "windows-1257"
  case windows1258 = "windows-1258"
  case koi8r = "koi8-r"
  case koi8u = "koi8-u"
  case thai = "tis-620"
  case gbk
  case gb18030
  case big5
  case shiftJIS = "shift_jis"
  case eucJP = "euc-jp"
  case eucKR = "euc-kr"
  case utf8 = "utf-8"

  /// The character set to convert from; nil if the texts are taken as the Latin-1 that they claim to be.
  package var converted: String? { self == .latin1 ? nil : rawValue }
}
