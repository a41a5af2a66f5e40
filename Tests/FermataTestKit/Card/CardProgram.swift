// SPDX-License-Identifier: MIT

// The benchmark uses the kit too. It is built as a release, where the Testing module doesn't exist.
#if canImport(Testing)
  import Testing
#endif

/// The C programs that implement virtual cards. Tests/VirtualCard/build.sh builds them when they are first needed.
enum CardProgram: String {
  case pulse
  case pipeWire = "pipewire"

  // This file is in Tests/FermataTestKit/Card of the package.
  private static let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()

  /// The folder of the built programs.
  static let folder = "\(root)/.build/virtual-card"

  /// Builds the program unless it is up to date, and returns its file name in `folder`. On failure it throws the
  /// script's output, which says what is missing. Blocks.
  ///
  /// If the source of the sound server can't be fetched, the running test is skipped.
  func build() throws -> String {
    let script = "\(Self.root)/Tests/VirtualCard/build.sh"
    let child = try Child(Program(path: "/bin/sh"), [script, rawValue, Self.folder])
    guard let status = child.exit(until: .after(.seconds(600))) else {
      throw KitError("\(script) \(rawValue) has not ended within ten minutes")
    }
    switch status {
    case .exited(0): break
    case .exited(Self.unavailable): try Self.skipTest(child.standardError)
    default: throw KitError("\(script) \(rawValue) failed (\(status)):\n\(child.standardError)")
    }
    guard let name = child.standardOutput.split(whereSeparator: { $0 == "/" || $0 == "\n" }).last else {
      throw KitError("\(script) names no result")
    }
    return String(name)
  }

  /// The script's exit status if the source can't be fetched.
  static let unavailable: Int32 = 69

  /// Ends the running test as skipped, and adds its name to the list that `make test` prints at the end.
  private static func skipTest(_ reason: String) throws -> Never {
    #if canImport(Testing)
      if let test = Test.current {
        let suite = test.id.nameComponents.dropLast().joined(separator: ".")
        try Log.append(
          "\(test.id.moduleName).\(suite): \(test.displayName ?? test.name)\n", to: "\(folder)/skipped")
      }
    #endif
    try FermataTestKit.skipTest(because: reason)
  }
}
