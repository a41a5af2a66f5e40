// SPDX-License-Identifier: MIT
import PlaybackLogic

extension RepeatMode {
  /// The word for the current mode, which is never `default`.
  init(_ mode: PlaybackLogic.RepeatMode) {
    self =
      switch mode {
      case .none: .none
      case .one: .one
      case .all: .all
      }
  }

  /// The choice that is sent to the player.
  var choice: ModeChoice<PlaybackLogic.RepeatMode> {
    switch self {
    case .none: .chosen(.none)
    case .one: .chosen(.one)
    case .all: .chosen(.all)
    case .standard: .default
    }
  }
}

extension ShuffleMode {
  /// The word for the current mode, which is never `default`.
  init(_ mode: PlaybackLogic.ShuffleMode) {
    self =
      switch mode {
      case .off: .off
      case .songs: .songs
      case .albums: .albums
      }
  }

  /// The choice that is sent to the player.
  var choice: ModeChoice<PlaybackLogic.ShuffleMode> {
    switch self {
    case .off: .chosen(.off)
    case .songs: .chosen(.songs)
    case .albums: .chosen(.albums)
    case .standard: .default
    }
  }
}
