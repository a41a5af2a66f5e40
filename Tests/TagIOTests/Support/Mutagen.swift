// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// A tagger and reader of tags by other people, in Python, which shares no code and no author with ours.
enum Mutagen {
  /// What it reads in a file: values by the name of a property.
  typealias Reading = [String: [String]]

  /// Whether it is installed for the system's Python.
  static let isInstalled: Bool = (try? run(["read"])) != nil

  /// Writes files into a folder that has an untagged `plain` one of each kind, and returns what it reads in them, by their names. The
  /// same seed gives the same files.
  static func files(in folder: TemporaryDirectory, seed: Int, rounds: Int) throws -> [String: Reading] {
    try readings(try run(["make", folder.path, "\(seed)", "\(rounds)"]))
  }

  /// What it reads in the files that somebody else has written.
  static func reading(_ files: [String]) throws -> [String: Reading] {
    try readings(try run(["read"] + files))
  }

  private static func run(_ arguments: [String]) throws -> String {
    // A Python of one's own, earlier in the path, seldom has the package that the distribution installs.
    let system = Program(path: "/usr/bin/python3")
    let program = access(system.path, X_OK) == 0 ? system : try .named("python3", package: "python3-mutagen")
    let script = #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/mutagen-tags.py"
    return try Child.run(
      program, [script] + arguments, environment: ["PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8"])
  }

  /// A line a file: its name, and then a name and a value in turns, all between control characters that are in no text.
  private static func readings(_ output: String) throws -> [String: Reading] {
    var files: [String: Reading] = [:]
    for line in output.split(separator: "\n") {
      let parts = line.split(separator: "\u{1f}", omittingEmptySubsequences: false).map(String.init)
      guard let name = parts.first, parts.count % 2 == 1 else { throw KitError("mutagen says \(line)") }
      var reading: Reading = [:]
      for index in stride(from: 1, to: parts.count, by: 2) {
        reading[parts[index], default: []].append(parts[index + 1])
      }
      files[name] = reading
    }
    return files
  }
}
