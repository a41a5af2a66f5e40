// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import CommandModel
import FaceModel
import FileIO
import MediaModel
import PlaylistModel
import SourceIO
import UserFiles

/// A kept playlist: a file in the user's folder, or a query that the library stores.
enum KeptPlaylist: Sendable {
  case plain(PlaylistFolder.Item)
  case smart(SmartPlaylistFace)

  var name: String {
    switch self {
    case .plain(let item): item.name
    case .smart(let list): list.name
    }
  }
}

/// Finds the user's kept playlists by their names. Plain ones are read from the disk here, which blocks; smart ones are asked of the agent.
enum KeptPlaylists {
  /// The word before the colon in a source that names a kept playlist.
  static let scheme = "playlist"
  /// Where shell completion finds the plain playlists, whose names it offers: their folder and extensions.
  static let files = KeptFiles(
    "playlists", in: "fermata/playlists", endings: PlaylistName.endings.map(\.rawValue))

  /// The folder that contains the plain playlists. Throws if the environment doesn't say where it is.
  static func folder() throws(CommandError) -> PlaylistFolder {
    guard let folder = UserFolders.playlists else {
      throw CommandError(
        .cannotWrite, "playlists", UserFolders.reason(noneSays: "where they are", "XDG_DATA_HOME"),
        "set HOME")
    }
    return folder
  }

  /// The plain playlists, which are files in the user's playlist folder.
  static func items() throws(CommandError) -> [PlaylistFolder.Item] {
    let folder = try folder()
    do { return try folder.items() } catch { throw CommandError(error, .noSuchFile) }
  }

  /// The content of a plain playlist. If `tells`, what can't be read of it is told on standard error.
  static func playlist(_ item: PlaylistFolder.Item, tells: Bool = false) throws(CommandError) -> Playlist {
    let folder = try folder()
    do {
      let (playlist, problems) = try folder.read(item.file)
      for problem in tells ? problems.prefix(3) : [] { Printer.complain("\(item.file.text): \(problem)") }
      return playlist
    } catch {
      throw CommandError(error, .nothingPlayable)
    }
  }

  /// Removes rows, counted from 1, from a plain playlist. `restore` brings the old one back.
  static func remove(_ rows: Set<Int>, from item: PlaylistFolder.Item) throws(CommandError) {
    let folder = try folder()
    do { try PlaylistFile.remove(rows, from: item.file, keptIn: folder) } catch {
      throw CommandError(error, .cannotWrite)
    }
  }

  /// Gives a plain playlist another name.
  static func rename(_ item: PlaylistFolder.Item, to name: String) throws(CommandError) {
    let folder = try folder()
    let canHaveName: Bool
    do { canHaveName = try folder.rename(item, to: name) } catch {
      throw error.reason == .exists ? taken(name) : CommandError(error, .cannotWrite)
    }
    guard canHaveName else { throw badName(name) }
  }

  /// An error for a new name that a playlist has already.
  static func taken(_ name: String) -> CommandError {
    CommandError(
      .refused, "playlist '\(name)'", "is there already",
      "choose another name, or delete that one with 'fermata playlist delete'")
  }

  /// The file in which a plain playlist of this name is written. Its folder is made if there is none.
  static func place(of name: String) throws(CommandError) -> FilePath {
    let folder = try folder()
    let file: FilePath?
    do {
      file = try folder.file(named: name)
      if file != nil { try folder.make() }
    } catch {
      throw CommandError(error, .cannotWrite)
    }
    guard let file else { throw badName(name) }
    return file
  }

  static func remove(_ item: PlaylistFolder.Item) throws(CommandError) {
    let folder = try folder()
    do { try folder.remove(item.file) } catch { throw CommandError(error, .cannotWrite) }
  }

  /// Brings back the plain playlist of this name that was deleted or written over last. Returns false if there is none.
  static func restore(_ name: String) throws(CommandError) -> Bool {
    let folder = try folder()
    do { return try folder.restore(name) } catch { throw CommandError(error, .cannotWrite) }
  }

