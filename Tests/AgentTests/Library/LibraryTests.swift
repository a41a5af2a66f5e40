// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import Glibc
import JobLogic
import MediaModel
import PlaybackLogic
import Testing

@Suite("The library of an agent", .serialized, .realTime, .endsAnyway)
struct LibraryTests {
  @Test("a folder that is added is scanned, and can be listed, queried, grouped and searched")
  func added() async throws {
    let library = try await LibraryStage()
    #expect(try await library.status() == LibraryStatus())
    #expect(try await library.items().isEmpty)
    try library.write(
      "a.flac", pitch: 440,
      tags: ["TITLE": "Blue", "ARTIST": "Ann", "ALBUM": "One", "ALBUMARTIST": "Various", "DATE": "1990"])
    try library.write(
      "b.flac", pitch: 550,
      tags: ["TITLE": "Red", "ARTIST": "Bob", "ALBUM": "One", "ALBUMARTIST": "Various", "DATE": "2001"])
    try library.write("x/c.flac", pitch: 660, tags: ["TITLE": "Bluish", "ARTIST": "Ann", "ALBUM": "Two"])
    let job = try await library.add()
    #expect(job.state == .done && job.done == 3 && job.total == 3)
    let status = try await library.status()
    #expect(status.tracks == 3 && status.albums == 2 && status.artists == 2)
    #expect(status.folders.map(\.path) == [try library.path()] && status.folders.first?.tracks == 3)
    #expect(status.folders.first?.lastScan != nil && status.folders.first?.why == nil && status.why == nil)

    let ann = try await library.items(LibraryRequest("artist == \"Ann\"", sort: ["-title"]))
    #expect(ann.map(\.item.tags.title) == ["Bluish", "Blue"])
    #expect(try await library.items(LibraryRequest("year < 2000")).map(\.item.tags.title) == ["Blue"])
    let page = try AgentLibrary.items(
      reply: try await library.caller.call(.query(LibraryRequest(sort: ["title"], first: 2, count: 1))))
    #expect(page.items.map(\.item.tags.title) == ["Bluish"] && page.total == 3)
    let albums = try AgentLibrary.collections(
      reply: try await library.caller.call(.query(LibraryRequest(group: "album"))))
    #expect(
      albums.collections.map(\.title) == ["One", "Two"] && albums.collections.map(\.count) == [2, 1])
    let found = try AgentLibrary.items(reply: try await library.caller.call(.search("blu ann")))
    let none = try AgentLibrary.items(
      reply: try await library.caller.call(.search("", LibraryRequest("title contains \"not there\""))))
    #expect(none.total == 0)
    #expect(Set(found.items.map(\.item.tags.title)) == ["Blue", "Bluish"] && found.total == 2)
    let numbers = try AgentLibrary.numbers(
      reply: try await library.caller.call(.numbers(LibraryRequest(sort: ["title"]))))
    #expect(numbers.items.count == 3 && numbers.total == 3)
    try library.stage.stop()
  }

  @Test("a file whose tags were written in its place, and whose time was set back, is read again")
  func timeSetBack() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    #expect(try await library.items().map(\.item.tags.title) == ["Blue"])
    let path = try library.path("a.flac").text
    var status = stat()
    #expect(stat(path, &status) == 0)
    let title = try #require(try library.folder.bytes("Music/a.flac").firstRange(of: Array("Blue".utf8)))
    let file = open(path, O_WRONLY)
    #expect(pwrite(file, "Rose", 4, off_t(title.lowerBound)) == 4 && close(file) == 0)
    #expect(utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0) == 0)
    try await library.scan()
    #expect(try await library.items().map(\.item.tags.title) == ["Rose"])
    try library.stage.stop()
  }

  @Test("what cannot be understood, or is not there, is refused with the reason")
  func refused() async throws {
    let library = try await LibraryStage()
    let missing = try #require(FilePath(library.folder.path("nowhere")))
    try await expect("NoSuchFile", .add(libraryFolder: missing), library)
    try await expect("Refused", .scan(), library)
    try await expect("Refused", .remove(libraryFolder: missing), library)
    try await expect("InvalidArgs", .query(LibraryRequest("year >")), library)
    try await expect("InvalidArgs", .query(LibraryRequest(sort: ["size"])), library)
    try await expect("InvalidArgs", .query(LibraryRequest(group: "weather")), library)
    try await expect("NoSuchItem", .item(MediaItem.ID(rawValue: 1)), library)
    try await expect("Refused", .order(.cancel, JobID(rawValue: 9)), library)
    try library.write("a.flac", pitch: 440, tags: [:])
    try await library.add()
    let file = try library.path("a.flac")
    try await expect("Refused", .add(libraryFolder: file), library)
    let inner = try #require(FilePath(try library.folder.makeFolder("Music/inner")))
    try await expect("Refused", .add(libraryFolder: inner), library)
    try library.stage.stop()
  }

  private func expect(_ name: String, _ call: AgentCall, _ library: LibraryStage) async throws {
    do {
      _ = try await library.caller.call(call)
      Issue.record("\(call.member) was not refused")
    } catch let error as BusError {
      #expect(error.name.text.hasSuffix(".\(name)") && !error.message.isEmpty, "\(call.member): \(error)")
    }
  }

  @Test(
    "a file that is moved or retagged keeps its number and its rating; one that is gone is hidden and comes back"
  )
  func identities() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try library.write("b.flac", pitch: 550, tags: ["TITLE": "Red"])
    try await library.add()
    let blue = try #require(try await library.item(titled: "Blue").item.id)
    try await library.caller.call(.rate(blue, 4))
    try await library.caller.call(.setNote(blue, key: "mood", "calm"))

    try library.rename("a.flac", to: "x/y.flac")
    try await library.scan()
    var found = try await library.item(titled: "Blue")
    #expect(found.item.id == blue && found.item.listening.rating == 4)
    #expect(found.item.location == .file(try library.path("x/y.flac")))

    // Moved and retagged at once, as if by way of another disk: only the sound is the same.
    try library.write("z.flac", pitch: 440, tags: ["TITLE": "Azure", "ARTIST": "Ann"])
    try library.remove("x/y.flac")
    try await library.scan()
    found = try await library.item(titled: "Azure")
    #expect(found.item.id == blue && found.item.listening.rating == 4)

    try library.rename("z.flac", to: "../away.flac")
    try await library.scan()
    #expect(try await library.items().map(\.item.tags.title) == ["Red"])
    try library.rename("../away.flac", to: "z.flac")
    try await library.scan()
    found = try await library.item(titled: "Azure")
    #expect(found.item.id == blue && found.item.listening.rating == 4)
    #expect(try await library.caller.call(.note(blue, key: "mood")).decoded(as: String.self) == "calm")
    try library.stage.stop()
  }

  @Test("an empty mount point, and a folder that is gone, lose nothing and say so")
  func unmounted() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    let (music, away) = (library.folder.path("Music"), library.folder.path("Away"))
    #expect(rename(music, away) == 0)
    for isThere in [false, true] {
      if isThere { try library.folder.makeFolder("Music") }
      #expect(try await library.scan().state == .done)
      #expect(try await library.items().count == 1)
      let why = try #require(try await library.status().folders.first?.why)
      #expect(why.hasSuffix("is its disk mounted? its track is kept"), "\(why)")
    }
    #expect(rmdir(music) == 0 && rename(away, music) == 0)
    try await library.scan()
    #expect(try await library.status().folders.first?.why == nil)
    #expect(try await library.items().count == 1)
    try library.stage.stop()
  }

  @Test("pipes, circles of links and names that are no text don't stop a scan; such a name can be queued")
  func oddities() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try library.folder.pipe("Music/pipe.flac")
    try library.folder.link("Music/circle", to: ".")
    try library.folder.link("Music/nowhere.flac", to: "missing")
    try library.folder.write("Music/broken.flac", "no sound")
    let odd = try library.path("a.flac").bytes.dropLast(6) + [255, 10] + Array(".flac".utf8)
    let oddPath = try #require(FilePath(odd))
    let bytes = try library.folder.bytes("Music/a.flac")
    let descriptor = (odd + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
      open($0.baseAddress!, O_WRONLY | O_CREAT, 0o600)  // an array of at least one element has an address
    }
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
    #expect(try await library.add().state == .done)
    let items = try await library.items()
    #expect(Set(items.map(\.item.location)) == [.file(try library.path("a.flac")), .file(oddPath)])
    let id = try #require(items.first { $0.item.location == .file(oddPath) }?.item.id)
    try await library.caller.call(AgentCall(QueueOrder.append([.item(id), .item(id)])))
    #expect(try await library.caller.entries().count == 2)
    try library.stage.stop()
  }

  @Test("a scan can be suspended, resumed and cancelled, and what was read stays")
  func orders() async throws {
    let library = try await LibraryStage()
    try library.writeMany(6_000)
    let id = try await library.job(.add(libraryFolder: library.path()))
    try await library.caller.call(.order(.suspend, id))
    let suspended = try #require(try await library.jobs().first { $0.id == id })
    #expect(suspended.state == .suspended && suspended.rate == nil)
    try await library.caller.call(.order(.resume, id))
    try await library.wait(id, for: "reading") { $0.done > 0 && $0.total == 6_000 }
    try await library.caller.call(.order(.cancel, id))
    let cancelled = try await library.untilOver(id)
    #expect(cancelled.state == .cancelled)
    let kept = try await library.status().tracks
    #expect(kept > 0 && kept < 6_000)
    let whole = try await library.scan()
    #expect(whole.state == .done && whole.done == 6_000)
    #expect(try await library.status().tracks == 6_000)
    try library.stage.stop()
  }

  @Test("an agent that is killed during scans goes on with them when it is back; nothing is doubled")
  func killed() async throws {
    let library = try await LibraryStage()
    let count = 4_000 * Rounds.count
    try library.writeMany(count)
    _ = try await library.job(.add(libraryFolder: library.path()))
    var rated: Set<MediaItem.ID> = []
    for round in 1...10 * Rounds.count {
      let deadline = Deadline.patient
      while try await library.status().tracks < round * 300, !deadline.hasPassed {}
      if let item = try await library.items(LibraryRequest(first: round * 7, count: 1)).first?.item.id {
        try await library.caller.call(.rate(item, 4))
        rated.insert(item)
      }
      library.stage.kill()
      try await library.stage.restart()
    }
    let deadline = Deadline.patient
    while try await library.status().tracks < count, !deadline.hasPassed {}
    try await library.scan()
    #expect(try await library.status().tracks == count)
    let numbers = try AgentLibrary.numbers(
      reply: try await library.caller.call(.numbers(LibraryRequest(count: 2 * count))))
    #expect(numbers.total == count && Set(numbers.items).count == count)
    // What was rated a moment before each of the kills.
    let found = try AgentLibrary.numbers(
      reply: try await library.caller.call(.numbers(LibraryRequest("rating == 4", count: 2 * count))))
    #expect(Set(found.items) == rated && !rated.isEmpty)
    try library.stage.stop()
  }

  @Test("a folder that is taken out takes its items along; when it is back, so are their ratings")
  func removed() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    let id = try #require(try await library.item(titled: "Blue").item.id)
    try await library.caller.call(.rate(id, 5))
    try await library.caller.call(.remove(libraryFolder: try library.path()))
    #expect(try await library.items().isEmpty)
    #expect(try await library.status().folders.isEmpty)
    try await library.add()
    #expect(try await library.item(titled: "Blue").item.listening.rating == 5)
    try library.stage.stop()
  }

  @Test("a file that is added or removed later is found by itself, also in a new folder")
  func watched() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    try library.write("new/b.flac", pitch: 550, tags: ["TITLE": "Red"])
    var deadline = Deadline.patient
    while try await library.status().tracks < 2, !deadline.hasPassed {}
    #expect(try await library.status().tracks == 2)
    try library.remove("a.flac")
    deadline = Deadline.patient
    while try await library.status().tracks > 1, !deadline.hasPassed {}
    #expect(try await library.items().map(\.item.tags.title) == ["Red"])
    try library.stage.stop()
  }

  @Test("half of a track that is heard counts as a play")
  func plays() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    let id = try #require(try await library.item(titled: "Blue").item.id)
    try await library.caller.call(AgentCall.play([.item(id)], PlayOptions()))
    try await library.waitForPlays(1)
    let listening = try await library.item(titled: "Blue").item.listening
    #expect(listening.playCount == 1 && listening.skipCount == 0 && listening.lastPlayed != nil)
    try library.stage.stop()
  }

  @Test("a track that is repeated counts each time")
  func repeated() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    let id = try #require(try await library.item(titled: "Blue").item.id)
    try await library.caller.call(.set(repeat: .chosen(.one)))
    try await library.caller.call(AgentCall.play([.item(id)], PlayOptions()))
    try await library.waitForPlays(3)
    try library.stage.stop()
  }

  @Test("a track that gets another name while it plays counts all the same")
  func renamed() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    let id = try #require(try await library.item(titled: "Blue").item.id)
    try await library.caller.call(.set(repeat: .chosen(.one)))
    try await library.caller.call(AgentCall.play([.item(id)], PlayOptions()))
    try await library.waitForPlays(1)
    try library.rename("a.flac", to: "b.flac")
    try await library.scan()
    let before = try await library.item(titled: "Blue").item.listening.playCount
    // What plays goes on from the open file until it was heard to its end.
    try await library.waitForPlays(before + 1)
    try library.stage.stop()
  }

  @Test(
    "rows of the queue follow their files to other names: what plays goes on, what is removed comes back, and a crash forgets nothing",
    arguments: [false, true])
  func followed(byLink: Bool) async throws {
    let library = try await LibraryStage()
    if byLink {
      try library.folder.makeFolder("disk")
      #expect(symlink("disk", library.folder.path("Music")) == 0)
    }
    for (pitch, name) in [(440, "a"), (550, "b"), (660, "c")] {
      try library.write("old/\(name).flac", pitch: pitch, tags: ["TITLE": name], frames: 60 * 8_000)
    }
    try await library.add()
    // One who added the folder by a link may play its files by their real paths.
    let queued = byLink ? "disk/old/" : "Music/old/"
    func path(_ folder: String, _ name: String) throws -> FilePath {
      try #require(FilePath(library.folder.path("\(folder)\(name).flac")))
    }
    let sources = try ["a", "b", "c"].map { MediaSource.file(try path(queued, $0)) }
    try await library.caller.call(AgentCall.play(sources, PlayOptions()))
    try await library.caller.wait(for: "playing") { $0.state == .playing }
    let rows = try await library.caller.entries()
    try await library.caller.call(AgentCall(.remove([rows[2]])))

    // What is renamed is found without being asked for.
    let old = library.folder.path("Music/old")
    #expect(Glibc.rename(old, library.folder.path("Music/new")) == 0)
    let now = byLink ? "disk/new/" : "Music/new/"
    let first = try path(now, "a")
    try await library.caller.wait(for: "at its new name") { $0.current?.item.location == .file(first) }
    #expect(try await library.caller.status().state == .playing)
    try await library.caller.call(AgentCall(.undo))
    let names = try ["a", "b", "c"].map { MediaLocation.file(try path(now, $0)) }
    #expect(try await library.locations() == names)
    library.stage.kill()
    try await library.stage.restart()
    #expect(try await library.locations() == names)
    #expect(try await library.caller.entries() == rows)
    try await library.caller.call(AgentCall(.jump(to: rows[1])))
    let second = try path(now, "b")
    try await library.caller.wait(for: "playing the second row") {
      $0.state == .playing && $0.current?.item.location == .file(second)
    }
    try library.stage.stop()
  }

  @Test("a file that is played by its real path is the item that the library knows by a link's")
  func linkedFolder() async throws {
    let library = try await LibraryStage()
    try library.folder.makeFolder("disk")
    #expect(symlink("disk", library.folder.path("Music")) == 0)
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    let real = try #require(FilePath(library.folder.path("disk/a.flac")))
    try await library.caller.call(AgentCall.play([.file(real)], PlayOptions()))
    try await library.waitForPlays(1)
    #expect(try await library.item(titled: "Blue").item.listening.playCount == 1)
    let id = try #require(try await library.item(titled: "Blue").item.id)
    #expect(try await library.caller.status().current?.item.id == id)
    try library.stage.stop()
  }

  @Test("a file behind a link is read again when it changes, wherever it lies")
  func linkedFile() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try library.folder.makeFolder("elsewhere")
    #expect(rename(library.folder.path("Music/a.flac"), library.folder.path("elsewhere/a.flac")) == 0)
    #expect(symlink("../elsewhere/a.flac", library.folder.path("Music/l.flac")) == 0)
    try await library.add()
    #expect(try await library.items().map(\.item.tags.title) == ["Blue"])
    try library.write("new.flac", pitch: 440, tags: ["TITLE": "Rose"])
    #expect(rename(library.folder.path("Music/new.flac"), library.folder.path("elsewhere/a.flac")) == 0)
    let deadline = Deadline.patient
    while try await library.items().map(\.item.tags.title) != ["Rose"], !deadline.hasPassed {}
    #expect(try await library.items().map(\.item.tags.title) == ["Rose"])
    try library.stage.stop()
  }

  @Test("another file of the same size and time in a file's place is read")
  func replaced() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    let path = try library.path("a.flac").text
    var status = stat()
    #expect(stat(path, &status) == 0)
    var bytes = try library.folder.bytes("Music/a.flac")
    let title = try #require(bytes.firstRange(of: Array("Blue".utf8)))
    bytes.replaceSubrange(title, with: Array("Rose".utf8))
    let new = try library.folder.write("new", bytes)
    #expect(utimensat(AT_FDCWD, new, [status.st_atim, status.st_mtim], 0) == 0)
    #expect(rename(new, path) == 0)
    try await library.scan()
    #expect(try await library.items().map(\.item.tags.title) == ["Rose"])
    try library.stage.stop()
  }

  @Test("a hidden folder in a folder of the library can be added, as no scan of that one looks there")
  func hiddenFolder() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try library.write(".own/b.flac", pitch: 550, tags: ["TITLE": "Red"])
    try await library.add()
    #expect(try await library.status().tracks == 1)
    let job = try await library.job(.add(libraryFolder: library.path(".own")))
    _ = try await library.untilOver(job)
    #expect(try await library.status().tracks == 2)
    try library.stage.stop()
  }

  @Test("an agent that has ended leaves each database in one file; one that is lost comes back whole")
  func singleFiles() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    let id = try #require(try await library.item(titled: "Blue").item.id)
    try await library.caller.call(.rate(id, 4))
    try library.stage.stop()
    #expect(!library.databases.contains { $0.hasSuffix("-wal") }, "\(library.databases)")
  }

  @Test("a scan of a folder that is not there fails with the reason, and is not tried again")
  func missingFolder() async throws {
    let library = try await LibraryStage()
    try library.write("a.flac", pitch: 440, tags: ["TITLE": "Blue"])
    try await library.add()
    #expect(rename(library.folder.path("Music"), library.folder.path("away")) == 0)
    let scan = try await library.untilOver(library.job(.scan([library.path()])))
    #expect(
      scan.state == .failed && scan.why?.contains("it is not there; is its disk mounted?") == true, "\(scan)")
    #expect(try await library.status().why?.contains("failed") != true)
    try library.stage.stop()
  }

  @Test("a scan of one folder gives no rating away that a file in another one is to have")
  func exchangedFolders() async throws {
    let library = try await LibraryStage()
    try library.write("A/x.flac", pitch: 440, tags: ["TITLE": "Low"])
    try library.write("B/x.flac", pitch: 550, tags: ["TITLE": "High"])
    for name in ["A", "B"] {
      _ = try await library.untilOver(library.job(.add(libraryFolder: library.path(name))))
    }
    for (title, stars) in [("Low", 1), ("High", 5)] {
      let id = try #require(try await library.item(titled: title).item.id)
      try await library.caller.call(.rate(id, stars))
    }
    let paths = try ["A/x.flac", "B/x.flac"].map { try library.folder.bytes("Music/\($0)") }
    try library.folder.write("Music/A/x.flac", paths[1])
    try library.folder.write("Music/B/x.flac", paths[0])
    _ = try await library.untilOver(library.job(.scan([library.path("A")])))
    try await library.scan()
    #expect(try await library.item(titled: "Low").item.listening.rating == 1)
    #expect(try await library.item(titled: "High").item.listening.rating == 5)
    try library.stage.stop()
  }
}
