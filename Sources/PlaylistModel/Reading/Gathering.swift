// SPDX-License-Identifier: MIT
internal import MediaModel

/// The entries and problems that have been read from a playlist so far.
struct Gathering {
  private static let mostProblems = 100

  /// The folder at which relative paths start.
  let folder: FilePath
  var playlist = Playlist()
  private(set) var problems: [PlaylistProblem] = []

  init(folder: FilePath) { self.folder = folder }

  mutating func problem(_ line: Int, _ reason: String) {
    if problems.count < Self.mostProblems { problems.append(PlaylistProblem(line: line, reason: reason)) }
  }

  mutating func add(_ entry: PlaylistEntry, line: Int) {
    if playlist.entries.count < PlaylistReader.mostEntries {
      playlist.entries.append(entry)
    } else if problems.last?.reason != Self.tooMany {
      problem(line, Self.tooMany)
    }
  }

  /// The entry for a path or URI as it is written; nil, with a problem noted, if it is not valid.
  mutating func entry(_ written: some Collection<UInt8>, line: Int) -> PlaylistEntry? {
    guard !written.isEmpty, !written.contains(0) else {
      problem(line, "no path; write one")
      return nil
    }
    do {
      return PlaylistEntry(location: try MediaLocation(written, in: folder), written: Array(written))
    } catch {
      problem(line, error.description)
      return nil
    }
  }

  private static let tooMany = "more than \(PlaylistReader.mostEntries) entries; the rest is left out"
}
