// SPDX-License-Identifier: MIT
import AudioModel
import BusIO
import BusModel
import FaceModel
import FermataTestKit
import Glibc
import MediaModel
import PlaybackLogic
import Testing

@Suite("What is not trusted", .serialized, .realTime, .endsAnyway, .sharedStage)
struct TrustTests {
  /// What a peer may name that is no sound.
  enum Bait: String, CaseIterable, Sendable {
    case zero, random, tty, pipe, socket, proc, kcore, loop, dangling, emptyFile, text, emptyFolder,
      brokenFLAC, playlistOfDevices

    /// Puts it in a folder, and answers its path.
    func lay(in folder: TemporaryDirectory) throws -> String {
      let path = folder.path("bait-\(rawValue)")
      unlink(path)
      switch self {
      case .zero: return "/dev/zero"
      case .random: return "/dev/urandom"
      case .tty: return "/dev/tty"
      case .proc: return "/proc/self/status"
      case .kcore: return "/proc/self/pagemap"
      case .pipe: #expect(mkfifo(path, 0o600) == 0)
      case .socket: try Self.bind(path)
      case .loop: #expect(symlink(path, path) == 0)
      case .dangling: #expect(symlink("/nowhere/at/all", path) == 0)
      case .emptyFile: try folder.write("bait-\(rawValue)", "")
      case .text: try folder.write("bait-\(rawValue)", "This is a letter, not a song.\n")
      case .emptyFolder: return try folder.makeFolder("bait-\(rawValue)")
      case .brokenFLAC:
        return try folder.write("bait.flac", Array("fLaC".utf8) + [UInt8](repeating: 0xAA, count: 5_000))
      case .playlistOfDevices:
        return try folder.write("bait.m3u8", "/dev/zero\n/dev/random\n/proc/kmsg\nfile:///dev/stdin\n")
      }
      return path
    }

    private static func bind(_ path: String) throws {
      let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      #expect(result == 0)
    }
  }

  private static let refusals: Set<BusError.Name> = [
    AgentError.nothingPlayable.name, AgentError.noSuchFile.name,
  ]

