// SPDX-License-Identifier: MIT

/// Files that a program keeps for its user, each under a name that the user gave: what shells offer where such a name is typed.
///
/// What a file's name cannot hold stands in it as `%XX`. They are looked for where the shell completes; nothing of the program runs.
package struct KeptFiles: Sendable, Hashable {
  /// What they are, as one lower-case word: part of the names of functions in scripts.
  package let word: String
  /// The folder that they are in, below the user's data (`$XDG_DATA_HOME`).
  package let folder: String
  /// What their names end with, without the dot.
  package let ending: String

  /// Files in a folder.
  package init(_ word: String, in folder: String, ending: String) {
    self.word = word
    self.folder = folder
    self.ending = ending
  }
}
