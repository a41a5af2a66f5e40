// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// The program with all its files below a folder of the test's own, as `make install` puts them there for one user.
final class Installation {
  let folder: TemporaryDirectory
  /// What they are installed below, as the installed files name it.
  let prefix: String
  /// What stands before that while a package is made.
  let destination: String

  /// Installs the program that is built beside the tests.
  init(prefix: String? = nil, isPackage: Bool = false) throws {
    folder = try TemporaryDirectory()
    self.prefix = prefix ?? folder.path(".local")
    destination = isPackage ? folder.path("package") : ""
    try run("install")
  }

  /// Takes everything away again.
  func uninstall() throws { try run("uninstall") }

  private func run(_ word: String) throws {
    _ = try Child.run(Self.script, [word], environment: Self.environment(prefix, destination))
  }

  /// What the installer reads.
  static func environment(_ prefix: String, _ destination: String = "") throws -> [String: String] {
    [
      "PREFIX": prefix, "DESTDIR": destination, "PROGRAM": try Program.beside("fermata").path,
      "HOME": "/nonexistent",
    ]
  }

  /// The tree that this file stands in.
  static let tree = #filePath.split(separator: "/").dropLast(4).reduce("") { "\($0)/\($1)" }
  /// What `make install` runs.
  static let script = Program(path: tree + "/packaging/install/install.sh")

  /// The installed program.
  var program: Program { Program(path: "\(destination)\(prefix)/bin/fermata") }
  /// Where the bus looks for what it can start.
  var serviceFolder: String { "\(destination)\(prefix)/share/dbus-1/services" }

  /// The text of an installed file.
  func text(_ name: String) throws -> String {
    try Child.run(Program(path: "/bin/cat"), ["\(destination)\(prefix)/\(name)"])
  }

  /// Every folder below its own, by its place there.
  func folders() throws -> [String] { try Self.folders(in: folder) }

  /// Every folder below this one, by its place there.
  static func folders(in folder: TemporaryDirectory) throws -> [String] {
    try Child.run(
      .named("find", package: "findutils"), [folder.path, "-mindepth", "1", "-type", "d", "-printf", "%P\n"]
    ).split(separator: "\n").map(String.init).sorted()
  }

  /// Every file below the folder, by its place below the prefix, with its rights; without the desktop's index of the entries, which
  /// is everybody's and made anew where its maker is installed.
  func files() throws -> [String: String] {
    let top = destination + prefix
    let lines = try Child.run(
      .named("find", package: "findutils"), [folder.path, "-type", "f", "-printf", "%m %p\n"])
    var files: [String: String] = [:]
    for line in lines.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      let path = parts[1].hasPrefix(top + "/") ? parts[1].dropFirst(top.count + 1) : parts[1]
      if path.hasSuffix("/mimeinfo.cache") { continue }
      files[String(path)] = String(parts[0])
    }
    return files
  }
}
