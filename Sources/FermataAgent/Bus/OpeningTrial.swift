// SPDX-License-Identifier: MIT
import AgentLoop
import DecodeIO
import PlaybackLogic

/// Finds out whether anything of what is to be queued can be opened. If nothing can, playing it would end what plays, and say
/// nothing.
///
/// It stops at the first file that can be opened, so good files cost one opening, however many they are. Bad ones are tried for as
/// long as somebody may be kept waiting; files that have not been tried by then are taken to be good.
struct OpeningTrial {
  /// How long to go on trying. An opening takes less than a millisecond, from a slow disk twenty.
  var patience = Duration.seconds(2)
  /// The clock.
  var now: () -> Duration = { AgentLoop.now }
  /// Opens what is at a location. Blocks. The tune needs no file.
  var open: (String) throws(DecodeError) -> Void = { (location) throws(DecodeError) in
    if location != Tune.location { _ = try SoundOpener.tryToOpen(location) }
  }

  /// Called with each location before it is opened.
  var looks: (String) -> Void = { _ in }

  // A person reads no more than this, and an answer must not grow with a folder.
  private static let mostReasons = 3

  /// Why none of the sources can be played; nil if one can be opened, or if not all could be tried in time. Blocks.
  func refusal(of sources: [EntrySource]) -> String? {
    let end = now() + patience
    var (reasons, tried) = ([String](), 0)
    for location in Self.files(sources) {
      if tried > 0, now() >= end { return nil }
      looks(location)
      do throws(DecodeError) {
        try open(location)
        return nil
      } catch {
        tried += 1
        if reasons.count < Self.mostReasons { reasons.append("\(error)") }
      }
    }
    return Self.text(reasons, of: tried)
  }

  /// The locations of the sources. Tracks in a row that are parts of one file count once.
  private static func files(_ sources: [EntrySource]) -> some Sequence<String> {
    sources.indices.lazy
      .filter { $0 == 0 || sources[$0].location != sources[$0 - 1].location }
      .map { sources[$0].location }
  }

  private static func text(_ reasons: [String], of count: Int) -> String? {
    guard reasons.count > 1 else { return reasons.first }
    let further = count - reasons.count
    return "none of \(count) files can be played: " + reasons.joined(separator: "; ")
      + (further > 0 ? "; and \(further) more" : "")
  }
}
