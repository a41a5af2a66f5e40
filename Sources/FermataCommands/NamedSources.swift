// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
package import CommandModel
import FaceModel
import FileIO
import Glibc
import MediaModel
package import SourceIO
import TerminalIO

/// The sources (files, folders and playlists) that a user named for one command to play or add.
///
/// Names are stored as bytes, because file names may be in any encoding.
package enum NamedSources: Equatable {
  /// The sources are words of the command line; empty if none was named.
  case words([String])
  /// On standard input, because the only source was `-`.
  case standardInput

  /// An argument that takes sources.
  static func argument(_ arity: ArgumentDefinition.Arity) -> ArgumentDefinition {
    ArgumentDefinition(
      ValueDefinition("SOURCE", completion: .filesOrKept(KeptPlaylists.files, scheme: KeptPlaylists.scheme)),
      arity,
      summary: "A file, folder, playlist file or `playlist:NAME`; `-` reads these, or items' numbers")
  }

  /// Reads the words of a command line. A `-` beside other words is refused, because it would easily be overlooked
  /// there.
  init(_ argument: ArgumentDefinition, of parsed: ParsedCommand) throws(CommandError) {
    let words = parsed.values(argument)
    guard words.contains("-") else {
      self = .words(words)
      return
    }
    guard words.count == 1 else {
      throw parsed.error(
        "'-'", "standard input cannot be mixed with other sources", "name a file '-' as './-'")
    }
    self = .standardInput
  }

  /// Whether a word names an existing file or folder.
  static func isThere(_ word: String) -> Bool { isThere(Array(word.utf8)) }

  private static func isThere(_ written: [UInt8]) -> Bool {
    guard let path = try? FilePath.typed(written) else { return false }
    return !path.isMissing
  }

  // MARK: What was named

  /// The names as they were written. If they are on standard input, reads it to its end, which blocks and can be done only once. Throws if a
  /// file's content is there instead of names.
  private func written() throws(CommandError) -> [[UInt8]] {
    switch self {
    case .words(let words): return words.map { Array($0.utf8) }
    case .standardInput:
      let head = try StandardInput.read(limit: FileContent.headSize)
      if let content = Self.content(head) {
        throw CommandError(
          .nothingPlayable, StandardInput.name, "it is \(content), not a list of names",
          "give the file's name")
      }
      // On a terminal another read would wait for another Ctrl-D.
      guard head.count >= FileContent.headSize else { return Self.split(head) }
      return Self.split(try head + StandardInput.read(limit: 1 << 30))  // no list of files is longer
    }
  }

  /// What kind of file begins with these bytes, in words; nil if they may be a list of names. The content of a sound file could otherwise pass for
  /// such a list, because one of its lines may by chance be the name of a file.
  static func content(_ head: [UInt8]) -> String? {
    // Every known format of sound files has control characters at its beginning, and few names have any. A name may begin like a format.
    guard head.contains(where: isControl) else { return nil }
    if ID3v2.size(head) != nil { return "sound" }
    switch FileContent(head: head, isWhole: false) {
    case .sound: return "sound"
    case .foreign(let name): return name
    case nil: return nil
    }
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    // NULs and line ends are no sign of a sound file, because they separate names, and a name may have tabs.
    (1..<0x20).contains(byte) && ![0x09, 0x0A, 0x0D].contains(byte)
  }

  /// Throws if none of the names on standard input is the name of anything. The agent would report each of them.
  private func check(_ names: [[UInt8]]) throws(CommandError) {
    guard self == .standardInput, names.count > 1, !names.contains(where: Self.namesAnything) else { return }
    throw CommandError(
      .noSuchFile, StandardInput.name,
      "none of its \(names.count) lines names a file or folder: '\(String(decoding: names[0], as: UTF8.self))' does not",
      "write a file or folder a line")
  }

  private static func namesAnything(_ name: [UInt8]) -> Bool {
    if let scheme = MediaLocation.scheme(of: name), scheme != "file" { return true }
    return KeptPlaylists.name(ofSource: name) != nil || isThere(name)
  }

  /// Splits standard input into sources. They are separated by NULs if it contains any; otherwise each line is one.
  /// Empty ones are left out. If all lines are parted by CR LF, as on Windows, the CR is not part of the name.
  static func split(_ bytes: [UInt8]) -> [[UInt8]] {
    if bytes.contains(0) { return bytes.split(separator: 0).map(Array.init) }
    let (lineEnd, return_) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    let lines = bytes.split(separator: lineEnd)
    // The last line may have no end.
    let ended = bytes.last == lineEnd ? lines[...] : lines.dropLast()
    guard !ended.isEmpty, ended.allSatisfy({ $0.last == return_ }) else { return lines.map(Array.init) }
    return lines.map { Array($0.last == return_ ? $0.dropLast() : $0) }.filter { !$0.isEmpty }
  }

  // MARK: For the agent

  /// The sources in the form in which the agent takes them.
  enum ForAgent {
    case sources([MediaSource])
    /// Items of the library, whose IDs were on standard input.
    case items([MediaItem.ID])
  }

  /// The sources that were named, read and checked. Standard input may have the IDs of items instead of sources, as `fermata library … --ids` writes
  /// them. Only if all of the numbers are names in the working folder, they mean files, which is told: a folder "1" makes no file of an ID.
  func read(toPlay: Bool = false) throws(CommandError) -> ForAgent {
    let written = try written()
    if self == .standardInput, let items = Self.items(written) { return .items(items) }
    try check(written)
    return .sources(try forAgent(written, toPlay: toPlay))
  }

  private static func items(_ written: [[UInt8]]) -> [MediaItem.ID]? {
    let words = written.map { String(decoding: $0, as: UTF8.self) }
    let items = words.compactMap { $0.isDigits ? Int64($0).map(MediaItem.ID.init) : nil }
    guard !items.isEmpty, items.count == words.count else { return nil }
    guard words.allSatisfy(isThere) else { return items }
    Printer.complain(
      "\(words.prefix(3).joined(separator: ", ")): taken for files, as there are such names in this folder; elsewhere they are items' numbers"
    )
    return nil
  }

  /// The sources in order, as they are sent to the agent: absolute paths, because the agent has another working
  /// folder. Those that don't exist are named on standard error and left out; throws if nothing is left. With `toPlay`,
  /// the error for a number suggests that it was meant as a row of the queue.
  private func forAgent(_ written: [[UInt8]], toPlay: Bool) throws(CommandError) -> [MediaSource] {
    guard !written.isEmpty else {
      throw CommandError(
        .nothingPlayable, StandardInput.name, "it names nothing", "write a file or folder a line")
    }
    return try Self.usable(written) { (name) throws(CommandError) in
      if let playlist = KeptPlaylists.nameForAgent(ofSource: name) { return .playlist(playlist) }
      return .file(
        try Self.file(name, looksForIt: self != .standardInput || written.count == 1, toPlay: toPlay))
    }
  }

  /// Calls `source` for each name and returns the results. A name that does not exist or can't be played is reported on standard error and left out.
  /// If no name is left, one error is thrown instead: "no such file" only if that is the error of all of them.
  private static func usable<Source>(
    _ names: [[UInt8]], _ source: ([UInt8]) throws(CommandError) -> Source
  ) throws(CommandError) -> [Source] {
    var (sources, errors): ([Source], [CommandError]) = ([], [])
    for name in names {
      do throws(CommandError) { sources.append(try source(name)) } catch {
        guard error.code == .noSuchFile || error.code == .nothingPlayable else { throw error }
        errors.append(error)
      }
    }
    var last: CommandError?
    if sources.isEmpty,
      let decisive = errors.lastIndex(where: { $0.code != .noSuchFile }) ?? errors.indices.last
    {
      last = errors.remove(at: decisive)
    }
    Printer.complain(errors)
    if let last { throw last }
    return sources
  }

  /// The file with this name. `looksForIt` is false for a long list: then the agent, which looks for each file anyway, reports missing ones.
  private static func file(
    _ written: [UInt8], looksForIt: Bool, toPlay: Bool
  ) throws(CommandError) -> FilePath {
    var text: String { "'\(String(decoding: written, as: UTF8.self))'" }
    guard !written.isEmpty else { throw namesNothing }
    if let kept = try KeptPlaylists.file(ofSource: written) { return kept }
    if let scheme = MediaLocation.scheme(of: written), scheme != "file" {
      throw CommandError(
        .nothingPlayable, text, "only files are played", "name a file, a folder or a playlist")
    }
    let path = try FilePath.typedForAgent(written)
    // A path that may not be accessed counts as existing, because the agent gives a better error.
    guard !looksForIt || !path.isMissing else {
      throw CommandError(
        .noSuchFile, text, "no such file or folder",
        (toPlay ? rowHint(written) : nil) ?? playlistHint(written) ?? "name one that exists")
    }
    return path
  }

  private static func rowHint(_ written: [UInt8]) -> String? {
    let text = String(decoding: written, as: UTF8.self)
    guard text.isDigits, let row = Int(text), row > 0 else { return nil }
    return jumpHint(row)
  }

  /// The hint for a user who names a row of the queue but no command for it.
  static func jumpHint(_ row: Int) -> String { "did you mean 'fermata queue jump \(row)'?" }

  private static func playlistHint(_ written: [UInt8]) -> String? {
    let name = String(decoding: written, as: UTF8.self)
    guard let kept = try? KeptPlaylists.items(), kept.contains(where: { $0.name == name }) else { return nil }
    return "did you mean the playlist \(ShellWord.quoted("\(KeptPlaylists.scheme):\(name)"))?"
  }

  private static let namesNothing = CommandError(
    .noSuchFile, "''", "it names nothing", "name a file, a folder or a playlist")

  // MARK: For this process

  /// The sources in order, for a player in this process. Whether they exist is not checked, except for kept playlists.
  package func forThisProcess() throws(CommandError) -> [SourceRequest] {
    let written = try written()
    if self == .standardInput, Self.items(written) != nil {
      throw CommandError(
        .usage, StandardInput.name, "it has numbers of items, which play only through the agent",
        "leave out --here")
    }
    try check(written)
    return try Self.usable(written) { (name) throws(CommandError) in
      if let kept = try KeptPlaylists.fileForThisProcess(ofSource: name) { return .path(kept) }
      switch SourceRequest(written: name) {
      case .path(let path): return .path(path.resolved(against: try FilePath.folder(ofTyped: name)))
      case let request?: return request
      case nil: throw Self.namesNothing
      }
    }
  }
}

