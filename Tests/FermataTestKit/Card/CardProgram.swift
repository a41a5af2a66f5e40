// SPDX-License-Identifier: MIT

// The bench uses the kit too, and is built as a release, where there is no Testing.
#if canImport(Testing)
  import Testing
#endif

/// The C programs behind virtual cards, built by Tests/VirtualCard/build.sh when they are first needed.
enum CardProgram: String {
  case pulse
  case pipeWire = "pipewire"

  // This file is in Tests/FermataTestKit/Card of the package.
  private static let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()

  /// Where what is built lies.
  static let folder = "\(root)/.build/virtual-card"

  /// Builds it unless it is up to date, and returns its file's name in `folder`. Throws with the script's words,
  /// which name what is missing.
  ///
  /// Where the source of the sound server cannot be fetched, the running test is skipped.
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

  /// The script's status where the source cannot be fetched.
  static let unavailable: Int32 = 69

  /// Ends the running test as one that was skipped, and adds its name to the list with which `make test` ends.
  private static func skipTest(_ reason: String) throws -> Never {
    #if canImport(Testing) && compiler(>=6.3)
      if let test = Test.current {
        let suite = test.id.nameComponents.dropLast().joined(separator: ".")
        try Log.append(
          "\(test.id.moduleName).\(suite): \(test.displayName ?? test.name)\n", to: "\(folder)/skipped")
      }
      try Test.cancel("\(reason)")
    #else
      throw KitError(reason)
    #endif
  }
}
