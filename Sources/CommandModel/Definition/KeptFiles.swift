// SPDX-License-Identifier: MIT

/// Files that a program keeps for its user under names that the user chose. Shell completion offers these names.
///
/// Characters that a file name can't contain are written as `%XX` in it. The shell looks for the files itself,
/// without running the program.
package struct KeptFiles: Sendable, Hashable {
  /// The kind of these files, as one lower-case word. It becomes part of function names in scripts.
  package let word: String
  /// The folder that they are in, relative to the user's data folder (`$XDG_DATA_HOME`).
  package let folder: String
  /// Their file name extension, without the dot.
  package let ending: String

  /// Files in a folder.
  package init(_ word: String, in folder: String, ending: String) {
    self.word = word
    self.folder = folder
    self.ending = ending
  }
}