  /// Every second call of a hundred while a body runs on another connection is answered.
  private func unharmed(_ stage: MPRISStage, _ entries: [EntryID]) throws {
    #expect(try stage.status() == "Playing")
    #expect(try stage.currentPath() == MPRISStage.path(entries[1]))
    #expect(
      try stage.client.get("Tracks", of: MPRISDescriptions.trackList.name)
        == .array(.objectPath, entries.map { MPRISStage.path($0) }))
    #expect(try stage.isMoving())
  }

  @Test("OpenUri of what is no sound is refused by name, and what plays goes on", arguments: Bait.allCases)
  func openURI(bait: Bait) throws {
    let (stage, client, entries) = try mprisStage(.playing)
    let uri = WireValue.string(try Tune.uri(try bait.lay(in: stage.stage.folder)))
    let news = try client.news {
      let error = client.error { try client.player("OpenUri", uri) }
      #expect(error.map { Self.refusals.contains($0) } == true, "\(String(describing: error))")
    }
    #expect(news.isEmpty)
    try unharmed(stage, entries)
  }

  @Test(
    "AddTrack of what is no sound is refused by name, and what plays goes on", arguments: Bait.allCases,
    [true, false])
  func addTrack(bait: Bait, isCurrent: Bool) throws {
    let (stage, client, entries) = try mprisStage(.playing)
    // A file that has the name of a sound is looked at when it is its turn.
    if bait == .brokenFLAC && !isCurrent { return }
    let uri = WireValue.string(try Tune.uri(try bait.lay(in: stage.stage.folder)))
    let news = try client.news {
      let error = client.error {
        try client.trackList("AddTrack", uri, MPRISStage.path(nil), .boolean(isCurrent))
      }
      #expect(error.map { Self.refusals.contains($0) } == true, "\(String(describing: error))")
    }
    #expect(news.isEmpty)
    try unharmed(stage, entries)
  }

  @Test("the command line refuses it as well", arguments: Bait.allCases, ["add", "play"])
  func command(bait: Bait, word: String) throws {
    let (stage, _, entries) = try mprisStage(.playing)
    if bait == .brokenFLAC { return }
    let path = try bait.lay(in: stage.stage.folder)
    let child = try Child(.beside("fermata"), [word, path], environment: stage.stage.environment)
    let status = child.exit(until: .patient)
    #expect(
      status == .exited(65) || status == .exited(66), "\(String(describing: status)): \(child.standardError)")
    #expect(child.standardError.hasPrefix("fermata: "))
    try unharmed(stage, entries)
  }

  @Test("while the disk is looked at for one caller, others are answered")
  func served() throws {
    let (stage, client, _) = try mprisStage(.playing)
    let folder = stage.stage.folder
    try folder.makeFolder("many")
    let sound = try FilePath(uri: stage.tunes[0]).exactText ?? ""
    for index in 0..<3_000 { #expect(link(sound, folder.path("many/\(index).flac")) == 0) }
    let other = try MPRISClient(stage.stage.bus)
    let uri = WireValue.string(try Tune.uri(folder.path("many")))
    let adding = Promise<Void>()
    let thread = Worker {
      adding.keep(
        Result {
          try client.trackList("AddTrack", uri, MPRISStage.path(nil), .boolean(false)); return
        })
    }
    var answered = 0
    let deadline = Deadline.patient
    while !thread.isDone, !deadline.hasPassed {
      try other.sync()
      answered += 1
    }
    try adding.value(of: "answer to AddTrack", within: .patience)
    #expect(answered > 10)
    let length = try client.call(
      AgentDescriptions.path, StandardInterfaces.properties.name, "Get",
      .arguments(AgentDescriptions.queue.name.text, "Length")
    ).decoded(as: WireValue.self)
    #expect(length == .uint32(3_004))
    other.close()
  }

  @Test("who may call the player, and nothing else, reaches nothing that writes files")
  func names() throws {
    let (stage, client, _) = try mprisStage(.playing)
    let file = stage.stage.folder.path("list.m3u")
    let save = AgentCall.save(try #require(FilePath(file)), replacing: true)
    let (address, player) = (stage.stage.bus.address, client.service)
    let (errors, status) = try onLoopBlocking("two refusals and an answer") {
      let connection = try await BusConnection.open(.address(address))
      defer { connection.close() }
      var errors: [BusError] = []
      // A right to talk to a name is one to talk to its owner's number, too.
      for name in [player, try await connection.owner(of: player)].compactMap({ $0 }) {
        let target = BusTarget(name, AgentDescriptions.path, save.interface, save.member)
        do throws(BusError) { _ = try await connection.call(target, save.arguments) } catch {
          errors.append(error)
        }
      }
      // Many libraries look up a name's owner, and talk to that from then on.
      let number = try #require(try await connection.owner(of: AgentDescriptions.busName))
      let ask = AgentCall.status
      let target = BusTarget(number, AgentDescriptions.path, ask.interface, ask.member)
      return (errors, try await connection.call(target, ask.arguments))
    }
    #expect(errors.map(\.name) == [.unknownObject, .unknownObject], "\(errors)")
    #expect(access(file, F_OK) != 0)
    #expect(status.count == 1)
  }

  @Test("nobody else can read what it keeps")
  func folders() throws {
    let (stage, client, _) = try mprisStage(.playing)
    try client.player("Pause")
    let home = stage.stage.folder
    for folder in [".local/state/fermata", ".cache/fermata"] {
      guard let status = home.status(folder) else { continue }
      #expect(status.isFolder && !status.isOpenToOthers, "\(folder)")
      for name in home.names(in: folder) {
        #expect(home.status("\(folder)/\(name)")?.isOpenToOthers == false, "\(folder)/\(name)")
      }
    }
    #expect(home.status(".local/state/fermata/state.db") != nil)
  }
}
