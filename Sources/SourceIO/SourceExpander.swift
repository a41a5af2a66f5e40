// SPDX-License-Identifier: MIT
package import MediaModel

/// Turns what people and peers name into entries of the queue: files, folders in natural order, playlists.
///
/// A value without state; use it from any thread. Expanding blocks on the disk for as long as that takes,
/// so it belongs on a worker thread, never on the loop.
package struct SourceExpander: Sendable {
  /// Where relative paths start; absolute.
  package let base: FilePath
  /// How far it goes.
  package var limits = SourceLimits()
  /// The tags of a file, for ordering small folders by disc and track; without it they go by name. Blocks.
  package var tagsOf: (@Sendable (FilePath) -> MediaTags?)?
  /// Why a file of a name that promises nothing cannot be played, nil where it can; without it all can. Blocks.
  package var refusal: (@Sendable (FilePath) -> String?)?

  /// An expander for names as seen from a folder. Traps where that is relative.
  package init(
    base: FilePath, tagsOf: (@Sendable (FilePath) -> MediaTags?)? = nil,
    refusal: (@Sendable (FilePath) -> String?)? = nil
  ) {
    precondition(base.isAbsolute, "relative to what: \(base)")
    self.base = base
    self.tagsOf = tagsOf
    self.refusal = refusal
  }

  /// All that the requests come to, in their order. `progress` hears of every folder and playlist,
  /// `isCancelled` is asked every few hundred names; both on this thread.
  /// - Throws: where it was called off and where nothing plays. What fails beside something that plays is a
  /// problem.
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
