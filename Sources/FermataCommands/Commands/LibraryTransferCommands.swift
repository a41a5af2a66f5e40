// SPDX-License-Identifier: MIT
import AgentAccess
import BusModel
import CommandModel
import FaceModel
import ListeningModel
import MediaModel

/// The arguments of both transfer commands.
private enum Transfer {
  static let file = ArgumentDefinition(
    ValueDefinition("FILE", completion: .files), summary: "A file of text, one object of JSON a line")

  static func path(_ parsed: ParsedCommand) throws(CommandError) -> FilePath {
    let word = parsed.required(file)
    guard !word.isEmpty, let path = try FilePath.toWrite(typed: word) else {
      throw CommandError(.usage, "'\(word)'", "not the name of a file", "give it another")
    }
    return path
  }
}

/// `fermata library export`.
struct LibraryExportCommand: Command {
  let file: FilePath
  let replaces: Bool
  let json: Bool

  private static let replace = OptionDefinition("replace", summary: "Write over a file of that name")

  static let definition = CommandDefinition(
    "export", summary: "Write ratings, counts and notes into a file",
    discussion: [
      """
      Resume places and smart playlists as well; what is in the tags of the files is not written. The file is written as a whole or not \
      at all.
      """
    ],
    arguments: [Transfer.file], options: [replace, .json],
    examples: [("fermata library export ~/listening.jsonl --replace", "Keep a copy of it")], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    file = try Transfer.path(parsed)
    replaces = parsed.has(Self.replace)
    json = parsed.has(.json)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      let (sounds, playlists) = try await agent.export(to: file, replacing: replaces)
      try Printer.write(
        .object(present: ["sounds": .integer(sounds), "playlists": .integer(playlists)]), if: json,
        else:
          "Wrote what was said of \(CountText.text(sounds, "track")), and \(CountText.text(playlists, "smart playlist"))"
      )
    }
  }

}

/// `fermata library import`.
struct LibraryImportCommand: Command {
  let file: FilePath
  let replaces: Bool
  let json: Bool

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
    arguments: [Transfer.file], options: [replace, .json], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    file = try Transfer.path(parsed)
    replaces = parsed.has(Self.replace)
    json = parsed.has(.json)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      let report = try await agent.take(from: file, replacing: replaces)
      for problem in report.problems { Printer.complain("left out: \(problem)") }
      if report.unreadable > report.problems.count {
        Printer.complain("left out: \(report.unreadable - report.problems.count) more lines")
      }
      try Printer.write(
        JSONValue(wire: report.wireValue) ?? .object([]), if: json, else: Self.text(report))
    }
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
        "\(report.different) ratings, notes or playlists differ; 'fermata help library import' says which count"
      )
    }
    return lines.joined(separator: "\n")
  }
}
