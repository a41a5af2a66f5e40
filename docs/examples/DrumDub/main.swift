// SPDX-License-Identifier: MIT
import Fermata
import FermataPlayer

// Plays music inside this program, and four drums on top of it: `DrumDub /PATH/FILE…`. A line is an order:
//
//   1 2 3 4   snare, bass, tambourine, maraca; several in a line are struck together
//   p         play or pause the music
//   v 0.5     how loud the drums are
//
// A call interrupts the music, which comes back by itself; the drums wait for the next hit. Headphones that are pulled out stop both, and
// neither comes back until somebody wants it.

let player = MusicPlayer.application
let session = AudioSession.application
let pads = SoundPads.application

@MainActor func strike(_ line: String) async throws {
  for number in line.compactMap(\.wholeNumberValue) { try await pads.hit(number) }
}

@MainActor func obey(_ line: String) async throws {
  switch line.first {
  case "p": try await player.togglePlayPause()
  case "v":
    guard let volume = Double(line.dropFirst().drop { $0 == " " }) else { return print("v 0.5, for example") }
    try await pads.setVolume(volume)
  default: try await strike(line)
  }
}

func say(_ interruption: Interruption) {
  switch interruption {
  case .began(let source, true): print("the music is interrupted: \(source)")
  case .began(let source, false): print("interrupted while nothing played: \(source)")
  case .ended(let source, true): print("\(source) is over: the music goes on")
  case .ended(let source, false): print("\(source) is over")
  case .overruled(let source): print("the music plays on in spite of: \(source)")
  }
}

func say(_ change: RouteChange) {
  let place = change.current?.description ?? "nowhere"
  switch change.reason {
  case .oldDeviceUnavailable where change.pausedPlayback: print("unplugged: the music is paused")
  default: print("the sound goes to \(place)")
  }
}

do {
  try await session.activate()
} catch {
  // Without a sound server the program goes on: the session says when there is one.
  print(error)
}

Task { for await interruption in session.interruptions { say(interruption) } }
Task { for await change in session.routeChanges { say(change) } }
Task {
  for await kit in pads.kitUpdates {
    print(kit.isEnabled ? "the drums are ready" : "no drums: \(kit.reason ?? "")")
  }
}

do {
  let music = CommandLine.arguments.dropFirst().map { MusicSource.path($0) }
  if !music.isEmpty {
    try await player.setQueue(with: music)
    try await player.setRepeatMode(.all)
    try await player.play()
  }
  let kit = try await pads.prepare()
  print(kit.pads.map { "\($0.id) \($0.name)" }.joined(separator: ", "))
} catch {
  print(error)
}

while let line = await Task.detached(operation: { readLine() }).value {
  do { try await obey(line) } catch { print(error) }
}
