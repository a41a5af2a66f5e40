// SPDX-License-Identifier: MIT
import AudioModel
import BusModel
import FaceModel
import FermataTestKit
import Glibc
import JobLogic
import MediaModel

/// The agent with a folder of music, asked over the bus by our own interfaces.
struct LibraryStage {
  let stage: StateStage

  /// The folder of music, inside the agent's home.
  static let music = "Music"
  private static let format = AudioFormat(rate: 8_000, channels: 1)

  /// Starts an agent that has no library yet. Whoever makes it ends it with `stage.stop`.
  init(_ rights: StateStage.Rights = .own, folder: TemporaryDirectory? = nil) async throws {
    stage = try await StateStage(rights, folder: folder)
  }

  var caller: AgentCaller { stage.caller }
  var folder: TemporaryDirectory { stage.folder }

  /// The path of something in the folder of music.
  func path(_ name: String = "") throws -> FilePath {
    let text = folder.path(name.isEmpty ? Self.music : "\(Self.music)/\(name)")
    guard let path = FilePath(text) else { throw KitError("\(text) is no path") }
    return path
  }

  // MARK: Files

  /// Writes a tagged file whose sound is a tone of its own; `pitch` tells it from others.
  func write(
    _ name: String, pitch: Int, tags: KeyValuePairs<String, String>, frames: Int = 4_000
  ) throws {
    let samples = Tone.sine(Double(pitch), frames: frames, Self.format)
    let inner = name.lastIndex(of: "/").map { "/\(name[..<$0])" } ?? ""
    try folder.makeFolder(Self.music + inner)
    let flags = tags.map { "--tag=\($0)=\($1)" }
    _ = try ToneFile.flac("\(Self.music)/\(name)", samples, Self.format, flags: flags, in: folder)
  }

  /// Writes many small files without tags, in folders of a hundred.
  func writeMany(_ count: Int) throws {
    let bytes = WAVFile.bytes(Tone.sine(440, frames: 400, Self.format), Self.format)
    for number in 0..<count { try folder.write("\(Self.music)/\(number / 100)/\(number).wav", bytes) }
  }

  /// Gives a file in the folder of music another name there.
  func rename(_ old: String, to new: String) throws {
    if let slash = new.lastIndex(of: "/") { try folder.makeFolder("\(Self.music)/\(new[..<slash])") }
    guard Glibc.rename(try path(old).text, try path(new).text) == 0 else {
      throw KitError("rename \(old): error \(errno)")
    }
  }

  func remove(_ name: String) throws {
    guard unlink(try path(name).text) == 0 else { throw KitError("unlink \(name): error \(errno)") }
  }

  /// Copies a file of the folder of music. The copy's name need not be valid text.
  func copy(_ name: String, to copy: [UInt8]) throws -> FilePath {
    try folder.file(named: Array("\(Self.music)/".utf8) + copy, folder.bytes("\(Self.music)/\(name)"))
  }

  /// Sets the permissions of something in the agent's home.
  func setMode(_ name: String, _ mode: mode_t) throws {
    guard chmod(folder.path(name), mode) == 0 else { throw KitError("chmod \(name): error \(errno)") }
  }

  /// The names in the folder of the databases.
  var databases: [String] { folder.names(in: Self.data) }
  static let data = ".local/share/fermata"

  // MARK: Calls

  /// Adds the folder of music and waits for its scan.
  @discardableResult
  func add() async throws -> Job { try await untilOver(try await job(.add(libraryFolder: path()))) }

  /// Scans and waits for the end.
  @discardableResult
  func scan() async throws -> Job { try await untilOver(try await job(.scan())) }

  func job(_ call: AgentCall) async throws -> JobID {
    JobID(rawValue: try await caller.call(call).decoded(as: UInt32.self))
  }

  func jobs() async throws -> [Job] { try AgentJobs.jobs(reply: try await caller.call(.jobs)) }

  /// Asks for a job until it is as wanted; each answer is the pause in between.
  @discardableResult
  func wait(_ id: JobID, for words: String, until isWanted: @Sendable (Job) -> Bool) async throws -> Job {
    let deadline = Deadline.patient
    while true {
      let all = try await jobs()
      if let job = all.first(where: { $0.id == id }), isWanted(job) { return job }
      if deadline.hasPassed { throw KitError("job \(id.rawValue) is not \(words): \(all)") }
    }
  }

  func untilOver(_ id: JobID) async throws -> Job { try await wait(id, for: "over") { $0.state.isOver } }

  func status() async throws -> LibraryStatus {
    guard let status = try await caller.call(.libraryStatus).first.flatMap({ LibraryStatus(wire: $0) }) else {
      throw KitError("the library's status cannot be read")
    }
    return status
  }

  func items(_ request: LibraryRequest = LibraryRequest()) async throws -> [ItemFace] {
    try AgentLibrary.items(reply: try await caller.call(.query(request))).items
  }

  /// Where the files of the queue's rows are.
  func locations() async throws -> [MediaLocation] {
    let page = try QueuePage(reply: try await caller.call(.list(from: 1, count: AgentQueue.largestPage)))
    return page.items.map(\.item.location)
  }

  /// Waits until the item titled "Blue" counts as played so many times, or more.
  func waitForPlays(_ count: Int) async throws {
    let deadline = Deadline.patient
    while try await item(titled: "Blue").item.listening.playCount < count {
      if deadline.hasPassed { throw KitError("not played \(count) times") }
    }
  }

  /// The only item with this title.
  func item(titled title: String) async throws -> ItemFace {
    let found = try await items(LibraryRequest("title == \"\(title)\""))
    guard let item = found.first, found.count == 1 else {
      throw KitError("\(found.count) items are \(title)")
    }
    return item
  }
}
