// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

// What every Swift target of the house is compiled with: a warning is an error, an import is internal
// unless it says otherwise, and an `async` function stays on the executor of its caller.
let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .treatAllWarnings(as: .error),
]

/// A pure module: the standard library only. Decisions are made here.
func pure(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: house)
}

/// The one library in C++: its header is C, its inside has TagLib, and both run times are linked.
func ctaglib() -> Target {
  .target(name: "CTagLib", linkerSettings: [.linkedLibrary("tag"), .linkedLibrary("stdc++")])
}

/// Decoders of pictures, behind one function of C.
func cpictures() -> Target {
  .target(
    name: "CPictures",
    linkerSettings: [.linkedLibrary("turbojpeg"), .linkedLibrary("png"), .linkedLibrary("webp")])
}

/// An adapter: touches exactly one outside thing, in C, so each unsafe expression has to say so.
func adapter(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: house + [.strictMemorySafety()])
}

/// Assembly: puts pure modules and adapters together.
func assembly(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: house)
}

/// A program without C++ of its own. The Makefile puts the C++ library, which Swift's needs, into that folder as an archive, so that a
/// release carries it.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, swiftSettings: house,
    linkerSettings: [.unsafeFlags(["-Xclang-linker", "-L\(Context.packageDirectory)/.build/archives"])])
}

/// The tests of one module, in `Tests/<Module>Tests`; `files` are what they read there.
func tests(_ module: String, _ dependencies: [Target.Dependency] = [], files: [String] = []) -> Target {
  .testTarget(
    name: "\(module)Tests", dependencies: [.byName(name: module)] + dependencies, exclude: files,
    swiftSettings: house)
}

/// A program that the tests of one module run, in `Tests/<Module>Probe`.
func probe(_ module: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: "\(module)Probe", dependencies: [.byName(name: module)] + dependencies,
    path: "Tests/\(module)Probe", swiftSettings: house)
}

/// A program that shows how the library is used. It is compiled as a stranger's would be.
func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "docs/examples/\(name)",
    swiftSettings: [.treatAllWarnings(as: .error)])
}

