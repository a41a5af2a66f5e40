// SPDX-License-Identifier: MIT

/// Runs the encoders and reference decoders with which tests make their sound files.
package enum Tool {
  /// Runs a tool to its end. The command is its name and then its arguments. Throws if it is not installed, with the
  /// name of its package, and if it fails, with its error output. Blocks. Any thread.
  package static func run(_ command: [String]) throws {
    guard let name = command.first else { throw KitError("a command without a program") }
    let program = try Program.named(name, package: packages[name] ?? name)
    // They read text for tags in the encoding of their environment.
    try Child.run(program, Array(command.dropFirst()), environment: ["LC_ALL": "C.UTF-8"])
  }

  /// The same with separate arguments.
  package static func run(_ command: String...) throws { try run(command) }

  /// The packages whose names differ from those of their programs.
  private static let packages = [
    "oggenc": "vorbis-tools", "oggdec": "vorbis-tools", "opusenc": "opus-tools", "opusdec": "opus-tools",
  ]
}