// Turns names that a user typed into absolute paths.
extension FilePath {
  /// The working folder; nil if it has been removed. It is the path in PWD, by which the shell's user went there, if that leads here: a library folder
  /// that is reached by a symbolic link knows its files by the link.
  static var workingFolder: FilePath? {
    if let shells = Process.environmentBytes("PWD").flatMap({ FilePath($0) }), shells.isAbsolute,
      shells == shells.withoutParents, shells.isWorkingFolder
    {
      return shells
    }
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return FilePath(UnsafeRawBufferPointer(start: path, count: strlen(path))).flatMap {
      $0.isAbsolute ? $0 : nil
    }
  }

  private var isWorkingFolder: Bool {
    var (here, there) = (stat(), stat())
    return stat(".", &here) == 0 && withCString { stat($0, &there) } == 0
      && (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)
  }

  /// The folder at which a name starts. For a URI or an absolute path it is the root. Throws for a relative name if
  /// the working folder has been removed: with the root instead, the name could mean the whole file system.
  fileprivate static func folder(
    ofTyped name: [UInt8], or code: ExitCode = .noSuchFile
  ) throws(CommandError) -> FilePath {
    guard MediaLocation.scheme(of: name) == nil, name.first != UInt8(ascii: "/") else { return "/" }
    guard let folder = workingFolder else {
      throw CommandError(
        code, "'\(String(decoding: name, as: UTF8.self))'", "the current folder is gone",
        "go to one that exists, or write the whole path")
    }
    return folder
  }

