// SPDX-License-Identifier: MIT

/// Who gave an order, as far as the bus can tell.
package enum Sender: Sendable, Hashable {
  /// A person, through any program.
  case user
  /// PipeWire's session manager, which pauses players when their output goes away.
  case wirePlumber
  /// A program of this name that pauses for reasons of its own, such as KDE Connect, which does so when the phone rings.
  case tool(String)

  /// The interruption that a Pause from this sender begins; nil for a person, whose Pause is none.
  var source: Interruption.Source? {
    switch self {
    case .user: nil
    case .wirePlumber: .wirePlumber
    case .tool(let name): .tool(name)
    }
  }
}

extension Sender {
  /// Programs that pause music for reasons of their own: the last part of each program's path, and the sender that it stands for.
  ///
  /// Phone links pause when the phone rings, and their Play undoes that. Every other program that controls players acts for a person: panels, keys,
  /// remote controls, and the Bluetooth proxy that passes on the buttons of a headset.
  private static let programs: [Substring: Sender] = [
    "wireplumber": .wirePlumber, "kdeconnectd": .tool("KDE Connect"), "valent": .tool("Valent"),
  ]

  /// Scripts that pause music for reasons of their own. The kernel shows a script under its interpreter's name, so it is found by the name of a
  /// folder in its path; the text here is the beginning of that name.
  private static let scripts: [(folder: String, sender: Sender)] = [("gsconnect@", .tool("GSConnect"))]

  private static let interpreters = ["gjs", "python", "node"]

  /// The sender of an order that came from this program. A program that is not listed acts for the user.
  ///
  /// - Parameters:
  ///   - name: the process name from the kernel, 15 bytes at most.
  ///   - arguments: the command line. Its first argument has the full name, even if a wrapper started the program.
  package init(program name: String, arguments: [String] = []) {
    let names = [Substring(name), arguments.first.map(Self.lastPart) ?? ""]
    self =
      names.lazy.compactMap { Self.programs[$0] }.first ?? Self.script(names, arguments.dropFirst())
      ?? .user
  }

  private static func script(_ names: [Substring], _ arguments: ArraySlice<String>) -> Sender? {
    guard names.contains(where: { name in interpreters.contains(where: name.hasPrefix) }),
      let script = arguments.first(where: { !$0.hasPrefix("-") })
    else { return nil }
    let folders = script.split(separator: "/").dropLast()
    return scripts.first { known in folders.contains { $0.hasPrefix(known.folder) } }?.sender
  }

  private static func lastPart(_ path: String) -> Substring { path.split(separator: "/").last ?? "" }
}
