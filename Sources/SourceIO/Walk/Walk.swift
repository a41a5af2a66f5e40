// SPDX-License-Identifier: MIT
internal import FileIO
internal import MediaModel
internal import PlaybackLogic

/// One expansion under way: what was found, what went wrong, and how much may still be spent.
struct Walk {
  /// A playlist that is open, inside those before it.
  struct OpenPlaylist {
    let path: FilePath
    let identity: FileIdentity
  }

  let limits: SourceLimits
  let tagsOf: (@Sendable (FilePath) -> MediaTags?)?
  var refusal: (@Sendable (FilePath) -> String?)?
  private let progress: (SourceProgress) -> Void
  private let isCancelled: () -> Bool

  private(set) var found: [EntrySource] = []
  private(set) var problems: [SourceProblem] = []
  private var furtherProblems = 0
  /// How often something went wrong, repetitions and all.
  private(set) var failures = 0
  private var steps = 0
  private var stepsAsked = 0

  /// The playlists from the one that was named to the one being read.
  var playlists: [OpenPlaylist] = []
  /// The folders that were walked for the name at hand: links may lead to one often, or back to where they
  /// are.
  var walked: Set<FileIdentity> = []

  init(
    _ limits: SourceLimits, tagsOf: (@Sendable (FilePath) -> MediaTags?)?,
    progress: @escaping (SourceProgress) -> Void, isCancelled: @escaping () -> Bool
  ) {
    self.limits = limits
    self.tagsOf = tagsOf
    self.progress = progress
    self.isCancelled = isCancelled
  }

  /// Whether a limit was reached, after which nothing is added.
  private(set) var isFull = false

  /// How many entries there is room for.
  var room: Int { limits.entries - found.count }

  /// The outcome, where something was found.
  var expansion: SourceExpansion {
    SourceExpansion(entries: found, problems: problems, furtherProblems: furtherProblems)
  }

  /// The outcome where nothing was.
  var nothing: SourceError {
    let isAllMissing = problems.allSatisfy { $0.kind == .missing && $0.playlist == nil } && !problems.isEmpty
    return SourceError(isAllMissing ? .noSuchFile : .nothingPlayable, problems: problems)
  }

  /// Takes an entry, or notes that there is no room for it.
  mutating func take(_ entry: EntrySource, from subject: FilePath) {
    guard !isFull else { return }
    guard room > 0 else { return fill(subject, .tooMany(limits.entries)) }
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

  /// A folder or playlist comes next. Throws where it was called off.
  mutating func enter(_ path: FilePath) throws(SourceError) {
    progress(SourceProgress(entries: found.count, current: path))
    if isCancelled() { throw SourceError(.cancelled) }
  }

  /// Counts what was looked at. Throws where it was called off.
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
}