  // MARK: Both kinds

  /// Whether there may be smart playlists. Without the library's database there are none, and then no agent has to be asked or started.
  static var mayHaveSmart: Bool {
    UserFolders.dataFolder.map { !$0.entry("listening.db").isMissing } ?? false
  }

  /// The playlist of this name. Throws if there is none, or if two have it.
  @AgentLoop
  static func find(_ name: String, _ command: String) async throws(CommandError) -> KeptPlaylist {
    let items = try items()
    let plain = items.named(name)
    guard mayHaveSmart else {
      if let plain { return .plain(plain) }
      throw unknown(name, items.map(\.name))
    }
    let lists: [SmartPlaylistFace]
    do throws(CommandError) {
      lists = try await AgentClient.open(for: command).smartPlaylists()
    } catch {
      // A plain playlist can be used without an agent, and beside one that only guards or whose library can't be read.
      guard let plain else { throw error }
      return .plain(plain)
    }
    switch (plain, lists.first { $0.name == name }) {
    case (let plain?, nil): return .plain(plain)
    case (nil, let list?): return .smart(list)
    case (let plain?, .some):
      throw CommandError(
        .refused, "playlist '\(name)'", "a smart playlist and '\(plain.file)' both have that name",
        "give the file another one")
    case (nil, nil): throw unknown(name, items.map(\.name) + lists.map(\.name))
    }
  }

  /// An error for a name that no playlist has. `known` are the names that may have been meant.
  private static func unknown(_ name: String, _ known: [String]) -> CommandError {
    let meant = Suggestion.nearest(to: name, among: known).map { "did you mean '\($0)'? " } ?? ""
    return CommandError(
      .noSuchFile, "playlist '\(name)'", "there is none of that name", meant + "'fermata playlist' lists them"
    )
  }

  /// An error for a name that no playlist can have.
  static func badName(_ name: String) -> CommandError {
    CommandError(
      .usage, "playlist '\(name)'", "a name has 1 to \(PlaylistName.longest - 5) bytes", "give it another")
  }

  // MARK: As sources

  /// The name in a source such as `playlist:NAME`, if only the agent can tell which playlist it means; nil for a source of another form, and if there
  /// are no smart playlists.
  static func nameForAgent(ofSource written: [UInt8]) -> String? {
    // The form is checked first, so that a list of 50,000 files needs no look at the disk here.
    guard let name = name(ofSource: written), mayHaveSmart else { return nil }
    return name
  }

  /// The file of the plain playlist that a source such as `playlist:NAME` names; nil for a source of another form. Throws if
  /// there is no such playlist.
  static func file(ofSource written: [UInt8]) throws(CommandError) -> FilePath? {
    guard let name = name(ofSource: written) else { return nil }
    let items = try items()
    guard let item = items.named(name) else { throw unknown(name, items.map(\.name)) }
    return item.file
  }

  /// As `file(ofSource:)`, for a player in this process. It asks no agent, so an unknown name may be that of a smart playlist.
  static func fileForThisProcess(ofSource written: [UInt8]) throws(CommandError) -> FilePath? {
    do throws(CommandError) { return try file(ofSource: written) } catch {
      guard error.code == .noSuchFile, mayHaveSmart else { throw error }
      throw CommandError(
        error.code, error.subject, "there is no file of that name",
        "a smart playlist plays only through the agent; leave out --here")
    }
  }

  /// The name of the playlist that a source names as one; nil for any other source.
  static func name(ofSource written: [UInt8]) -> String? {
    let prefix = "\(scheme):".utf8
    return written.starts(with: prefix)
      ? String(decoding: written.dropFirst(prefix.count), as: UTF8.self) : nil
  }
}

extension CommandError {
  init(_ error: PlaylistFileError, _ code: ExitCode) {
    self.init(code, error.path.text, error.explanation)
  }
}
