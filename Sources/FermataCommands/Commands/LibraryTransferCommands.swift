// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import BusModel
import CommandModel
import FaceModel
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
