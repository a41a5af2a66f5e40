// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
package import MediaModel
package import PlaylistModel

/// A folder for kept playlists, each in a file: ours in M3U8, others in whatever format somebody put there. Every call blocks on the disk.
package struct PlaylistFolder: Sendable, Hashable {
  /// One playlist in the folder.
  package struct Item: Sendable, Hashable {
    package let file: FilePath
    package fileprivate(set) var name: String
    /// When the file was last written, in nanoseconds since 1970.
    package let modified: Int64
  }

  /// The folder's path. The folder need not exist.
  package let path: FilePath

  /// The folder at a path, which must be absolute.
  package init(_ path: FilePath) {
    precondition(path.isAbsolute, "relative to what: \(path)")
    self.path = path
  }

  /// The playlists in the folder, in natural order of their names; empty if the folder doesn't exist.
  package func items() throws(PlaylistFileError) -> [Item] {
    Self.distinct(try names().compactMap(item)).sorted { NaturalOrder.precedes($0.name, $1.name) }
  }

  private func names() throws(PlaylistFileError) -> [FilePath] {
    do throws(SystemError) {
      var names: [FilePath] = []
      var folder = try HeldFile(path).openFolder()
      while let (name, _) = try folder.next() { names.append(name) }
      return names
    } catch {
      if error.isMissing { return [] }
      throw PlaylistFileError(path, .unreadable(error.code))
    }
  }

  /// The playlist of this name; nil if there is none. Where one file alone can have the name, no other one is looked at: somebody may add hundreds of
  /// playlists at once, by their names, out of a folder of thousands.
  package func item(named name: String) throws(PlaylistFileError) -> Item? {
    let fitting = try names().filter { PlaylistName.name(of: $0) == name }
    if fitting.count == 1, PlaylistName.name(of: fitting[0])?.utf8.elementsEqual(name.utf8) == true,
      let item = item(fitting[0])
    {
      return item
    }
    return try items().named(name)
  }

  /// The same playlists, of which no two have the same name: where a file of another format would have the name of one in M3U8, or of a third, its name
  /// is that of the whole file. Names that are not UTF-8 and read the same have the bytes beyond ASCII in hexadecimal.
  private static func distinct(_ items: [Item]) -> [Item] {
    let counts = items.reduce(into: [:]) { $0[$1.name, default: 0] += 1 }
    return items.map { item in
      var item = item
      if counts[item.name] != 1 { item.name = longerName(item) }
      return item
    }
  }

  private static func longerName(_ item: Item) -> String {
    let isM3U8 = PlaylistFormat(name: item.file) == .m3u8
    let (bytes, ending) = (item.file.nameBytes, ".\(PlaylistFormat.m3u8.rawValue)")
    if String(validating: bytes, as: UTF8.self) != nil {
      return isM3U8 ? item.name : String(decoding: bytes, as: UTF8.self)
    }
    return PercentEncoding.encode(isM3U8 ? Array(bytes.dropLast(ending.utf8.count)) : Array(bytes)) {
      $0 < 0x80
    }
  }

  private func item(_ name: FilePath) -> Item? {
    guard let text = PlaylistName.name(of: name) else { return nil }
    let file = path.entry(name)
    guard let held = try? HeldFile(file), held.kind == .file else { return nil }
    return Item(file: file, name: text, modified: held.stamp.modified)
  }

  /// The file of the playlist with this name, or the file in which it would be saved; nil if the name can't be part of a file name.
  package func file(named name: String) throws(PlaylistFileError) -> FilePath? {
    if let item = try item(named: name) { return item.file }
    return PlaylistName.file(named: name).map(path.entry)
  }

  /// Reads a playlist. Lines that can't be read are left out. Where a name may be meant in several ways, the first one that is there is taken.
  package func playlist(in file: FilePath) throws(PlaylistFileError) -> Playlist { try read(file).playlist }

  /// The same, and what is wrong with lines that can't be read.
  package func read(
    _ file: FilePath
  ) throws(PlaylistFileError) -> (playlist: Playlist, problems: [PlaylistProblem]) {
    let bytes = try PlaylistFile.bytes(of: file)
    do {
      let reading = try PlaylistReader.read(bytes, of: file, host: FilePath.thisHost)
      var playlist = reading.playlist
      playlist.entries = playlist.entries.map(\.resolved)
      return (playlist, reading.problems)
    } catch {
      throw PlaylistFileError(file, .noPlaylist(error))
    }
  }

  /// Creates the folder, and the folders above it, with access for this user only.
  package func make() throws(PlaylistFileError) {
    do throws(SystemError) { try NewFolder.make(path) } catch {
      throw PlaylistFileError(path, .unwritable(error.code))
    }
  }

  /// Gives a playlist another name, in the format that it has. Returns false if no playlist can have that name. Throws if a file has it already. What
  /// `restore` would bring back goes with it, unless a playlist of the new name was deleted before.
  package func rename(_ item: Item, to name: String) throws(PlaylistFileError) -> Bool {
    guard let format = PlaylistFormat(name: item.file),
      let file = PlaylistName.file(named: name, as: format).map(path.entry)
    else { return false }
    // Unlike a rename, a link never replaces a file that has come into being meanwhile.
    let code = unsafe item.file.withCString { old in
      unsafe file.withCString { new in unsafe link(old, new) == 0 ? 0 : errno }
    }
    if code == EEXIST { throw PlaylistFileError(file, .exists) }
    // There are file systems without links.
    if code != 0 {
      guard file.isMissing, rename(item.file, to: file) else {
        throw PlaylistFileError(file, .unwritable(code))
      }
    } else if unsafe item.file.withCString({ unsafe unlink($0) }) != 0 {
      throw PlaylistFileError(item.file, .unwritable(errno))
    }
    if let kept = Self.hidden(item.file), let newKept = Self.hidden(file), newKept.isMissing {
      _ = rename(kept, to: newKept)
    }
    return true
  }

  // MARK: Deleting, and taking that back

  /// Deletes a playlist, but keeps its file under a hidden name until another one of that name is deleted. Throws if it does not exist.
  package func remove(_ file: FilePath) throws(PlaylistFileError) {
    if let hidden = Self.hidden(file), rename(file, to: hidden) { return }
    guard unsafe file.withCString({ unsafe unlink($0) }) == 0 else {
      throw PlaylistFileError(file, .unwritable(errno))
    }
  }

  /// Keeps what a file has now under its hidden name, because it is about to be written over. Does nothing if the file system can't do that.
  func keep(_ file: FilePath) {
    guard let hidden = Self.hidden(file), let between = Self.between(hidden) else { return }
    // What was kept before stays where there are no links.
    _ = unsafe between.withCString { unsafe unlink($0) }
    let isLinked =
      unsafe file.withCString { file in unsafe between.withCString { unsafe link(file, $0) } } == 0
    if isLinked { _ = rename(between, to: hidden) }
    // It is still there if that failed, and if both names were of one file already.
    _ = unsafe between.withCString { unsafe unlink($0) }
  }

  /// Brings back the playlist of this name that was deleted or written over last. The one that has the name now takes its place, so that the same call takes
  /// this back. Returns false if there is none.
  package func restore(_ name: String) throws(PlaylistFileError) -> Bool {
    let kept = try names().first { Self.shown($0).flatMap(PlaylistName.name) == name }
    guard let kept, let shown = Self.shown(kept) else { return false }
    let (hidden, file) = (path.entry(kept), path.entry(shown))
    guard !file.isMissing else {
      guard rename(hidden, to: file) else { throw PlaylistFileError(file, .unwritable(errno)) }
      return true
    }
    guard let between = Self.between(hidden), rename(file, to: between) else {
      throw PlaylistFileError(file, .unwritable(errno))
    }
    guard rename(hidden, to: file), rename(between, to: hidden) else {
      let code = errno
      if file.isMissing { _ = rename(between, to: file) }
      throw PlaylistFileError(file, .unwritable(code))
    }
    return true
  }

  private func rename(_ file: FilePath, to other: FilePath) -> Bool {
    unsafe file.withCString { old in unsafe other.withCString { unsafe Glibc.rename(old, $0) } } == 0
  }

  private static let hiddenEnding = Array(".deleted".utf8)

  /// The name under which a deleted file is kept beside where it was. It begins with a dot, so nobody takes it for a playlist.
  private static func hidden(_ file: FilePath) -> FilePath? {
    FilePath([UInt8(ascii: ".")] + file.nameBytes + hiddenEnding).flatMap { file.parent?.entry($0) }
  }

  /// Another hidden name beside this one, for a moment.
  private static func between(_ hidden: FilePath) -> FilePath? { FilePath(hidden.bytes.dropLast()) }

  /// The name that the file with this hidden name had; nil for any other name.
  private static func shown(_ name: FilePath) -> FilePath? {
    let bytes = name.bytes
    guard bytes.first == UInt8(ascii: "."), bytes.suffix(hiddenEnding.count).elementsEqual(hiddenEnding)
    else {
      return nil
    }
    return FilePath(bytes.dropFirst().dropLast(hiddenEnding.count))
  }
}

extension [PlaylistFolder.Item] {
  /// The playlist of this name; nil if there is none. Of names that read alike, because one was written with an accented letter and the other with a
  /// letter and an accent, it is the one written like this, else the first.
  package func named(_ name: String) -> PlaylistFolder.Item? {
    first { $0.name.utf8.elementsEqual(name.utf8) } ?? first { $0.name == name }
  }
}
