// SPDX-License-Identifier: MIT
import FermataTestKit

/// What is measured together.
enum Group: String, CaseIterable {
  case idle, bus, commands, play, decode, latency, gapless, formats, queue, routes, pads, library, scanning,
    screen,
    client

  var summary: String {
    switch self {
    case .idle: "doing nothing, connected to a bus and a sound server"
    case .bus: "answers on the bus"
    case .commands: "what somebody waits for at a prompt"
    case .play: "wakeups, processor and memory while playing, paused and stopped"
    case .decode: "instructions, by callgrind"
    case .latency: "from an order to the first sample at the sink's monitor"
    case .gapless: "one sine, cut in three, in every format"
    case .formats: "what FFmpeg decodes for us, beside other players"
    case .queue: "the queue at 50,000 and at 1,000,000 entries"
    case .routes: "what the loudspeakers get when headphones go"
    case .pads: "from a hit to the first sample at the sink's monitor"
    case .library: "tagged files read, looked through again, searched and grouped"
    case .scanning: "what a listener notices while files are read into the library"
    case .screen: "the screen in a terminal, and what it answers keys with"
    case .client: "a program of somebody else's, with the Swift library"
    }
  }
}

extension Bench {
  /// Measures a group. What cannot be measured stands in the report with its reason.
  func figures(of group: Group) -> [Figure] {
    do {
      switch group {
      case .idle: return try idle()
      case .bus: return try bus()
      case .commands: return try commands()
      case .play: return try playing()
      case .decode: return try decoding()
      case .latency: return try latency()
      case .gapless: return gapless()
      case .formats: return try formats()
      case .queue: return queue()
      case .routes: return try routes()
      case .pads: return try pads()
      case .library: return try library()
      case .scanning: return try scanning()
      case .screen: return try screens()
      case .client: return try client()
      }
    } catch {
      return [.missing("\(group)", "\(error)")]
    }
  }
}
