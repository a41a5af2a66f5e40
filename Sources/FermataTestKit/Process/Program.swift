// SPDX-License-Identifier: MIT
import Glibc

/// A program of this machine that the kit runs.
public struct Program: Sendable {
  /// What it is called.
  public let name: String
  /// Where it lies.
  public let path: String

  /// The program at this path, which is not looked for.
  public init(path: String) {
    self.name = path.split(separator: "/").last.map(String.init) ?? path
    self.path = path
  }

  /// Looks for a program along PATH. Throws an error that names the Debian package which brings it.
  public static func named(_ name: String, package: String) throws -> Program {
    for folder in searchPath.split(separator: ":") {
      let path = "\(folder)/\(name)"
      if unsafe access(path, X_OK) == 0 { return Program(path: path) }
    }
    throw KitError("this test needs the program \(name): install the package \(package)")
  }

  /// PATH, the one variable that children inherit.
  static var searchPath: String {
    unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
  }
}
