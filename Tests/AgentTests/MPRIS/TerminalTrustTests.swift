// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import MediaModel
import PictureModel
import Testing

@Suite("What is not trusted: names and tags", .serialized, .realTime, .endsAnyway, .sharedStage)
struct TerminalTrustTests {
  private static let title = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\u{202e}evil\r\n\u{8}"

  @Test(
    "a title cannot do anything to a terminal",
    arguments: [
      ["status"], ["queue"], ["queue", "list"], ["status", "--json"],
      ["status", "--format", "{title} {artist} {url}"],
    ])
  func terminal(words: [String]) throws {
    let (stage, client, _) = try mprisStage(.empty)
    try client.player("OpenUri", .string(try Self.hostileFile(in: stage.stage.folder)))
    let child = try Child(.beside("fermata"), words, environment: stage.stage.environment)
    let status = child.exit(until: .patient)
    #expect(status == .exited(0), "\(String(describing: status)): \(child.standardError)")
    #expect(Self.dangers(in: child.standardOutput).isEmpty)
    #expect(child.standardOutput.contains("evil"))
  }

  @Test("nor can one that is told as news", arguments: [["events"], ["events", "--json"]])
  func events(words: [String]) throws {
    let (stage, client, _) = try mprisStage(.playing)
    let uri = try Self.hostileFile(in: stage.stage.folder)
    let child = try Child(
      .beside("fermata"), words, environment: stage.stage.environment, isInteractive: true)
    // It listens once it has told the first thing.
    var lines: [String] = []
    let deadline = Deadline.patient
    while !lines.contains(where: { $0.contains("evil") }), !deadline.hasPassed {
      try client.player("OpenUri", .string(uri))
      while let line = try? child.nextLine(until: .after(.seconds(1))) { lines.append(line) }
    }
    #expect(lines.contains { $0.contains("evil") })
    #expect(Self.dangers(in: lines.joined(separator: "\n")).isEmpty)
    child.kill()
  }

  @Test("nor can notes, the names of pictures and those of scanned folders; a pipe has them as they are")
  func library() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let name = "m\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}evil"
    let folder = try stage.folder.makeFolder(name)
    _ = try stage.makeShortTone("\(name)/a.wav")
    try stage.folder.write("\(name)/cover.png", Placeholder(of: "evil").png(edge: 8).bytes)
    let note = "\u{1b}[2J\u{9b}31mevil"
    let scanned = try onTerminal(["library", "add", folder], stage)
    #expect(scanned.contains("done, 1 read"))
    let id = String(try stage.fermata("library", "songs", "--ids").output.dropLast())
    _ = try stage.fermata("library", "note", id, "mood", note)
    let shown = try ["note \(id) mood", "analyze"].map {
      try onTerminal(["library"] + $0.split(separator: " ").map(String.init), stage)
    }
    let picture = try onTerminal(["art", id], stage)
    #expect(picture.contains("cover.png"))
    for text in shown + [scanned, picture] {
      // Lines that show progress are drawn anew.
      let drawn = ["\r\n", "\r", "\u{1b}[J"].reduce(text) { $0.replacing($1, with: "") }
      #expect(Self.dangers(in: drawn).isEmpty, "\(text.debugDescription)")
    }
    #expect(try stage.fermata("library", "note", id, "mood").output == note + "\n")
    #expect(try stage.fermata("art", id).output == "\(folder)/cover.png\n")
    try stage.stop()
  }

  /// What the program writes on a terminal.
  private func onTerminal(_ words: [String], _ stage: AgentStage) throws -> String {
    let own = ["SHELL": "/bin/sh", "NO_COLOR": "1", "fermata": try Program.beside("fermata").path]
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let child = try Child(
      .named("script", package: "bsdutils"), ["-qec", "exec \"$fermata\" \(quoted)", "/dev/null"],
      environment: stage.environment.merging(own) { $1 }, isInteractive: true)
    let text = try child.text(through: nil)
    #expect(child.exit(until: .patient) == .exited(0), "\(words): \(text)")
    return text
  }

  private static func hostileFile(in folder: TemporaryDirectory) throws -> String {
    try Tune.uri(
      ToneFile.flac(
        "\u{1b}[31mred\u{7}.flac", Tune.samples(seconds: 20), Tune.format,
        flags: ["--no-utf8-convert", "-TTITLE=\(title)", "-TARTIST=\(title)", "-TALBUM=\(title)"], in: folder)
    )
  }

  /// What a terminal would obey.
  private static func dangers(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter {
      ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value)
        || (0x202A...0x202E).contains($0.value)
        || (0x2066...0x2069).contains($0.value)
    }
  }
}
