// SPDX-License-Identifier: MIT
import Fermata

// Searches the library, keeps a queue, and shows which of its rows is marked. A line is an order:
//
//   /blue train   search           3   play row 3
//   +2            queue result 2   -3  remove row 3
//   p             play or pause    n   next
//   > or <        hold to seek; an empty line lets go
//   q             end; the music plays on

let player = MusicPlayer.system
var found: [MediaItem] = []

/// Finds songs that have all these words in their title, names or genre.
@MainActor func search(_ words: Substring) async throws {
  var songs = MediaQuery.songs()
  songs.searchText = String(words)
  songs.limit = 9
  found = try await songs.items
  if found.isEmpty { print("nothing found; `fermata library add FOLDER` fills the library") }
  for (number, song) in found.enumerated() {
    print("  +\(number + 1)  \(song.title) – \(song.artist ?? "Unknown Artist")")
  }
}

/// Puts a song that was found at the end of the queue.
@MainActor func queue(_ number: Substring) async throws {
  guard let number = Int(number), found.indices.contains(number - 1),
    let id = found[number - 1].persistentID
  else { return print("no result has this number") }
  try await player.append([.item(id)])
}

/// The identity of a row. A number names another row after each edit; the identity never does.
@MainActor func row(_ number: Substring) async throws -> QueueEntry.ID? {
  guard let number = Int(number), number > 0 else { return nil }
  return try await player.entries(from: number - 1, count: 1).first?.id
}

@MainActor func show() async throws {
  let rows = try await player.entries()
  if rows.isEmpty { print("the queue is empty") }
  for (number, row) in rows.enumerated() {
    print(row.isCurrent ? "▶" : " ", number + 1, row.item.title)
  }
}

@MainActor func obey(_ line: String) async throws {
  let rest = line.dropFirst()
  switch line.first {
  case nil: try await player.endSeeking()
  case "/": try await search(rest)
  case "+": try await queue(rest)
  case "-":
    guard let id = try await row(rest) else { return print("there is no such row") }
    try await player.remove([id])
  case "p":
    if let reason = try await player.togglePlayPause() { print("waiting: \(reason)") }
  case "n": try await player.skipToNextItem()
  case ">": try await player.beginSeeking(.forward)
  case "<": try await player.beginSeeking(.backward)
  default:
    guard let id = try await row(line[...]) else { return print("what is '\(line)'?") }
    try await player.play(id)
  }
}

// The queue is shown again whenever it changes, whoever changes it.
let watching = Task {
  for await _ in player.queueUpdates { try? await show() }
}

while let line = await Task.detached(operation: { readLine() }).value, line != "q" {
  do { try await obey(line) } catch { print(error) }
}
watching.cancel()
