// SPDX-License-Identifier: MIT
import Glibc

/// A program of this machine that the kit runs.
package struct Program: Sendable {
  /// What it is called.
  package let name: String
  /// Where it lies.
  package let path: String

  /// The program at this path, which is not looked for.
  package init(path: String) {
    self.name = path.split(separator: "/").last.map(String.init) ?? path
    self.path = path
  }

  /// Looks for a program along PATH. Throws an error that names the Debian package which brings it.
  package static func named(_ name: String, package: String) throws -> Program {
    for folder in searchPath.split(separator: ":") {
      let path = "\(folder)/\(name)"
      if unsafe access(path, X_OK) == 0 { return Program(path: path) }
    }
    throw KitError("this test needs the program \(name): install the package \(package)")
  }

  /// The program of this package that is built beside the tests. Throws when it is not.
  package static func beside(_ name: String) throws -> Program {
    // The tests are a program themselves, or are loaded by one of the toolchain's that is told their path.
    let named = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    let own = unsafe realpath("/proc/self/exe", nil)
    defer { unsafe free(own) }
    let tests = unsafe named ?? own.map { unsafe String(cString: $0) } ?? ""
    let path = "\(tests[..<(tests.lastIndex(of: "/") ?? tests.startIndex)])/\(name)"
    guard unsafe access(path, X_OK) == 0 else { throw KitError("\(path) is not there: build the tests") }
    return Program(path: path)
  }

  /// PATH, the one variable that children inherit.
  static var searchPath: String {
    unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
  }
}
