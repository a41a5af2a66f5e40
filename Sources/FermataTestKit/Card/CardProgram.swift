// SPDX-License-Identifier: MIT

/// The C programs behind virtual cards, built by Tests/VirtualCard/build.sh when they are first needed.
enum CardProgram: String {
  case pulse
  case pipeWire = "pipewire"

  // This file is in Sources/FermataTestKit/Card of the package.
  private static let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()

  /// Where what is built lies.
  static let folder = "\(root)/.build/virtual-card"

  /// Builds it unless it is up to date, and returns its file's name in `folder`. Throws with the script's words,
  /// which name what is missing.
  func build() throws -> String {
    let script = "\(Self.root)/Tests/VirtualCard/build.sh"
    let output = try Child.run(
      Program(path: "/bin/sh"), [script, rawValue, Self.folder], patience: .seconds(180))
    guard let name = output.split(whereSeparator: { $0 == "/" || $0 == "\n" }).last else {
      throw KitError("\(script) names no result")
    }
    return String(name)
  }
}
