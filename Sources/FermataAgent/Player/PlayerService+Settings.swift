// SPDX-License-Identifier: MIT
import PlaybackLogic
import PulseIO
package import SettingsModel

extension PlayerService {
  /// Applies the user's settings. What is heard changes at once.
  package func apply(_ settings: Settings) {
    inOneTurn {
      loudness = settings.loudness
      player.settings = settings.player
      player.sessionSettings = settings.session
      watcher.settings = settings.session
      if player.queue.repeatPreference != settings.repeatMode
        || player.queue.shufflePreference != settings.shuffleMode
      {
        edit { $0.setPreferences(repeat: settings.repeatMode, shuffle: settings.shuffleMode) }
      }
    }
    // With the new settings, a stream that was ignored so far may count as a call.
    if server.isConnected { read(for: .calls) }
  }
}
