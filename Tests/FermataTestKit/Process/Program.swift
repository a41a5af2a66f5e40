// SPDX-License-Identifier: MIT
import Glibc

/// A program on this machine that the kit runs.
package struct Program: Sendable {
  /// Its name.
  package let name: String
  /// Its path.
  package let path: String

  /// The program at this path. Doesn't check that it exists.
  package init(path: String) {
    self.name = path.split(separator: "/").last.map(String.init) ?? path
    self.path = path
  }

  /// Finds a program in PATH. If there is none, the error names the Debian package that contains it.
  package static func named(_ name: String, package: String) throws -> Program {
    for folder in searchPath.split(separator: ":") {
      let path = "\(folder)/\(name)"
      if unsafe access(path, X_OK) == 0 { return Program(path: path) }
    }
    throw KitError("this test needs the program \(name): install the package \(package)")
  }

  /// The program of this package that was built in the same folder as the tests. Throws if it was not built.
  package static func beside(_ name: String) throws -> Program {
    // The tests are an executable, or are loaded by a program of the toolchain that gets their path as an argument.
    let named = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
    let own = unsafe realpath("/proc/self/exe", nil)
    defer { unsafe free(own) }
    let tests = unsafe named ?? own.map { unsafe String(cString: $0) } ?? ""
    let path = "\(tests[..<(tests.lastIndex(of: "/") ?? tests.startIndex)])/\(name)"
    guard unsafe access(path, X_OK) == 0 else { throw KitError("\(path) is not there: build the tests") }
    return Program(path: path)
  }

  /// Whether the programs were built with FFmpeg, which decodes some formats.
  package static var haveFFmpeg: Bool { (try? beside("libfermata-av.so")) != nil }

  /// PATH, the only variable that children inherit.
  static var searchPath: String {
    unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
  }
}
