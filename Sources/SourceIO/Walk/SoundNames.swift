// SPDX-License-Identifier: MIT
internal import MediaModel

/// The sound files of a folder, which can be found by approximate names. Many CUE sheets were written on systems that
/// ignore case, or name a `.wav` that has since been converted to `.flac`.
struct SoundNames {
  private var exact: Set<FilePath> = []
  private var folded: [String: FilePath] = [:]
  private var stems: [String: FilePath] = [:]

  /// If several names differ only in case, the first one is found. If they differ only in their extension, the format
  /// that loses least is found.
  init(_ names: [FilePath]) {
    exact = Set(names)
    for name in names {
      let text = name.text.lowercased()
      if folded[text] == nil { folded[text] = name }
      let stem = name.stem.lowercased()
      if stems[stem].map({ Self.rank(name) < Self.rank($0) }) ?? true { stems[stem] = name }
    }
  }

  /// The file that a name most likely means; nil if none is near enough.
  func match(_ name: FilePath) -> FilePath? {
    if exact.contains(name) { return name }
    // A name without an extension may contain dots, so its whole text is tried as well.
    let text = name.text.lowercased()
    return folded[text] ?? stems[name.stem.lowercased()] ?? stems[text]
  }

  private static func rank(_ name: FilePath) -> Int {
    FilePath.soundExtensions.firstIndex(of: name.pathExtension) ?? .max
  }
}