  /// The absolute path of the file or folder that a word names. The word is a path or a `file:` URI, as which a name comes that is not valid text.
  /// Throws an error with `code` if it names no file of this machine, and if the working folder has been removed.
  static func typed(_ written: [UInt8], or code: ExitCode = .noSuchFile) throws(CommandError) -> FilePath {
    var text: String { "'\(String(decoding: written, as: UTF8.self))'" }
    guard !written.isEmpty else {
      throw CommandError(.usage, text, "it names nothing", "name a file or folder")
    }
    let folder = try folder(ofTyped: written, or: code)
    let location: MediaLocation
    do throws(FileURIError) {
      location = try MediaLocation(written, in: folder, host: FilePath.thisHost)
    } catch {
      throw CommandError(code, text, error.explanation)
    }
    guard case .file(let path) = location else {
      throw CommandError(code, text, "not a file of this machine", "name it by its path")
    }
    return path.tidied
  }

  /// What `typed` returns, for a file that the agent opens. Throws for a name that means something else there, as `/dev/stdin` does, unless it leads to a
  /// file that has another name.
  static func typedForAgent(_ written: [UInt8], or code: ExitCode = .noSuchFile) throws(CommandError)
    -> FilePath
  {
    let path = try typed(written, or: code)
    guard ofOneProcess.contains(where: path.isAtOrBelow) else { return path }
    if let real = path.real, (try? HeldFile(real))?.kind == .file { return real }
    throw CommandError(
      code, "'\(path.text)'", "only this command sees it, and the agent has to open it",
      "name a file by its path")
  }

