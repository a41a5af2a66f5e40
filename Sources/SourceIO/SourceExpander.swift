// SPDX-License-Identifier: MIT
package import MediaModel

/// Turns named sources (files, folders, playlists) into queue entries. Folders are expanded in natural order.
///
/// It holds no mutable state and may be used from any thread. Expanding blocks on the disk, possibly for long, so it
/// belongs on a worker thread, never on the loop.
package struct SourceExpander: Sendable {
  /// The folder at which relative paths start; absolute.
  package let base: FilePath
  /// The limits of one expansion.
  package var limits = SourceLimits()
  /// Reads the tags of a file. With it, small folders are ordered by disc and track; without it, by name. Blocks.
  package var tagsOf: (@Sendable (FilePath) -> MediaTags?)?
  /// Checks a file whose extension is not that of a sound file. Returns the reason why it cannot be played, or nil if
  /// it can. Without this closure all such files are taken. Blocks.
  package var refusal: (@Sendable (FilePath) -> String?)?

  /// An expander that resolves relative names against a folder. Traps if that folder's path is relative.
  package init(
    base: FilePath, tagsOf: (@Sendable (FilePath) -> MediaTags?)? = nil,
    refusal: (@Sendable (FilePath) -> String?)? = nil
  ) {
    precondition(base.isAbsolute, "relative to what: \(base)")
    self.base = base
    self.tagsOf = tagsOf
    self.refusal = refusal
  }

  /// Expands the requests, in their order. `progress` is called for every folder and playlist, and `isCancelled` at
  /// each of these and every few hundred steps; both on the calling thread. Blocks.
  /// - Throws: if it was cancelled or nothing plays. If something plays, whatever else fails is reported as a
  ///   problem.
  package func expand(
    _ requests: [SourceRequest], progress: @escaping (SourceProgress) -> Void = { _ in },
    isCancelled: @escaping () -> Bool = { false }
  ) throws(SourceError) -> SourceExpansion {
    var walk = Walk(limits, tagsOf: tagsOf, progress: progress, isCancelled: isCancelled)
    walk.refusal = refusal
    for request in requests where !walk.isFull { try walk.add(request, base: base) }
    guard walk.found.isEmpty else { return walk.expansion }
    throw walk.nothing
  }
}
