// SPDX-License-Identifier: MIT

extension Sender {
  /// Programs that pause music for reasons of their own, by the last part of their path, and how they are called.
  ///
  /// Phone links do it when the phone rings, and their Play then takes it back. All else that controls players does it for a
  /// person: panels, keys, remote controls, and the buttons of a headset that come through Bluetooth's proxy.
  private static let programs: [Substring: Sender] = [
    "wireplumber": .wirePlumber, "kdeconnectd": .tool("KDE Connect"), "valent": .tool("Valent"),
  ]

  /// Those that are a script, by a folder of its path that has a name of its own.
  private static let scripts: [(folder: String, sender: Sender)] = [("gsconnect@", .tool("GSConnect"))]

  private static let interpreters = ["gjs", "python", "node"]

  /// Who a program gives orders for.
  ///
  /// - Parameters:
  ///   - name: as the kernel has it, of 15 bytes at most.
  ///   - arguments: its command line. The first one has the whole name, also where a wrapper started it.
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
