// SPDX-License-Identifier: MIT

/// Files that a program keeps for its user, each under a name that the user gave: what shells offer where such a name is typed.
///
/// What a file's name cannot hold stands in it as `%XX`. They are looked for where the shell completes; nothing of the program runs.
public struct KeptFiles: Sendable, Hashable {
  /// What they are, as one lower-case word: part of the names of functions in scripts.
  public let word: String
  /// The folder that they are in, below the user's data (`$XDG_DATA_HOME`).
  public let folder: String
  /// What their names end with, without the dot.
  public let ending: String

  /// Files in a folder.
  public init(_ word: String, in folder: String, ending: String) {
    self.word = word
    self.folder = folder
    self.ending = ending
  }
}
