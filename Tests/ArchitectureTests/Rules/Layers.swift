// SPDX-License-Identifier: MIT

/// Which way the layers point: program → assembly → adapters → pure. Adapters never import each other. What
/// does not ship may reach for everything: the test kit, and the bench that measures the player.
enum Layer {
  case c, pure, adapter, assembly, program, testKit, bench
}

/// What each folder of `Sources` is.
enum House {
  /// A new module gets its word here.
  private static let modules: [(layer: Layer, names: String)] = [
    (.c, "CDBus CEBUR128 CFLAC CFence CFermataAV CLinux CMpg123 COpus CPictures CPulse CSQLite CSndfile"),
    (.c, "CTagLib CVorbis CZlib"),
    (.pure, "AudioModel BusModel CommandModel FaceModel HealthModel JobLogic LibraryModel"),
    (.pure, "LibraryQuery ListeningModel MediaModel PadModel PictureModel PlaybackLogic"),
    (.pure, "PlaylistModel ReaderModel ScreenModel SettingsModel TimelineModel"),
    (.adapter, "AgentLoop ArtIO BusIO DecodeIO FenceIO FileIO LibraryIO PulseIO ReaderIO SQLiteIO SourceIO"),
    (.adapter, "ForeignIO LoudnessIO PictureIO ProcessIO StoreIO TagIO TerminalIO WatchIO"),
    (.assembly, "AgentAccess Fermata FermataAgent FermataCommands FermataLoudness FermataPlayer"),
    (.assembly, "FencedProcess FermataReader SoundCommands UserFiles"),
    (.program, "fermata fermata-agent fermata-loudness fermata-reader"),
    (.testKit, "FermataTestKit"),
    (.bench, "fermata-bench"),
  ]

  static let layers: [String: Layer] = Dictionary(
    uniqueKeysWithValues: modules.flatMap { layer, names in
      names.split(separator: " ").map { (String($0), layer) }
    })

  /// What other packages may use; everything else is for this one alone.
  static let published: Set = ["Fermata", "FermataPlayer"]

  /// Each may import those before it.
  static let assemblyOrder = [
    "UserFiles", "AgentAccess", "Fermata", "FermataAgent", "FermataPlayer", "FermataCommands",
    "SoundCommands", "FencedProcess", "FermataReader", "FermataLoudness",
  ]

  /// The adapters that others may import: they run on the loop, and some live on files and databases.
  static let common: Set = ["AgentLoop", "FileIO", "SQLiteIO"]

  /// Where the table above stands, for messages.
  static let table = "Tests/ArchitectureTests/Rules/Layers.swift"
}