let package = Package(
  name: "fermata",
  products: [
    .library(name: "Fermata", targets: ["Fermata"]),
    .library(name: "FermataPlayer", targets: ["FermataPlayer"]),
  ],
  targets: [
    // C libraries: a module map, a shim for what Swift cannot import, and API notes for flag enums.
    .systemLibrary(name: "CPulse"),  // libpulse: the sound server's client library and its main loop
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1"),  // libdbus: the session bus
    .systemLibrary(name: "CMpg123"),  // libmpg123: MP3 and MP2
    .systemLibrary(name: "CFLAC"),  // libFLAC: FLAC
    .systemLibrary(name: "COpus", pkgConfig: "opusfile"),  // libopusfile: Opus
    .systemLibrary(name: "CSndfile"),  // libsndfile: WAV, AIFF, CAF, AU
    .systemLibrary(name: "CEBUR128", pkgConfig: "libebur128"),  // libebur128: loudness as ears weigh it
    .systemLibrary(name: "CVorbis"),  // libvorbisfile: Vorbis
    .systemLibrary(name: "CSQLite"),  // SQLite: the state and the library on disk
    ctaglib(),  // TagLib, which is C++, behind functions of C
    cpictures(),  // libjpeg-turbo, libpng and libwebp, which report errors in ways that Swift cannot use
    .target(name: "CFence"),  // closes a process in: limits, Landlock, seccomp
    .systemLibrary(name: "CFermataAV"),  // the table of `libfermata-av.so`, which the Makefile compiles
    .systemLibrary(name: "CLinux"),  // the system calls that Glibc's overlay leaves out

    // Pure: values and decisions.
    pure("AudioModel"),  // sound formats, and a sound server's world as values
    tests("AudioModel"),
    pure("MediaModel"),  // items, their tags, paths and URIs, names in order
    tests("MediaModel", ["FermataTestKit"]),
    // What the agent and the process that reads tags say to each other.
    pure("ReaderModel", ["AudioModel", "MediaModel"]),
    tests("ReaderModel", ["AudioModel", "FermataTestKit", "MediaModel"]),
    // Where sound lies in its container: what is cut at both ends, and how a place is found.
    pure("TimelineModel", ["MediaModel"]),
    tests("TimelineModel", ["FermataTestKit", "MediaModel"]),
    // What is to be heard: the queue, transport, interruptions, routes.
    pure("PlaybackLogic", ["AudioModel", "MediaModel"]),
    tests("PlaybackLogic", ["AudioModel", "FermataTestKit", "MediaModel", "PlaybackLogicProbe"]),
    probe("PlaybackLogic", ["CLinux"]),  // a process whose heap nobody else uses
    // files as the library knows them, and what scans find
    pure("LibraryModel", ["AudioModel", "MediaModel", "PlaylistModel"]),
    tests("LibraryModel", ["AudioModel", "FermataTestKit", "MediaModel", "PlaylistModel"]),
    // What is asked of the library, and the tables that answer it.
    pure("LibraryQuery", ["LibraryModel", "MediaModel"]),
    tests("LibraryQuery", ["FermataTestKit", "MediaModel"]),
    pure("PictureModel", ["MediaModel"]),  // pictures that we draw ourselves
    tests("PictureModel", ["FermataTestKit", "MediaModel"]),
    // What the listener said of sounds, and the file that carries it elsewhere.
    pure("ListeningModel", ["CommandModel", "LibraryQuery", "MediaModel", "PlaylistModel"]),
    tests("ListeningModel", ["FermataTestKit", "LibraryQuery", "MediaModel"]),
    // What struck pads sound like, and when: kits, the mixer, the pads' session.
    pure("PadModel", ["CommandModel", "PlaybackLogic"]),
    tests("PadModel", ["FermataTestKit", "PlaybackLogic"]),
    pure("JobLogic"),  // long jobs: which runs, which waits, how far each has come
    tests("JobLogic", ["FermataTestKit"]),
    pure("PlaylistModel", ["MediaModel"]),  // playlist files read and written, as bytes
    tests("PlaylistModel", ["FermataTestKit", "MediaModel"]),
    pure("BusModel"),  // what travels on the bus: types, values, names, errors, descriptions
    tests("BusModel", ["FermataTestKit"]),
    // What others see: MPRIS and our own interfaces as projections, their differences.
    pure(
      "FaceModel",
      ["AudioModel", "BusModel", "JobLogic", "LibraryQuery", "ListeningModel", "MediaModel", "PlaybackLogic"]),
    tests(
      "FaceModel", ["FermataTestKit", "AudioModel", "BusModel", "JobLogic", "MediaModel", "PlaybackLogic"]),
    pure("CommandModel"),  // the command line: definitions, parsing, help; terminal text, JSON
    tests("CommandModel", ["FermataTestKit"]),
    // The terminal's screen: cells, keys, lists, and what they ask for.
    pure(
      "ScreenModel",
      [
        "AudioModel", "CommandModel", "FaceModel", "JobLogic", "MediaModel", "PictureModel", "PlaybackLogic",
      ]),
    tests(
      "ScreenModel",
      [
        "AudioModel", "CommandModel", "FaceModel", "FermataTestKit", "JobLogic", "LibraryQuery", "MediaModel",
        "PictureModel",
        "PlaybackLogic",
      ], files: ["Golden"]),
    // what the surroundings mean: `fermata doctor`
    pure("HealthModel", ["AudioModel", "PlaybackLogic", "ReaderModel"]),
    tests("HealthModel", ["AudioModel", "PlaybackLogic", "ReaderModel"]),
    pure("SettingsModel", ["CommandModel", "PlaybackLogic"]),  // what can be set, and the file that says so
    tests("SettingsModel", ["FermataTestKit", "PlaybackLogic"]),

    // Adapters: each touches one outside thing.
    adapter("AgentLoop", ["CLinux"]),  // the one loop: jobs, timers, descriptors, signals
    tests("AgentLoop", ["AgentLoopProbe", "CLinux", "FermataTestKit"]),
    probe("AgentLoop"),  // a process whose threads may be refused
    adapter("BusIO", ["AgentLoop", "BusModel", "CDBus"]),  // the session bus: objects, calls, signals
    tests("BusIO", ["AgentLoop", "BusModel", "CDBus", "FermataTestKit"]),
    adapter("PulseIO", ["AgentLoop", "AudioModel", "CPulse"]),  // the sound server: its world, streams
    tests("PulseIO", ["AgentLoop", "AudioModel", "FermataTestKit"]),
    // What the system says of processes: which player a stream belongs to.
    adapter("ProcessIO", ["FileIO", "MediaModel", "PlaybackLogic"]),
    tests("ProcessIO", ["FermataTestKit", "PlaybackLogic"]),
    adapter("FileIO", ["CLinux", "MediaModel"]),  // files held, listed and replaced whole; others build on it
    tests("FileIO", ["FermataTestKit", "MediaModel"]),
    // Files into samples, on a thread of its own.
    adapter(
      "DecodeIO",
      [
        "AgentLoop", "AudioModel", "CFLAC", "CLinux", "CMpg123", "COpus", "CSndfile", "CVorbis", "FileIO",
        "MediaModel", "ReaderModel", "TimelineModel",
      ]),
    tests(
      "DecodeIO",
      ["AudioModel", "CLinux", "FermataTestKit", "MediaModel", "ReaderIO", "ReaderModel", "fermata-reader"],
      files: ["Samples"]),
    // Writes the samples of a file, for the comparison of strangers' files with other decoders.
    probe("DecodeIO", ["AudioModel", "MediaModel", "ReaderIO", "fermata-reader"]),
    adapter("ArtIO", ["FileIO", "MediaModel"]),  // pictures beside music, and in a cache
    tests("ArtIO", ["FermataTestKit", "MediaModel", "PictureModel"]),
    // Tags and pictures in files; only the reader's process has it.
    adapter(
      "TagIO", ["AudioModel", "CLinux", "CTagLib", "FileIO", "MediaModel", "ReaderModel", "TimelineModel"]),
    tests(
      "TagIO", ["AudioModel", "FermataTestKit", "FileIO", "MediaModel", "ReaderModel"],
      files: ["Support/mutagen-tags.py"]),
    // Pictures made smaller; only the reader's process has it.
    adapter("PictureIO", ["CPictures", "MediaModel", "PictureModel"]),
    tests("PictureIO", ["FermataTestKit", "MediaModel", "PictureModel"]),
    // How loud samples sound; only the process that measures has it.
    adapter("LoudnessIO", ["AudioModel", "CEBUR128", "MediaModel"]),
    tests("LoudnessIO", ["AudioModel", "FermataTestKit", "MediaModel"]),
    adapter("FenceIO", ["CFence", "ReaderModel"]),  // closes this process in
    // Both ends of the connection to the reader's process, and who starts that.
    adapter("ReaderIO", ["AgentLoop", "AudioModel", "CLinux", "FileIO", "MediaModel", "ReaderModel"]),
    // Sound by FFmpeg; only the reader's process has it.
    adapter("ForeignIO", ["AudioModel", "CFermataAV", "MediaModel", "ReaderModel", "TimelineModel"]),
    tests(
      "ReaderIO",
      [
        "AudioModel", "FenceIO", "FermataTestKit", "MediaModel", "PictureModel", "ReaderIOProbe",
        "ReaderModel",
        "fermata-loudness", "fermata-reader",
      ]),
    // A reader that some files make crash, hang, or try to get out.
    probe("ReaderIO", ["CLinux", "FermataLoudness", "FermataReader", "FileIO", "MediaModel", "ReaderModel"]),
    // What people and peers name, turned into entries; playlist files written.
    adapter(
      "SourceIO", ["FileIO", "LibraryModel", "MediaModel", "PlaybackLogic", "PlaylistModel", "TimelineModel"]),
    tests(
      "SourceIO",
      ["FermataTestKit", "FileIO", "LibraryModel", "MediaModel", "PlaybackLogic", "PlaylistModel"]),
    adapter("SQLiteIO", ["CSQLite"]),  // a database file, its statements and errors; others build on it
    // The library on disk: its tables, what the listener keeps, and the search.
    adapter(
      "LibraryIO",
      [
        "CLinux", "FileIO", "LibraryModel", "LibraryQuery", "ListeningModel", "AudioModel", "MediaModel",
        "SQLiteIO",
      ]),
    tests(
      "LibraryIO",
      [
        "AudioModel", "FermataTestKit", "LibraryIOProbe", "LibraryModel", "LibraryQuery", "ListeningModel",
        "MediaModel", "SQLiteIO",
      ]),
    probe("LibraryIO", ["LibraryModel", "MediaModel"]),
    // The agent's state on disk: a journal with bases, the place in the track, the folder and its lock.
    adapter("StoreIO", ["AgentLoop", "CLinux", "FileIO", "MediaModel", "PlaybackLogic", "SQLiteIO"]),
    tests("StoreIO", ["CLinux", "FermataTestKit", "PlaybackLogic", "SQLiteIO", "StoreIOProbe"]),
    probe("StoreIO", ["PlaybackLogic", "SQLiteIO"]),  // a process that is killed in the middle of its edits
    adapter("TerminalIO", []),  // the terminal: width, raw mode, keys, lines
    tests("TerminalIO", ["CommandModel", "FermataTestKit", "TerminalIOProbe"]),
    probe("TerminalIO", ["CommandModel"]),  // a process that can be stopped and killed
    adapter("WatchIO", ["AgentLoop", "FileIO", "MediaModel"]),  // folders whose changes are told
    tests("WatchIO", ["AgentLoop", "FermataTestKit", "MediaModel"]),

    // Assembly: what the parts do together.
    // Where the user's files belong, and the settings file: for the agent and for the commands.
    assembly("UserFiles", ["AgentLoop", "FileIO", "MediaModel", "SettingsModel", "SourceIO"]),
    // The life of a process behind the fence.
    assembly("FencedProcess", ["FenceIO", "ReaderIO", "ReaderModel"]),
    // The process that reads strangers' files for the agent.
    assembly(
      "FermataReader",
      [
        "AudioModel", "FencedProcess", "FileIO", "ForeignIO", "MediaModel", "PictureIO", "ReaderIO",
        "ReaderModel",
        "TagIO",
      ]),
    .executableTarget(
      name: "fermata-reader", dependencies: ["FermataReader"], path: "Sources/fermata-reader",
      swiftSettings: house),
    // The process that decodes strangers' files for the agent and measures how loud they sound.
    assembly(
      "FermataLoudness",
      [
        "AudioModel", "DecodeIO", "FencedProcess", "FileIO", "ForeignIO", "LoudnessIO", "MediaModel",
        "ReaderIO",
        "ReaderModel",
      ]),
    program("fermata-loudness", ["FermataLoudness"]),
    // Services that perform what the pure modules decide.
    assembly(
      "FermataAgent",
      [
        "AgentLoop", "ArtIO", "AudioModel", "BusIO", "BusModel", "DecodeIO", "FaceModel", "FileIO",
        "JobLogic", "LibraryIO", "LibraryModel", "LibraryQuery", "ListeningModel", "MediaModel", "PadModel",
        "PictureModel", "PlaybackLogic", "PlaylistModel", "ProcessIO", "PulseIO", "ReaderIO", "ReaderModel",
        "SQLiteIO", "SettingsModel", "SourceIO", "StoreIO", "UserFiles", "WatchIO",
      ]),
    tests(
      "FermataAgent",
      [
        "AgentLoop", "ArtIO", "AudioModel", "BusIO", "BusModel", "DecodeIO", "FaceModel", "FermataTestKit",
        "FileIO", "JobLogic", "LibraryIO", "LibraryModel", "MediaModel", "PlaybackLogic", "PulseIO",
        "ReaderIO", "ReaderModel", "SettingsModel", "SourceIO", "SQLiteIO", "fermata-reader",
      ]),
    // The agent as seen from another process: its calls, answers and news.
    assembly(
      "AgentAccess",
      [
        "AgentLoop", "BusIO", "BusModel", "CommandModel", "FaceModel", "JobLogic", "LibraryQuery",
        "ListeningModel", "MediaModel", "PlaybackLogic",
      ]),
    // For other people's Swift programs: the session's player and its library.
    assembly(
      "Fermata",
      [
        "AgentAccess", "AgentLoop", "AudioModel", "BusIO", "BusModel", "CommandModel", "FaceModel",
        "JobLogic",
        "LibraryQuery", "MediaModel", "PlaybackLogic",
      ]),
    // For the same programs: a player inside their own process. It brings the decoders and the sound server's library with it.
    assembly(
      "FermataPlayer",
      [
        "AgentAccess", "AgentLoop", "BusIO", "BusModel", "CommandModel", "FaceModel", "Fermata",
        "FermataAgent",
        "MediaModel",
      ]),
    .executableTarget(  // the example of docs/client.md, which a test runs
      name: "ClientExample", dependencies: ["Fermata"], path: "Tests/ClientExample", swiftSettings: house),
    example("SimplePlayer", ["Fermata"]),
    example("MusicPanel", ["Fermata"]),
    example("DrumDub", ["Fermata", "FermataPlayer"]),
    tests(
      "Fermata",
      [
        "AgentLoop", "AudioModel", "BusIO", "BusModel", "ClientExample", "DrumDub", "FaceModel",
        "FermataAgent",
        "FermataPlayer", "FermataTestKit", "MediaModel", "MusicPanel", "PlaybackLogic", "SimplePlayer",
        "fermata", "fermata-agent", "fermata-reader",
      ]),
    // Subcommands, one a file, and what they do. Nothing here is linked with a decoder, a database or the sound server.
    assembly(
      "FermataCommands",
      [
        "AgentAccess", "AgentLoop", "AudioModel", "BusIO", "BusModel", "CommandModel", "FaceModel", "FileIO",
        "JobLogic", "LibraryQuery", "ListeningModel", "MediaModel", "PictureModel", "PlaybackLogic",
        "PlaylistModel",
        "ScreenModel", "SettingsModel", "SourceIO", "TerminalIO", "UserFiles",
      ]),
    tests(
      "FermataCommands",
      [
        "AgentAccess", "AgentLoop", "AudioModel", "BusIO", "BusModel", "CommandModel", "FaceModel",
        "FermataTestKit", "JobLogic", "LibraryQuery", "MediaModel", "PlaybackLogic", "ScreenModel",
        "TerminalIO", "fermata", "fermata-agent",
      ], files: ["Golden"]),
    // The subcommands that need all that: the agent, the player inside a process, and the doctor.
    assembly(
      "SoundCommands",
      [
        "AgentAccess", "AgentLoop", "AudioModel", "BusIO", "BusModel", "CommandModel", "FaceModel",
        "FermataAgent", "FermataCommands", "FileIO", "HealthModel", "MediaModel", "PlaybackLogic", "PulseIO",
        "ReaderIO",
        "ReaderModel", "SQLiteIO", "SettingsModel", "SourceIO", "TerminalIO", "UserFiles",
      ]),
    program("fermata", ["FermataCommands"]),
    // `fermata` becomes this one for the agent, which the bus also starts by itself.
    program("fermata-agent", ["FermataCommands", "SoundCommands"]),
    .testTarget(  // the program itself, on real servers and a real bus
      name: "AgentTests",
      dependencies: [
        "AgentLoop", "AudioModel", "BusIO", "BusModel", "CDBus", "FaceModel", "FermataTestKit", "JobLogic",
        "LibraryQuery", "MediaModel", "PictureModel", "PlaybackLogic", "SQLiteIO", "StandInPlayer", "StoreIO",
        "fermata", "fermata-agent", "fermata-loudness",
        "fermata-reader",
      ], exclude: ["Evenings/Golden"], swiftSettings: house),

    .systemLibrary(name: "CZlib", path: "Tests/CZlib"),  // zlib unpacks the pictures that tests look at
    // For tests: private servers, virtual hardware, tones. Nothing that ships depends on it.
    .target(
      name: "FermataTestKit",
      dependencies: [
        "AgentLoop", "AudioModel", "BusModel", "CLinux", "CPulse", "CZlib", "LibraryQuery", "MediaModel",
      ],
      path: "Tests/FermataTestKit", swiftSettings: house + [.strictMemorySafety()]),
    tests("FermataTestKit", ["AgentLoop", "AudioModel", "CLinux"]),

    // Measurements, each beside its budget: `make bench`.
    .executableTarget(
      name: "fermata-bench",
      dependencies: [
        "AgentAccess", "AgentLoop", "AudioModel", "BusIO", "BusModel", "CLinux", "CommandModel", "DecodeIO",
        "FaceModel", "FermataAgent", "FermataTestKit", "JobLogic", "MediaModel", "PlaybackLogic", "PulseIO",
      ], path: "Tests/Benchmarks", swiftSettings: house),
    .executableTarget(  // a player that behaves as a test wants
      name: "StandInPlayer", dependencies: ["CDBus", "CPulse"], path: "Tests/StandInPlayer",
      linkerSettings: [.linkedLibrary("pulse"), .linkedLibrary("dbus-1"), .linkedLibrary("m")]),
    .executableTarget(  // the limit: what the system's libraries allow, in C
      name: "BareClient", dependencies: ["CDBus", "CPulse"], path: "Tests/BareClient",
      linkerSettings: [
        .linkedLibrary("pulse"), .linkedLibrary("dbus-1"), .linkedLibrary("m"), .linkedLibrary("util"),
      ]),
    .executableTarget(  // what a program costs that knows what plays: in C, and with the library
      name: "BareBusClient", dependencies: ["CDBus"], path: "Tests/BareBusClient",
      linkerSettings: [.linkedLibrary("dbus-1")]),
    .executableTarget(
      name: "LibraryClient", dependencies: ["Fermata"], path: "Tests/LibraryClient", swiftSettings: house),

    // The house itself: who imports whom, what is banned, how long things are.
    .testTarget(name: "ArchitectureTests", swiftSettings: house),
  ],
  cxxLanguageStandard: .cxx17
)

// `FERMATA_TESTS='BusIO PulseIO'` leaves the tests of these modules, and what they need: the sanitizers are slow to build for.
if let named = Context.environment["FERMATA_TESTS"] {
  var needed = Set(named.split(separator: " ").map { "\($0)Tests" })
  var targets: [Target] = []
  while let target = package.targets.first(where: { needed.contains($0.name) }) {
    package.targets.removeAll { $0.name == target.name }
    targets.append(target)
    for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
  }
  (package.targets, package.products) = (targets, [])
}
