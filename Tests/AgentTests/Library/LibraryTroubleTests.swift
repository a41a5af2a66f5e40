// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import BusModel
import FaceModel
import FermataTestKit
import Glibc
import JobLogic
import MediaModel
import Testing

@Suite("A library in trouble", .serialized, .realTime, .endsAnyway)
struct LibraryTroubleTests {
  // MARK: The databases

  @Test(
    "a database that may not be written is named and stays, and serves again when it may",
    arguments: ["library.db", "listening.db"])
  func readOnly(name: String) async throws {
    let library = try await LibraryStage(.plain)
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    let id = try #require(try await library.item(titled: "Blue").item.id)
    try await library.caller.call(.rate(id, 4))
    library.stage.kill()
    try library.setMode("\(LibraryStage.data)/\(name)", 0o400)
    try await library.stage.restart()
    for call in [AgentCall.query(LibraryRequest()), .rate(id, 5), .libraryStatus] {
      let error = try #require(await refusal(of: call, library))
      #expect(error.name.text.hasSuffix(".CannotWrite"), "\(call.member): \(error)")
      let why = "/\(name): can't write: Permission denied; let yourself write there"
      #expect(error.message.hasSuffix(why), "\(error)")
    }
    // The scan that each agent begins with has failed for the same reason, and the music plays all the same.
    let scan = try await library.wait(JobID(rawValue: 1), for: "failed") { $0.state.isOver }
    #expect(scan.state == .failed && scan.why?.contains("/\(name): ") == true, "\(scan)")
    try await library.caller.call(AgentCall.play([.file(library.path("a.flac"))], PlayOptions()))
    #expect(try await library.caller.entries().count == 1)

    try library.setMode("\(LibraryStage.data)/\(name)", 0o600)
    try await library.scan()
    #expect(try await library.item(titled: "Blue").item.listening.rating == 4)
    #expect(try await library.status().why == nil)
    #expect(!library.databases.contains { $0.contains("damaged") })
    try library.stage.stop()
  }

