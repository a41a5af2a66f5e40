// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
internal import MediaModel
internal import PlaybackLogic
internal import PlaylistModel

/// A search for the sounds in files, folders and playlists while it goes on: the entries found, the problems, and how much of the limits is used up.
struct SourceSearch {
  let expander: SourceExpander
  private let progress: (SourceProgress) -> Void
  private let isCancelled: () -> Bool

  private(set) var found: [EntrySource] = []
  private(set) var problems: [SourceProblem] = []
  private var furtherProblems = 0
  /// The files in folders that were left out because they are not played.
  var unplayed = UnplayedFiles()
  private let chapters = FileChapters()
  /// How many files that are not played were opened, only to name their kind in a message.
  var looks = 0
  /// How many times something was left out with a problem, repeated ones included.
  private(set) var failures = 0
  private var steps = 0
  private var stepsAsked = 0
  /// The playlists that are nested in one another, from the one that the user named to the one that is being read.
  private(set) var playlists: [(path: FilePath, identity: FileIdentity)] = []
  /// The folders already visited for the source that is being searched now. Links may lead to the same folder several times, or back to a folder
  /// above them.
  private(set) var visited: Set<FileIdentity> = []

  init(
    _ expander: SourceExpander, progress: @escaping (SourceProgress) -> Void,
    isCancelled: @escaping () -> Bool
  ) {
    (self.expander, self.progress, self.isCancelled) = (expander, progress, isCancelled)
  }

  var limits: SourceLimits { expander.limits }

  /// Whether a limit was reached. After that nothing is added.
  private(set) var isFull = false

  /// The entries and problems that were found, as a result. Use it only if an entry was found.
  var expansion: SourceExpansion {
    SourceExpansion(entries: found, problems: problems, furtherProblems: furtherProblems, unplayed: unplayed)
  }

  /// The error to throw if nothing was found.
  var nothing: SourceError {
    let isAllMissing = problems.allSatisfy { $0.kind == .missing && $0.playlist == nil } && !problems.isEmpty
    return SourceError(isAllMissing ? .noSuchFile : .nothingPlayable, problems: problems)
  }

  /// Adds an entry. If there are too many already, notes a problem instead, and the search is full. Does nothing if it
  /// is full.
  mutating func append(_ entry: EntrySource, from subject: FilePath) {
    guard !isFull else { return }
    guard found.count < limits.entries else { return fill(subject, .tooMany(limits.entries)) }
    found.append(entry)
  }

  mutating func note(_ subject: String, _ kind: SourceProblem.Kind) {
    failures += 1
    let problem = SourceProblem(subject, kind, in: playlists.last?.path)
    guard problem != problems.last else { return }
    if problems.count < limits.problems { problems.append(problem) } else { furtherProblems += 1 }
  }

  mutating func note(_ path: FilePath, _ kind: SourceProblem.Kind) { note(path.text, kind) }

  mutating func note(_ path: FilePath, _ error: SystemError) {
    note(path, error.isMissing ? .missing : .unreadable(error.code))
  }

  /// Reports to the caller that this folder or playlist is read next. Throws if the caller cancelled.
  mutating func enter(_ path: FilePath) throws(SourceError) {
    progress(SourceProgress(entries: found.count, current: path))
    if isCancelled() { throw SourceError(.cancelled) }
  }

  /// Counts steps, such as the names in a folder and the lines of a playlist. Above the limit the search is full, and a problem is noted. Throws if
  /// the caller cancelled, which is asked every few hundred steps.
  mutating func step(_ count: Int = 1, at path: FilePath) throws(SourceError) {
    steps += count
    if steps > limits.steps, !isFull { fill(path, .tooLong(limits.steps)) }
    guard steps - stepsAsked >= 256 else { return }
    stepsAsked = steps
    if isCancelled() { throw SourceError(.cancelled) }
  }

  private mutating func fill(_ subject: FilePath, _ kind: SourceProblem.Kind) {
    isFull = true
    note(subject, kind)
  }

  mutating func visit(_ folder: FileIdentity) { visited.insert(folder) }
  mutating func begin(playlist path: FilePath, _ identity: FileIdentity) {
    playlists.append((path, identity))
  }
  mutating func endPlaylist() { playlists.removeLast() }

