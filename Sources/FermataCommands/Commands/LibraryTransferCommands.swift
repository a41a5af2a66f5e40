// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import BusModel
import CommandModel
import FaceModel
import FileIO
import Glibc
import ListeningModel
import MediaModel
import TerminalIO

/// The argument of `library export` and `library import`: the file to write or to read.
private enum Transfer {
  static func file(_ stream: String) -> ArgumentDefinition {
    ArgumentDefinition(
      ValueDefinition("FILE", completion: .files),
      summary: "A file of text, one object of JSON a line; `-` is standard \(stream)")
  }

  /// The file that the argument names; nil for `-`, which is standard input or output. Throws an error with `code` if it names none.
  static func path(
    _ file: ArgumentDefinition, _ parsed: ParsedCommand, or code: ExitCode
  ) throws(CommandError) -> FilePath? {
    let word = parsed.required(file)
    return word == "-" ? nil : try FilePath.typedForAgent(Array(word.utf8), or: code)
  }
}

/// `fermata library export`.
struct LibraryExportCommand: Command {
  /// The file to write; nil for standard output.
  let file: FilePath?
  let replaces: Bool
  let json: Bool

  private static let output = Transfer.file("output")
  private static let replace = OptionDefinition("replace", summary: "Write over a file of that name")

  static let definition = CommandDefinition(
    "export", summary: "Write ratings, counts and notes into a file",
    discussion: [
      """
      Resume places and smart playlists as well; what is in the tags of the files is not written. The file is written as a whole or not \
      at all.
      """
    ],
    arguments: [output], options: [replace, .json],
    examples: [
      ("fermata library export - | gzip > listening.gz", "Keep it packed"),
      ("fermata library export ~/listening.jsonl --replace", "Keep a copy of it"),
    ], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    file = try Transfer.path(Self.output, parsed, or: .cannotWrite)
    replaces = parsed.has(Self.replace)
    json = parsed.has(.json)
    guard file != nil || !json else {
      throw parsed.error("--json", "standard output has the file itself", "leave it out, or name a file")
    }
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      guard let file else { return try await pour(from: agent) }
      let (sounds, playlists) = try await agent.export(to: file, replacing: replaces)
      try Printer.write(
        .object(present: ["sounds": .integer(sounds), "playlists": .integer(playlists)]), if: json,
        else:
          "Exported \(CountText.text(sounds, "track"))"
          + (playlists > 0 ? " and \(CountText.text(playlists, "smart playlist"))" : "")
      )
    }
  }

  /// Writes what the agent exports to standard output.
  @AgentLoop
  private func pour(from agent: AgentClient) async throws(CommandError) {
    let bytes = try await BorrowedFile.lend { (file) throws(CommandError) in
      _ = try await file.calledInErrors("standard output") { () throws(CommandError) in
        try await agent.export(to: file.path, replacing: false)
      }
      return try file.read()
    }
    // The reader may be slow, so the file is gone by now.
    try Printer.write(bytes)
  }
}

/// `fermata library import`.
struct LibraryImportCommand: Command {
  /// The file to read; nil for standard input.
  let file: FilePath?
  let replaces: Bool
  let json: Bool

  private static let input = Transfer.file("input")
  private static let replace = OptionDefinition(
    "replace", summary: "Where the file and the library differ, take the file's word")

  static let definition = CommandDefinition(
    "import", summary: "Take over what another library exported",
    discussion: [
      """
      A track is recognized by its sound, or else by its path. What is known here stays: counts become the higher ones, and of two \
      ratings the one here counts. To take over a file twice changes nothing. What is said of tracks that are not in the library waits \
      until they are.
      """
    ],
    arguments: [input], options: [replace, .json], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    file = try Transfer.path(Self.input, parsed, or: .noSuchFile)
    replaces = parsed.has(Self.replace)
    json = parsed.has(.json)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    let input = file == nil ? try Self.content() : []
    return try withAgent(name) { agent throws(CommandError) in
      let report =
        if let file { try await agent.take(from: file, replacing: replaces) } else {
          try await BorrowedFile.lend { (borrowed) throws(CommandError) in
            try borrowed.write(input)
            return try await borrowed.calledInErrors(StandardInput.name) { () throws(CommandError) in
              try await agent.take(from: borrowed.path, replacing: replaces)
            }
          }
        }
      for problem in report.problems { Printer.complain("left out: \(problem)") }
      if report.unreadable > report.problems.count {
        Printer.complain("left out: \(report.unreadable - report.problems.count) more lines")
      }
      try Printer.write(
        JSONValue(wire: report.wireValue) ?? .object([]), if: json, else: Self.text(report))
    }
  }

