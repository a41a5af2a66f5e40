// SPDX-License-Identifier: MIT

/// The encoders and reference decoders that make what tests listen to.
package enum Tool {
  /// Runs one to its end; its name and then its arguments. Throws where it is not installed, saying which package
  /// brings it, and where it fails, with its own words. Blocks. Any thread.
  package static func run(_ command: [String]) throws {
    guard let name = command.first else { throw KitError("a command without a program") }
    let program = try Program.named(name, package: packages[name] ?? name)
    // What they write into tags is text as their environment has it.
    try Child.run(program, Array(command.dropFirst()), environment: ["LC_ALL": "C.UTF-8"])
  }

  /// The same in one line.
  package static func run(_ command: String...) throws { try run(command) }

  /// The packages that are not called as their programs are.
  private static let packages = [
    "oggenc": "vorbis-tools", "oggdec": "vorbis-tools", "opusenc": "opus-tools", "opusdec": "opus-tools",
  ]
}