  /// Names that mean something else in each process.
  private static let ofOneProcess: [FilePath] = [
    "/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc/self", "/proc/thread-self",
  ]
}

extension AgentClient {
  /// The sources for a command: those that the user named, or else the items that match an expression.
  func sources(
    _ named: NamedSources.ForAgent?, or expression: String?
  ) async throws(CommandError) -> [MediaSource] {
    switch named {
    case .sources(let sources): sources
    case .items(let items): try await sources(of: items)
    case nil: try await sources(LibraryRequest(expression ?? ""))
    }
  }

  /// The items that a request finds, in its order, as sources. Throws if there are none.
  func sources(_ request: LibraryRequest) async throws(CommandError) -> [MediaSource] {
    let items = try await numbers(request)
    guard !items.isEmpty else {
      throw CommandError(
        .nothingPlayable, command, "nothing in the library is like that",
        "'fermata library' shows what there is")
    }
    return items.map(MediaSource.item)
  }

  /// These items as sources, in this order. Items that the library does not have are reported on standard error and left out; throws if none is left.
  func sources(of items: [MediaItem.ID]) async throws(CommandError) -> [MediaSource] {
    var known: Set<MediaItem.ID> = []
    var rest = items[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.mostNumbers)
      rest = rest.dropFirst(part.count)
      let numbers = part.map { "\($0.rawValue)" }.joined(separator: ", ")
      known.formUnion(try await self.numbers(LibraryRequest("id in [\(numbers)]")))
    }
    for item in items where !known.contains(item) {
      Printer.complain("item \(item.rawValue): the library has none of that number")
    }
    guard !known.isEmpty else {
      throw CommandError(
        .noSuchFile, command, "the library has none of these items",
        "'fermata library list' shows their numbers")
    }
    return items.filter(known.contains).map(MediaSource.item)
  }

  /// At most this many items are named in one expression, so that it stays within the agent's limit.
  private static let mostNumbers = 500
}