  /// The content of standard input, if it is not larger than what the agent takes.
  private static func content() throws(CommandError) -> [UInt8] {
    let most = AgentLibrary.largestImport
    let bytes = try StandardInput.read(limit: most + 1)
    guard bytes.count <= most else {
      throw CommandError(
        .nothingPlayable, StandardInput.name, "it has more than \(most >> 20) MiB", "split it")
    }
    return bytes
  }

  private static func text(_ report: ImportReport) -> String {
    var lines = [
      "Took over what was said of \(CountText.text(report.sounds, "track")): \(report.bySound) known by sound, "
        + "\(report.byPath) by path, \(report.waiting) not in the library yet"
    ]
    if report.playlists > 0 {
      lines.append("Took over \(CountText.text(report.playlists, "smart playlist"))")
    }
    if report.different > 0 {
      lines.append(
        (report.different == 1
          ? "1 rating, note or playlist differs" : "\(report.different) ratings, notes or playlists differ")
          + "; 'fermata help library import' says which count"
      )
    }
    return lines.joined(separator: "\n")
  }
}

/// A file in a new folder that nobody else can read. The agent reads and writes files only, so standard input and output reach it through one.
struct BorrowedFile: Sendable {
  let path: FilePath
  private let folder: FilePath

  /// Runs `body` with a file, which is removed at its end, and also where a signal ends the process before that. Until then, signals act only while
  /// `body` waits for something on the loop.
  @AgentLoop
  static func lend<Result>(
    _ body: (BorrowedFile) async throws(CommandError) -> Result
  ) async throws(CommandError) -> Result {
    // Before there is a file, so that no signal finds one that nobody would remove.
    setBlocked(true, SignalWatch.ending)
    defer { setBlocked(false, SignalWatch.ending) }
    let file = try BorrowedFile()
    let signals = SignalWatch(SignalWatch.ending) { signal in
      file.remove()
      _ = die(of: signal)
    }
    defer {
      file.remove()
      withExtendedLifetime(signals) {}
    }
    return try await body(file)
  }

  /// Runs an order to which the file was given. Its errors call the file by this name, because nobody has heard of the file.
  @AgentLoop
  func calledInErrors<Result>(
    _ name: String, _ order: () async throws(CommandError) -> Result
  ) async throws(CommandError) -> Result {
    do throws(CommandError) { return try await order() } catch {
      throw CommandError(
        error.code, renamed(error.subject, name), renamed(error.reason, name), error.remedy)
    }
  }

  /// The text with `name` in the file's place. By hand, as the standard library's own way brings its regular expressions along: a megabyte of memory.
  private func renamed(_ text: String, _ name: String) -> String {
    let (bytes, own) = (Array(text.utf8), Array("'\(path)'".utf8))
    guard bytes.count >= own.count,
      let place = (0...bytes.count - own.count).first(where: { bytes[$0...].starts(with: own) })
    else { return text }
    let parts = bytes[..<place] + Array(name.utf8) + bytes[(place + own.count)...]
    return String(decoding: parts, as: UTF8.self)
  }

  /// Makes the folder; the file does not exist yet.
  private init() throws(CommandError) {
    let named = ["XDG_RUNTIME_DIR", "TMPDIR"].compactMap { (name: String) -> String? in
      getenv(name).map { String(cString: $0) }
    }
    // Where neither variable is set, /tmp is the place that every system has. The folder in it is closed to others either way.
    let place = named.first { $0.hasPrefix("/") }
    var name = Array("\(place ?? "/tmp")/fermata-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil, let folder = FilePath(name.dropLast().map { UInt8(bitPattern: $0) }) else {
      throw CommandError(
        .cannotWrite, "'\(place ?? "/tmp")'", "can't be written: \(String(errno: errno))", "make room there")
    }
    self.folder = folder
    path = folder.entry("content")
  }

  /// Removes the file and its folder.
  private func remove() {
    path.withCString { _ = unlink($0) }
    folder.withCString { _ = rmdir($0) }
  }

  func write(_ bytes: [UInt8]) throws(CommandError) {
    do throws(SystemError) { try NewFile.write(bytes, at: path) } catch {
      throw CommandError(
        .cannotWrite, "'\(path)'", "can't be written: \(String(errno: error.code))", "make room there")
    }
  }

  func read() throws(CommandError) -> [UInt8] {
    do throws(SystemError) {
      let held = try HeldFile(path)
      return try held.openFile().head(Int(held.stamp.size))
    } catch {
      throw CommandError(.refused, "'\(path)'", "can't be read: \(String(errno: error.code))")
    }
  }
}
