// SPDX-License-Identifier: MIT
import Fermata

// Plays the files that are named by absolute paths, and says what the player does until it stops, after the last of them or by hand.
let player = MusicPlayer.system
try await player.setQueue(with: CommandLine.arguments.dropFirst().map { .path($0) })
try await player.play()
for await status in player.statusUpdates {
  print(status.state, status.nowPlaying?.item.title ?? "")
  if status.state == .stopped { break }
}
