// SPDX-License-Identifier: MIT
public import MediaModel

/// A playlist with the playlists in it laid open, loops and runaway growth kept out.
public struct PlaylistExpansion: Sendable, Equatable {
  /// Why something is missing.
  public enum Problem: Sendable, Hashable, CustomStringConvertible {
    /// A playlist holds itself, by way of another or at once.
    case loop(FilePath, within: FilePath)
    /// Playlists within playlists beyond the limit, which is also how a loop through links shows.
    case tooDeep(FilePath)
    /// More entries than the limit.
    case tooMany(Int)

    /// What is left out and why.
    public var description: String {
      switch self {
      case .loop(let path, let outer): "\(path): left out of \(outer), because it contains that again"
      case .tooDeep(let path): "\(path): left out, because playlists are nested too deeply"
      case .tooMany(let limit): "more than \(limit) entries; the rest is left out"
      }
    }
  }

  /// What is to be played, in order; no playlists among it.
  public private(set) var entries: [PlaylistEntry] = []
  /// What was left out; the first hundred.
  public private(set) var problems: [Problem] = []

  private let depthLimit: Int
  private let entryLimit: Int
  private var path: [FilePath] = []
  /// Playlists may still be opened: lists of nothing but lists grow without a single entry.
  private var opensLeft: Int

  /// Lays open a playlist. `contents` gives what a file holds where that is a playlist, and nil where it is
  /// something to play or can't be read; it is asked once each time the file appears.
  public init(
    of root: FilePath, depthLimit: Int = 8, entryLimit: Int = PlaylistReader.mostEntries,
    contents: (FilePath) -> [PlaylistEntry]?
  ) {
    self.depthLimit = depthLimit
    self.entryLimit = entryLimit
    opensLeft = entryLimit
    path = [root.tidied]
    add(contents(root) ?? [], contents)
  }

  private var isFull: Bool { entries.count >= entryLimit || opensLeft == 0 }

  private mutating func add(_ list: [PlaylistEntry], _ contents: (FilePath) -> [PlaylistEntry]?) {
    for entry in list {
      guard !isFull else { return note(.tooMany(entryLimit)) }
      guard case .file(let file) = entry.location, entry.part == nil else {
        entries.append(entry)
        continue
      }
      open(file.tidied, entry, contents)
    }
  }

  private mutating func open(
    _ file: FilePath, _ entry: PlaylistEntry, _ contents: (FilePath) -> [PlaylistEntry]?
  ) {
    if path.contains(file) { return note(.loop(file, within: path[path.count - 1])) }
    guard let inner = contents(file) else { return entries.append(entry) }
    opensLeft -= 1
    guard path.count < depthLimit else { return note(.tooDeep(file)) }
    path.append(file)
    add(inner, contents)
    path.removeLast()
  }

  private mutating func note(_ problem: Problem) {
    if problems.count < 100, problems.last != problem { problems.append(problem) }
  }
}