  @Test("a plain playlist plays while nobody knows whether a smart one has its name")
  func plainPlaylist() async throws {
    let library = try await LibraryStage(.plain)
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    try library.folder.makeFolder("\(LibraryStage.data)/playlists")
    try library.folder.write("\(LibraryStage.data)/playlists/Mix.m3u8", "\(library.path("a.flac").text)\n")
    library.stage.kill()
    try library.setMode("\(LibraryStage.data)/listening.db", 0)
    try await library.stage.restart()
    try await library.caller.call(AgentCall.play([.playlist("Mix")], PlayOptions()))
    #expect(try await library.caller.entries().count == 1)
    await #expect(throws: BusError.self) {
      try await library.caller.call(AgentCall.play([.playlist("Nothing")], PlayOptions()))
    }
    try library.stage.stop()
  }

  @Test("smart playlists that cannot be read at the start are there when they can be")
  func smartPlaylist() async throws {
    let library = try await LibraryStage(.plain)
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    let made = try Child(
      .beside("fermata"), ["playlist", "smart", "Best", "title == \"Blue\""],
      environment: library.stage.environment)
    #expect(made.exit(until: .patient) == .exited(0), "\(made.standardError)")
    library.stage.kill()
    try library.setMode("\(LibraryStage.data)/listening.db", 0)
    try await library.stage.restart()
    let address = library.stage.busAddress
    let client = try await onLoop { @AgentLoop in try await PlaylistClient(at: address) }
    // MPRIS's name comes a moment after the agent's own.
    let deadline = Deadline.patient
    var count: WireValue?
    while count == nil, !deadline.hasPassed {
      count = try? await onLoop { try await client.get("PlaylistCount") }
    }
    #expect(count == .uint32(0))
    try library.setMode("\(LibraryStage.data)/listening.db", 0o600)
    try await onLoop { try await client.wait(for: "PlaylistCount", .uint32(1)) }
    try await onLoop { client.close() }
    try library.stage.stop()
  }

  @Test("what could not be stored of the listener is stored when the agent ends, if it can be by then")
  func storedAtTheEnd() async throws {
    let library = try await LibraryStage(.plain)
    let format = AudioFormat(rate: 8_000, channels: 1)
    try library.folder.makeFolder(LibraryStage.music)
    for (name, pitch) in [("left", 440.0), ("next", 550)] {
      _ = try ToneFile.flac(
        "\(LibraryStage.music)/\(name).flac", Tone.sine(pitch, frames: 60 * format.rate, format), format,
        flags: ["--tag=TITLE=\(name)"], in: library.folder)
    }
    try await library.add()
    library.stage.kill()
    try library.setMode("\(LibraryStage.data)/listening.db", 0o400)
    try await library.stage.restart()
    let recorder = try library.stage.server.record("speakers")
    let sources = try ["left", "next"].map { MediaSource.file(try library.path("\($0).flac")) }
    try await library.caller.call(AgentCall.play(sources, PlayOptions()))
    let start = try recorder.waitForSound(floor: 0.01)
    try recorder.wait(forFrames: start + 4 * recorder.format.rate)
    _ = try Child.run(.beside("fermata"), ["next"], environment: library.stage.environment)
    let deadline = Deadline.patient
    while !library.stage.log.contains("what was played is not stored yet"), !deadline.hasPassed {
      _ = try await library.caller.entries()
    }
    try library.setMode("\(LibraryStage.data)/listening.db", 0o600)
    try await library.stage.restartInOrder()
    #expect(try await library.item(titled: "left").item.listening.skipCount == 1)
    try library.stage.stop()
  }

  private func refusal(of call: AgentCall, _ library: LibraryStage) async -> BusError? {
    do {
      _ = try await library.caller.call(call)
      return nil
    } catch { return error as? BusError }
  }

  @Test("while files may not grow a scan fails with the reason, and what was there stays")
  func noGrowth() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    let id = try #require(try await library.item(titled: "Blue").item.id)
    try await library.caller.call(.rate(id, 4))
    try library.writeMany(500)
    try library.stage.agent.setRoom(false)
    try await expectFailure(of: library.scan(), "/library.db", library)
    #expect(try await library.item(titled: "Blue").item.listening.rating == 4)
    #expect(await refusal(of: .rate(id, 5), library)?.message.contains("listening.db") != nil)
    try library.stage.agent.setRoom(true)
    try await expectWhole(501, rating: 4, library)
    try library.stage.stop()
  }

  @Test(
    "on a full disk a scan fails and says to make room, and goes on when there is some",
    .enabled(if: Mount.isPossible, "only the superuser can make a small disk"))
  func fullDisk() async throws {
    let folder = try TemporaryDirectory()
    let disk = try Mount(folder.makeFolder(LibraryStage.data), size: "1m")
    let library = try await LibraryStage(folder: folder)
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    let id = try #require(try await library.item(titled: "Blue").item.id)
    try await library.caller.call(.rate(id, 4))
    try library.writeMany(6_000)
    try await expectFailure(of: library.scan(), "disk is full; make room", library)
    let kept = try await library.status().tracks
    #expect(kept >= 1 && kept < 6_001)
    #expect(try await library.item(titled: "Blue").item.listening.rating == 4)
    // So it is for an agent that begins on a full disk, and music plays.
    library.stage.kill()
    try await library.stage.restart()
    try await library.caller.call(AgentCall.play([.file(library.path("a.flac"))], PlayOptions()))
    #expect(try await library.caller.entries().count == 1)

    try disk.mountAgain("size=64m")
    try await expectWhole(6_001, rating: 4, library)
    try library.stage.stop()
  }

  @Test(
    "a disk that becomes read-only in use refuses with the reason, and nothing is lost or put aside",
    .enabled(if: Mount.isPossible, "only the superuser can make a disk"))
  func readOnlyDisk() async throws {
    let folder = try TemporaryDirectory()
    let disk = try Mount(folder.makeFolder(LibraryStage.data), size: "64m")
    let library = try await LibraryStage(folder: folder)
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    let id = try #require(try await library.item(titled: "Blue").item.id)
    try await library.caller.call(.rate(id, 4))
    library.stage.kill()
    try disk.mountAgain("ro")
    try await library.stage.restart()
    for call in [AgentCall.query(LibraryRequest()), .rate(id, 5)] {
      let error = try #require(await refusal(of: call, library))
      let why = "/listening.db: can't write: Read-only file system; let yourself write there"
      #expect(error.message.hasSuffix(why), "\(error)")
    }
    try disk.mountAgain("rw")
    try await expectWhole(1, rating: 4, library)
    try library.stage.stop()
  }

  private func expectFailure(of scan: Job, _ reason: String, _ library: LibraryStage) async throws {
    #expect(scan.state == .failed && scan.why?.contains(reason) == true, "\(scan)")
    let why = try await library.status().why
    #expect(why?.contains(reason) == true, "\(why ?? "nothing")")
  }

  /// Scans, and looks whether all items are there, each once, with the rating of "Blue".
  private func expectWhole(_ count: Int, rating: Int, _ library: LibraryStage) async throws {
    #expect(try await library.scan().state == .done)
    let status = try await library.status()
    #expect(status.tracks == count && status.why == nil, "\(status)")
    #expect(try await library.item(titled: "Blue").item.listening.rating == rating)
    let numbers = try AgentLibrary.numbers(
      reply: try await library.caller.call(.numbers(LibraryRequest(count: 50_000))))
    #expect(Set(numbers.items).count == count)
    #expect(!library.databases.contains { $0.contains("damaged") }, "\(library.databases)")
  }

  // MARK: The music

  @Test("folders and files that may not be read are told, lose nothing, and are read as soon as they may")
  func unreadable() async throws {
    let library = try await LibraryStage(.plain)
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try library.write("in/b.flac", pitch: 550, tags: ["TITLE": "Red"])
    try library.write("new/c.flac", pitch: 660, tags: ["TITLE": "Green"])
    try library.setMode("Music/new", 0)
    #expect(try await library.add().state == .done)
    #expect(try await library.status().tracks == 2)
    var why = try #require(try await library.status().folders.first?.why)
    #expect(why == "\(try library.path("new").text) can't be listed: Permission denied")

    // What was known before stays: that in a folder whose names may be read and whose files may not, and a file that can't be opened
    // after it has changed. "new" still can't even be listed.
    try library.setMode("Music/in", 0o400)
    try library.write("a.flac", pitch: 770, tags: ["TITLE": "Blue"])
    try library.setMode("Music/a.flac", 0)
    #expect(try await library.scan().state == .done)
    #expect(Set(try await library.items().map(\.item.tags.title)) == ["Blue", "Red"])
    why = try #require(try await library.status().folders.first?.why)
    #expect(why.hasSuffix("can't be listed: Permission denied, nor can 1 more"), "\(why)")

    for name in ["Music/in", "Music/new"] { try library.setMode(name, 0o700) }
    try await library.scan()
    why = try #require(try await library.status().folders.first?.why)
    #expect(why.hasPrefix("\(try library.path("a.flac").text) can't be read: "), "\(why)")
    #expect(try await library.status().tracks == 3)
    try library.setMode("Music/a.flac", 0o600)
    try await library.scan()
    #expect(Set(try await library.items().map(\.item.tags.title)) == ["Blue", "Red", "Green"])
    #expect(try await library.status().folders.first?.why == nil)
    try library.stage.stop()
  }

  @Test("devices, sockets, pipes and links that lead nowhere or in circles are passed over")
  func strangers() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try library.folder.link("Music/zeros.flac", to: "/dev/zero")
    try library.folder.link("Music/terminal.wav", to: "/dev/tty")
    // Only the superuser can make one; a link to one there is in any case.
    _ = mknod(try library.path("nothing.mp3").text, S_IFCHR | 0o600, 1 << 8 | 3)
    try library.folder.pipe("Music/pipe.mp3")
    try library.folder.link("Music/pipe-link.mp3", to: "pipe.mp3")
    let socket = try DatagramSocket(library.folder.path("Music/socket.ogg"))
    defer { withExtendedLifetime(socket) {} }
    try library.folder.link("Music/itself.flac", to: "itself.flac")
    try library.folder.link("Music/one.flac", to: "other.flac")
    try library.folder.link("Music/other.flac", to: "one.flac")
    try library.folder.makeFolder("Music/x/y")
    try library.folder.link("Music/x/y/up", to: "../..")
    try library.folder.link("Music/x/again", to: "y")
    let job = try await library.add()
    #expect(job.state == .done && job.done == 1, "\(job)")
    #expect(try await library.items().map(\.item.tags.title) == ["Blue"])
    let why = try await library.status().folders.first?.why
    #expect(why == nil, "\(why ?? "")")
    try library.stage.stop()
  }

  @Test(
    "a name that is no text, or that has line breaks or escapes in it, is found, kept, rated and heard",
    arguments: [
      Array("b".utf8) + [0xf6, 0xff] + Array("se.flac".utf8), Array("two\nlines.flac".utf8),
      Array("\u{1b}[31mred\u{7}\r.flac".utf8), [0xff] + Array("/in it.flac".utf8),
    ])
  func names(name: [UInt8]) async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    if name.contains(UInt8(ascii: "/")) {
      let folder = Array("\(try library.path().text)/".utf8) + name.prefix { $0 != UInt8(ascii: "/") } + [0]
      #expect(
        folder.withUnsafeBytes { mkdir($0.assumingMemoryBound(to: CChar.self).baseAddress!, 0o700) } == 0)
    }
    let path = try library.copy("a.flac", to: name)
    try library.remove("a.flac")
    try await library.add()
    let found = try await library.item(titled: "Blue")
    #expect(found.item.location == .file(path))
    let id = try #require(found.item.id)
    try await library.caller.call(.rate(id, 3))
    library.stage.kill()
    try await library.stage.restart()
    try await library.scan()
    let again = try await library.item(titled: "Blue")
    #expect(again.item.id == id && again.item.listening.rating == 3 && again.item.location == .file(path))
    let recorder = try library.stage.server.record("speakers")
    try await library.caller.call(AgentCall.play([.item(id)], PlayOptions()))
    _ = try recorder.waitForSound(floor: 0.05)
    try library.stage.stop()
  }

  @Test("tags that claim a gigabyte are read or named at once, and take nothing from the others")
  func gigabytes() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    let most: [UInt8] = [0x7f, 0x7f, 0x7f, 0x7f]
    let holes: [(String, [UInt8])] = [
      ("id3.mp3", Array("ID3".utf8) + [4, 0, 0] + most + Array("APIC".utf8) + most + [0, 0]),
      ("text.mp3", Array("ID3".utf8) + [3, 0, 0] + most + Array("TIT2".utf8) + [0x0f, 0, 0, 0, 0, 0, 0]),
      ("block.flac", Array("fLaC".utf8) + [0x84, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
      ("chunk.wav", Array("RIFF".utf8) + most + Array("WAVEid3 ".utf8) + [0xff, 0xff, 0xff, 0x3f]),
      ("form.aiff", Array("FORM".utf8) + most + Array("AIFFID3 ".utf8) + [0x3f, 0xff, 0xff, 0xff]),
    ]
    for (name, head) in holes {
      let path = try library.folder.write("Music/\(name)", head)
      #expect(truncate(path, 1 << 30) == 0)
    }
    let job = try await library.add()
    #expect(job.state == .done && job.done == 6, "\(job)")
    // On a loaded machine a reader may be given up for slow. Then what it had not read yet is read by the next scan.
    let deadline = Deadline.patient
    while try await library.items(LibraryRequest("title == \"Blue\"")).isEmpty, !deadline.hasPassed {
      try await library.scan()
    }
    #expect(try await library.item(titled: "Blue").item.location == .file(library.path("a.flac")))
    try library.stage.stop()
  }

  @Test("a folder that vanishes while new and changed files are read loses nothing, doubles nothing")
  func vanishing() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try library.writeMany(3_000)
    try await library.add()
    let id = try #require(try await library.item(titled: "Blue").item.id)
    try await library.caller.call(.rate(id, 4))
    // Each file has another time, and so has to be read again.
    try library.writeMany(3_000)
    let (music, away) = (library.folder.path("Music"), library.folder.path("Away"))
    let scan = try await library.job(.scan())
    try await library.wait(scan, for: "reading") { $0.state.isOver || $0.done > 0 && $0.total == 3_001 }
    #expect(rename(music, away) == 0)
    _ = try await library.untilOver(scan)
    #expect(try await library.status().tracks == 3_001)
    #expect(try await library.scan().state == .done)
    let status = try await library.status()
    let why = "it is not there; is its disk mounted? its 3001 tracks are kept"
    #expect(status.tracks == 3_001 && status.folders.first?.why == why, "\(status)")
    // With nothing there any more, the agent that is started next keeps all as well.
    library.stage.kill()
    try await library.stage.restart()
    #expect(try await library.status().tracks == 3_001)
    #expect(rename(away, music) == 0)
    try await expectWhole(3_001, rating: 4, library)
    #expect(try await library.item(titled: "Blue").item.id == id)
    try library.stage.stop()
  }

  @Test(
    "a disk that is pulled out in the middle of a scan takes nothing along, whatever else is scanned",
    .enabled(if: Mount.isPossible, "only the superuser can make a disk"))
  func pulledOut() async throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("Music/disk")
    // Mounted twice, so that what is on it outlives its end in the folder of music.
    let stick = try Mount(folder.makeFolder("stick"), size: "64m")
    var end: Mount? = try Mount(folder.path("Music/disk"), of: stick)
    let library = try await LibraryStage(folder: folder)
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Here"])
    try library.write("disk/b.flac", pitch: 550, tags: ["TITLE": "Blue"])
    let silence = WAVFile.bytes(
      [Float](repeating: 0, count: 400), AudioFormat(rate: 8_000, channels: 1))
    for number in 0..<2_000 { try folder.write("Music/disk/\(number / 100)/\(number).wav", silence) }
    try await library.add()
    let id = try #require(try await library.item(titled: "Blue").item.id)
    try await library.caller.call(.rate(id, 4))
    for number in 0..<2_000 { try folder.write("Music/disk/\(number / 100)/\(number).wav", silence) }
    let scan = try await library.job(.scan())
    try await library.wait(scan, for: "reading") { $0.state.isOver || $0.done > 0 && $0.total == 2_002 }
    withExtendedLifetime(end) {}
    end = nil
    #expect(try await library.untilOver(scan).state == .done)
    #expect(try await library.scan().state == .done)
    #expect(try await library.status().tracks == 2_002)
    #expect(try await library.item(titled: "Blue").item.listening.rating == 4)
    end = try Mount(folder.path("Music/disk"), of: stick)
    try await expectWhole(2_002, rating: 4, library)
    #expect(try await library.item(titled: "Blue").item.id == id)
    try library.stage.stop()
    withExtendedLifetime(end) {}
  }

  @Test(
    "a disk that is mounted again is found without a scan being asked for, with all that was known of it",
    .enabled(if: Mount.isPossible, "only the superuser can make a disk"))
  func mountedAgain() async throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("Music")
    let stick = try Mount(folder.makeFolder("stick"), size: "1m")
    var place: Mount? = try Mount(folder.path("Music"), of: stick)
    let library = try await LibraryStage(folder: folder)
    try library.write("b.flac", pitch: 550, tags: ["TITLE": "Blue"])
    try await library.add()
    let id = try #require(try await library.item(titled: "Blue").item.id)
    func wait(for what: String, _ isMet: (String?) -> Bool) async throws {
      let deadline = Deadline.patient
      while try await !isMet(library.status().folders.first?.why) {
        if deadline.hasPassed { throw KitError("not \(what): \(try await library.status())") }
      }
    }
    withExtendedLifetime(place) {}
    place = nil
    try await wait(for: "missed") { $0?.contains("is its disk mounted?") == true }
    place = try Mount(folder.path("Music"), of: stick)
    try await wait(for: "found again") { $0 == nil }
    #expect(try await library.item(titled: "Blue").item.id == id)
    try library.stage.stop()
    withExtendedLifetime(place) {}
  }
}

/// A disk in memory, mounted in a folder for as long as this object lives.
private final class Mount {
  private let path: String

  /// Whether this machine lets a test have one.
  static let isPossible: Bool = {
    guard geteuid() == 0, let folder = try? TemporaryDirectory() else { return false }
    return (try? Mount(folder.path, size: "64k")) != nil
  }()

  /// A new disk of this size.
  init(_ path: String, size: String) throws {
    self.path = path
    try Self.run(["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", path])
  }

  /// A disk that is there already, in a second place.
  init(_ path: String, of other: Mount) throws {
    self.path = path
    try Self.run(["--bind", other.path, path])
  }

  /// It is pulled out, whoever uses it.
  deinit { umount2(path, Int32(MNT_DETACH)) }

  /// Changes how it is mounted.
  func mountAgain(_ options: String) throws { try Self.run(["-o", "remount,\(options)", path]) }

  private static func run(_ arguments: [String]) throws {
    try Child.run(.named("mount", package: "mount"), arguments)
  }
}
