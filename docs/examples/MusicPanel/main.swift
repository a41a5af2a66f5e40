// SPDX-License-Identifier: MIT
import Fermata

// A panel that shows what plays, with its cover, and has six buttons. A line is a button:
//
//   p  play or pause   s  stop
//   n  next            b  previous
//   +  30 s on         -  30 s back
//
// The line of progress comes every 0.3 s while the music plays. While it does not, the program sleeps.

let player = MusicPlayer.system
/// The row that is shown.
var shown: QueueEntry?

/// A time as people write it: 3:07.
func clock(_ time: Duration) -> String {
  let seconds = time.components.seconds
  return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
}

@MainActor func show(_ entry: QueueEntry?) async {
  shown = entry
  guard let entry else { return print("nothing to play") }
  let item = entry.item
  print(item.title)
  print(item.artist ?? "Unknown Artist", "–", item.albumTitle ?? "Unknown Album")
  // In the size of the panel. Where the music has no cover, one is drawn.
  print("cover:", (try? await player.artworkURL(of: entry.id, size: 160)) ?? "none")
}

/// A line of 40 signs that fills while the music plays.
func bar(_ position: Duration, of length: Duration?) -> String {
  guard let length, length > .zero else { return clock(position) }
  let filled = min(40, max(0, Int(40 * (position / length))))
  return clock(position) + " " + String(repeating: "━", count: filled)
    + String(repeating: "┈", count: 40 - filled)
    + " " + clock(length)
}

@MainActor func press(_ button: String) async throws {
  switch button {
  case "p": try await player.togglePlayPause()
  case "s": try await player.stop()
  case "n": try await player.skipToNextItem()
  case "b": try await player.skipToPreviousItem()
  case "+": try await player.seek(by: .seconds(30))
  case "-": try await player.seek(by: .seconds(-30))
  default: print("p, s, n, b, + or -")
  }
}

// Each sequence tells what is so now, and then each change, whoever makes it. They end with the program.
Task { for await entry in player.nowPlayingUpdates { await show(entry) } }
Task {
  var last = ""
  // In words for people: "paused: the headphones were unplugged".
  for await status in player.statusUpdates where status.explanation != last {
    last = status.explanation
    print(last)
  }
}
Task {
  // While there is no player, the other sequences tell nothing.
  for await case .unavailable(let error) in player.availabilityUpdates { print(error) }
}
Task {
  // The player tells both, so nobody has to be asked.
  for await position in player.positionUpdates() { print(bar(position, of: shown?.item.playbackDuration)) }
}

while let button = await Task.detached(operation: { readLine() }).value {
  do { try await press(button) } catch { print(error) }
}
