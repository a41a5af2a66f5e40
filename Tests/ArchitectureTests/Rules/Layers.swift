// SPDX-License-Identifier: MIT

/// Which way the layers point: program → assembly → adapters → pure. Adapters never import each other.
enum Layer {
  case c, pure, adapter, assembly, program, testKit
}

/// What each folder of `Sources` is. A new module gets its line here.
enum House {
  static let layers: [String: Layer] = [
    "CPulse": .c, "CDBus": .c, "CMpg123": .c, "CSndfile": .c, "CSQLite": .c, "CLinux": .c, "CTagLib": .c,
    "CVorbis": .c,
    "AudioModel": .pure, "CommandModel": .pure, "MediaModel": .pure, "PlaybackLogic": .pure,
    "BusModel": .pure, "FaceModel": .pure,
    "PlaylistModel": .pure, "LibraryQuery": .pure, "JobLogic": .pure, "ScreenModel": .pure,
    "AgentLoop": .adapter, "PulseIO": .adapter, "BusIO": .adapter, "DecodeIO": .adapter, "TagIO": .adapter,
    "StoreIO": .adapter, "WatchIO": .adapter, "TerminalIO": .adapter,
    "FermataAgent": .assembly, "FermataClient": .assembly, "FermataCommands": .assembly,
    "fermata": .program,
    "FermataTestKit": .testKit,
  ]

  /// Each may import those before it.
  static let assemblyOrder = ["FermataAgent", "FermataClient", "FermataCommands"]

  /// The adapter that anyone may import: the others run on it.
  static let loop = "AgentLoop"

  /// Where the table above stands, for messages.
  static let table = "Tests/ArchitectureTests/Rules/Layers.swift"
}
