// SPDX-License-Identifier: MIT
internal import MediaModel

/// The sound files of a folder, to be found by names that are only nearly theirs: many CUE sheets were
/// written on systems that ignore case, and name a `.wav` that has become a `.flac` since.
struct SoundNames {
  private var exact: Set<FilePath> = []
  private var folded: [String: FilePath] = [:]
  private var stems: [String: FilePath] = [:]

  /// Of several names that are alike the first is found; of several formats the one that loses least.
  init(_ names: [FilePath]) {
    exact = Set(names)
    for name in names {
      let text = name.text.lowercased()
      if folded[text] == nil { folded[text] = name }
      let stem = name.stem.lowercased()
      if stems[stem].map({ Self.rank(name) < Self.rank($0) }) ?? true { stems[stem] = name }
    }
  }

  /// The file that a name means most likely; nil where none comes near.
  func match(_ name: FilePath) -> FilePath? {
    if exact.contains(name) { return name }
    // A name without an extension may have points in it.
    let text = name.text.lowercased()
    return folded[text] ?? stems[name.stem.lowercased()] ?? stems[text]
  }

  private static func rank(_ name: FilePath) -> Int {
    FilePath.soundExtensions.firstIndex(of: name.pathExtension) ?? .max
  }
}