  // MARK: Names

  /// Adds a source that a person or a program on the bus named. A relative path starts at `base`.
  mutating func add(_ request: SourceRequest, base: FilePath) throws(SourceError) {
    switch request {
    case .path(let path): try add(path.resolved(against: base).withoutParents)
    case .uri(let uri): try add(uri: uri)
    case .part(let path, let part, let album): add(part, of: path, album)
    }
  }

  private mutating func add(_ part: FilePart, of path: FilePath, _ album: String?) {
    guard path.isReadableFile else {
      do {
        let kind = try HeldFile(path).kind
        note(path, kind == .file ? .unreadable(EACCES) : .notAFile(kind.name))
      } catch { note(path, error) }
      return
    }
    append(
      EntrySource(path.location, span: CueSpan(part), album: AlbumKey(sheet: album, cutting: path)),
      from: path)
  }

  mutating func add(uri: String) throws(SourceError) {
    let path: FilePath
    do {
      path = try FilePath(uri: uri, host: FilePath.thisHost).tidied
    } catch {
      return note(uri, .badURI(error.explanation))
    }
    try add(path.withoutParents)
  }

  /// Adds a file, folder or playlist at an absolute path that a person or a playlist named.
  mutating func add(_ path: FilePath) throws(SourceError) {
    // For such a name the kind of file is clear, so it need not be opened; a list may name very many.
    if path.looksPlayable, PlaylistFormat(name: path) == nil, path.isReadableFile {
      return append(sound: path, AlbumKey(folderOf: path))
    }
    let held: HeldFile
    do { held = try HeldFile(path) } catch { return note(path, error) }
    switch held.kind {
    case .file: try add(file: held, path)
    case .folder: try add(namedFolder: held, path)
    case .pipe, .socket, .device: note(path, .notAFile(held.kind.name))
    }
  }

  private mutating func add(file: borrowing HeldFile, _ path: FilePath) throws(SourceError) {
    let open: OpenFile
    do { open = try file.openFile() } catch { return note(path, error) }
    let isPlaylist: Bool
    do { isPlaylist = try Self.isPlaylist(open, path) } catch { return note(path, error) }
    if isPlaylist {
      try add(playlist: open, path, file.identity)
    } else if !path.looksPlayable, let reason = expander.refusal?(path) {
      note(path, .noSound(reason))
    } else {
      append(sound: path, AlbumKey(folderOf: path))
    }
  }

  /// Adds a sound file: as its chapters, if it has any.
  mutating func append(sound path: FilePath, _ album: AlbumKey) {
    let chapters = self.chapters.entries(of: path)
    if chapters.isEmpty { return append(EntrySource(path.location, album: album), from: path) }
    // A book is an album of its own, whatever files lie beside it.
    let book = AlbumKey(sheet: path.stem, cutting: path)
    for chapter in chapters {
      append(EntrySource(path.location, span: chapter.part.flatMap(CueSpan.init), album: book), from: path)
    }
  }

  /// Whether a file is a playlist, decided by its name if possible. Its content decides only if the name is neither that of a playlist nor that of a
  /// media file, because a playlist that is named like a sound file must not open the files that it lists.
  private static func isPlaylist(_ file: borrowing OpenFile, _ path: FilePath) throws(SystemError) -> Bool {
    if PlaylistFormat(name: path) != nil { return true }
    if path.looksPlayable || path.looksForeign { return false }
    return PlaylistFormat(bytes: try file.head(4_096), name: path) != nil
  }

  private mutating func add(namedFolder: borrowing HeldFile, _ path: FilePath) throws(SourceError) {
    let (before, unplayedBefore) = ((found.count, failures), unplayed)
    visited = []
    try add(folder: namedFolder, path, depth: 0)
    guard !isFull, (found.count, failures) == before else { return }
    let here = unplayed.since(unplayedBefore)
    note(path, here.map { .noSound("nothing in it plays: \($0.text)") } ?? .empty)
    // The user named these files, so they are reported as problems and need not be counted here too.
    unplayed = unplayedBefore
  }
}
