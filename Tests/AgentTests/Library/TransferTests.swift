// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import FaceModel
import FermataTestKit
import Glibc
import MediaModel
import Testing

@Suite("What the listener said, carried elsewhere", .serialized, .realTime, .endsAnyway)
struct TransferTests {
  /// Writes tagged tones into a folder of music, and has them read.
  private func music(_ folder: String, _ pitches: [String: Double], _ stage: AgentStage) throws {
    let format = AudioFormat(rate: 8_000, channels: 1)
    try stage.folder.makeFolder(folder)
    for (title, pitch) in pitches {
      _ = try ToneFile.flac(
        "\(folder)/\(title).flac", Tone.sine(pitch, frames: 4_000, format), format,
        flags: ["--tag=TITLE=\(title)"], in: stage.folder)
    }
    #expect(try stage.fermata("library", "add", stage.folder.path(folder), "--wait").status == .exited(0))
  }

  private func id(_ title: String, _ stage: AgentStage) throws -> String {
    let ids = try stage.fermata("library", "query", "title == \"\(title)\"", "--ids").output
    return String(ids.dropLast())
  }

  @Test(
    "a file of empty lines is read without a list of them",
    arguments: ["", #"{"fermata":"listening","version":1}"#])
  func emptyLines(header: String) throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: 16 << 20)
    let file = try stage.folder.write("lines.jsonl", Array(header.utf8) + lines)
    let run = try stage.fermata("library", "import", file)
    #expect(run.status == .exited(header.isEmpty ? 65 : 0), "\(run)")
    let status = try Child.run(
      .named("cat", package: "coreutils"), ["/proc/\(stage.agent.processID)/status"])
    let peak = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
    let kilobytes = try #require(peak.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) })
    #expect(kilobytes < 200 << 10)
    try stage.stop()
  }

  @Test("ratings, notes and smart playlists come into another library, by sound and by path")
  func carried() throws {
    let first = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try music("Music", ["Blue": 400, "Red": 500], first)
    let blue = try id("Blue", first)
    let file = first.folder.path("kept.jsonl")
    let nothing = try first.fermata("library", "export", file)
    #expect(nothing.status == .exited(1) && nothing.errors.contains("nothing to export"), "\(nothing.errors)")
    _ = try first.fermata("library", "rate", blue, "4")
    _ = try first.fermata("library", "note", blue, "mood", "calm")
    _ = try first.fermata("playlist", "smart", "Best", "rating >= 4", "--sort", "-rating")
    let written = try first.fermata("library", "export", file)
    #expect(
      written.status == .exited(0)
        && written.output == "Exported 1 track and 1 smart playlist\n",
      "\(written.errors)")
    #expect(try first.contents(of: "kept.jsonl").hasPrefix(#"{"fermata":"listening","version":1"#))
    #expect(try first.fermata("library", "export", file).status == .exited(1), "it is there already")
    #expect(try first.fermata("library", "export", file, "--replace").status == .exited(0))
    #expect(try first.fermata("library", "export", first.folder.path("no/where")).status == .exited(73))

    let second = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try music("Elsewhere", ["Azure": 400, "Green": 600], second)
    let taken = try second.fermata("library", "import", file, "--json")
    #expect(
      taken.output.contains(#""sounds":1,"bySound":1,"byPath":0,"waiting":0,"playlists":1,"different":0"#),
      "\(taken.output)\(taken.errors)")
    #expect(
      try second.fermata("library", "query", "rating == 4", "--ids").output == "\(try id("Azure", second))\n")
    #expect(try second.fermata("library", "note", id("Azure", second), "mood").output == "calm\n")
    #expect(try second.fermata("playlist", "--json").output.contains(#""name":"Best","count":1"#))
    _ = try second.fermata("library", "rate", id("Azure", second), "2")
    #expect(
      try second.fermata("library", "import", file).output.contains("1 rating, note or playlist differs;"))
    #expect(try second.fermata("library", "query", "rating == 2", "--ids").output != "")
    _ = try second.fermata("library", "import", file, "--replace")
    #expect(try second.fermata("library", "query", "rating == 4", "--ids").output != "")
    try second.stop()
    try first.stop()
  }

  @Test("a smart playlist that has the name of a file here is left out and told")
  func nameIsTaken() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try music("Music", ["Blue": 400], stage)
    let blue = stage.folder.path("Music/Blue.flac")
    _ = try stage.fermata("playlist", "smart", "Best", "rating >= 4")
    _ = try stage.fermata("library", "export", stage.folder.path("kept.jsonl"))
    _ = try stage.fermata("playlist", "delete", "Best")
    _ = try stage.fermata("add", blue)
    #expect(try stage.fermata("playlist", "save", "Best").status == .exited(0))
    let taken = try stage.fermata("library", "import", stage.folder.path("kept.jsonl"), "--replace", "--json")
    #expect(taken.output.contains(#""playlists":0,"different":1"#), "\(taken.output)\(taken.errors)")
    let shown = try stage.fermata("playlist", "show", "Best")
    #expect(shown.status == .exited(0) && shown.output.contains("Blue"), "\(shown.output)\(shown.errors)")
    try stage.stop()
  }

  @Test("a dash is standard output and standard input, and leaves no file behind")
  func poured() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try music("Music", ["Blue": 400], stage)
    let blue = try id("Blue", stage)
    _ = try stage.fermata("library", "rate", blue, "4")
    try stage.folder.makeFolder("run")
    let script = """
      cd "$place" && export XDG_RUNTIME_DIR="$place/run" &&
      "$fermata" library export - > kept.jsonl && "$fermata" library rate \(blue) 0 &&
      "$fermata" library import - --replace < kept.jsonl && "$fermata" library export - --json
      """
    let own = ["fermata": try Program.beside("fermata").path, "place": stage.folder.path]
    // The bus is found by its address, so the folder of this session may be another one.
    let child = try Child(
      .named("sh", package: "dash"), ["-c", script], environment: stage.environment.merging(own) { $1 })
    #expect(child.exit(until: .patient) == .exited(64), "\(child.standardError)")
    #expect(child.standardOutput.hasPrefix("Took over what was said of 1 track"), "\(child.standardOutput)")
    #expect(child.standardError.contains("standard output has the file itself"))
    #expect(try stage.contents(of: "kept.jsonl").hasPrefix(#"{"fermata":"listening","version":1"#))
    #expect(try stage.fermata("library", "query", "rating == 4", "--ids").output == "\(blue)\n")
    #expect(!stage.folder.names().contains("-") && stage.folder.names(in: "run").isEmpty)
    let wrong = try Child(
      .named("sh", package: "dash"), ["-c", "echo hello | \"$fermata\" library import -"],
      environment: stage.environment.merging(own) { $1 })
    #expect(wrong.exit(until: .patient) == .exited(65))
    #expect(wrong.standardError.contains("standard input: it is no file that"), "\(wrong.standardError)")
    try stage.stop()
  }

  @Test(
    "an export that is interrupted while its reader is slow ends by the signal, and leaves no file behind")
  func blockedReader() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try music("Music", ["Blue": 400], stage)
    let blue = try id("Blue", stage)
    // More than the way to the reader holds.
    for number in 0..<20 {
      _ = try stage.fermata("library", "note", blue, "\(number)", String(repeating: "x", count: 60_000))
    }
    try stage.folder.makeFolder("run")
    let own = ["XDG_RUNTIME_DIR": stage.folder.path("run")]
    let child = try Child(
      .beside("fermata"), ["library", "export", "-"], environment: stage.environment.merging(own) { $1 },
      isInteractive: true)
    #expect(try child.text(through: "{").hasSuffix("{"))
    #expect(stage.folder.names(in: "run").isEmpty)
    child.send(signal: SIGINT)
    #expect(child.exit(until: .patient) == .killed(SIGINT))
    #expect(stage.folder.names(in: "run").isEmpty)
    try stage.stop()
  }

  @Test("an import of standard input that is interrupted leaves no file behind, nor does an export")
  func interruptedInput() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try music("Music", ["Blue": 400], stage)
    _ = try stage.fermata("library", "rate", id("Blue", stage), "4")
    try stage.folder.makeFolder("run")
    let own = ["XDG_RUNTIME_DIR": stage.folder.path("run"), "fermata": try Program.beside("fermata").path]
    let file = try stage.folder.write("in.jsonl", "{\"fermata\":\"listening\",\"version\":1}\n")
    // The agent is stopped, so that the command waits for its answer.
    for words in ["import - < '\(file)'", "export -"] {
      kill(stage.agent.processID, SIGSTOP)
      let child = try Child(
        .named("sh", package: "dash"), ["-c", "exec \"$fermata\" library \(words)"],
        environment: stage.environment.merging(own) { $1 })
      let deadline = Deadline.patient
      while stage.folder.names(in: "run").isEmpty, !deadline.hasPassed { _ = sched_yield() }
      child.send(signal: SIGINT)
      #expect(child.exit(until: .patient) == .killed(SIGINT), "\(words)")
      #expect(stage.folder.names(in: "run").isEmpty, "\(words)")
      kill(stage.agent.processID, SIGCONT)
    }
    try stage.stop()
  }

  @Test("a file whose import is interrupted changes nothing")
  func interrupted() async throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try music("Music", ["Blue": 400], stage)
    let blue = try id("Blue", stage)
    _ = try stage.fermata("library", "rate", blue, "2")
    let place = "file://\(stage.folder.path)"
    let others = (1...60_000).map { "{\"url\":\"\(place)/\($0).flac\",\"rating\":3}" }
    let lines =
      ["{\"fermata\":\"listening\",\"version\":1}", "{\"url\":\"\(place)/Music/Blue.flac\",\"rating\":5}"]
      + others
    let file = try stage.folder.write("large.jsonl", lines.joined(separator: "\n") + "\n")
    let path = try #require(FilePath(file))
    let caller = try await AgentCaller.connected(to: stage.bus)
    _ = try await onLoop { @AgentLoop in
      AgentLoop.task { try? await caller.call(.take(from: path, replacing: true)) }
    }
    // The agent takes orders in their order, so it has that one when it answers.
    _ = try await onLoop { try await caller.ping() }
    try await onLoop { caller.leave() }
    // Imports are made one after another, so when this one is over the other is too.
    let small = try stage.folder.write("small.jsonl", lines[0] + "\n" + others[0] + "\n")
    #expect(try stage.fermata("library", "import", small).status == .exited(0))
    #expect(try stage.fermata("library", "query", "rating == 2", "--ids").output == "\(blue)\n")
    #expect(try stage.fermata("library", "import", file, "--replace").status == .exited(0))
    #expect(try stage.fermata("library", "query", "rating == 5", "--ids").output == "\(blue)\n")
    try stage.stop()
  }

  @Test("notes are listed without a key, and shown with the item")
  func notes() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try music("Music", ["Blue": 400], stage)
    let blue = try id("Blue", stage)
    #expect(try stage.fermata("library", "note", blue).output == "Nothing is noted of it.\n")
    #expect(try stage.fermata("library", "note", blue, "--json").output == #"{"notes":{}}"# + "\n")
    #expect(try !stage.fermata("library", "show", blue, "--json").output.contains("notes"))
    _ = try stage.fermata("library", "note", blue, "mood", "calm\tand blue")
    _ = try stage.fermata("library", "note", blue, "by", "Ann")
    let json = #""notes":{"by":"Ann","mood":"calm\tand blue"}"#
    #expect(
      try stage.fermata("library", "note", blue).output == #"by    Ann"# + "\n" + #"mood  calm\tand blue"#
        + "\n")
    #expect(try stage.fermata("library", "note", blue, "--json").output == "{\(json)}\n")
    #expect(
      try stage.fermata("library", "note", blue, "by", "--json").output == #"{"notes":{"by":"Ann"}}"# + "\n")
    #expect(try stage.fermata("library", "show", blue, "--json").output.contains(json))
    let shown = try stage.fermata("library", "show", blue).output
    #expect(shown.contains("\nnote 'mood' ") && shown.contains(#"  calm\tand blue"#), "\(shown)")
    try stage.stop()
  }

  @Test("what plays is named `current`, wherever it was queued from")
  func current() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try music("Music", ["Blue": 400], stage)
    let blue = try id("Blue", stage)
    #expect(try stage.fermata("library", "rate", "current", "5").errors.contains("nothing is playing"))
    _ = try stage.fermata("repeat", "one")
    #expect(try stage.fermata("play", stage.folder.path("Music/Blue.flac")).status == .exited(0))
    #expect(try stage.fermata("library", "rate", "current", "5").status == .exited(0))
    #expect(try stage.fermata("library", "note", "current", "mood", "calm").status == .exited(0))
    #expect(try stage.fermata("library", "query", "rating == 5", "--ids").output == "\(blue)\n")
    #expect(
      try stage.fermata("library", "show", "current", "--json").output.contains(#""notes":{"mood":"calm"}"#))
    // A status bar shows it, and so does whoever lists the queue.
    try stage.wait(for: "status", "--format", "{id} {rating}") { $0 == "\(blue) 5\n" }
    #expect(try stage.fermata("queue", "--json").output.contains("\"rating\":5"))
    #expect(stage.playerctl("metadata", "xesam:userRating") == "1.0")
    _ = try stage.fermata("library", "rate", "current", "3")
    try stage.wait(for: "status", "--format", "{rating}") { $0 == "3\n" }
    _ = try stage.fermata("play", stage.makeTone())
    let other = try stage.fermata("library", "rate", "current", "5")
    #expect(
      other.status == .exited(1) && other.errors.contains("'tone' is not in the library"), "\(other.errors)")
    try stage.stop()
  }

  @Test("the numbers of a list of collections are those of what is in them, and its limit counts collections")
  func members() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let format = AudioFormat(rate: 8_000, channels: 1)
    try stage.folder.makeFolder("Music")
    for (title, pitch, tags) in [
      ("A1", 400.0, ["ALBUM=One", "ARTIST=Ann", "ARTIST=Bob"]), ("A2", 450, ["ALBUM=One", "ARTIST=Ann"]),
      ("B1", 500, ["ALBUM=Two", "ARTIST=Bob"]), ("C1", 550, []),
    ] {
      _ = try ToneFile.flac(
        "Music/\(title).flac", Tone.sine(pitch, frames: 4_000, format), format,
        flags: ["--tag=TITLE=\(title)"] + tags.map { "--tag=\($0)" }, in: stage.folder)
    }
    _ = try stage.fermata("library", "add", stage.folder.path("Music"), "--wait")
    func titles(_ words: String...) throws -> Set<String> {
      let child = try Child(
        .beside("fermata"), ["library"] + words + ["--ids"], environment: stage.environment)
      #expect(child.exit(until: .patient) == .exited(0), "\(words): \(child.standardError)")
      let ids = child.standardOutput.split(separator: "\n").map(String.init)
      #expect(Set(ids).count == ids.count, "\(words)")
      return Set(
        try ids.map { id in
          let shown = try stage.fermata("library", "show", id, "--json").output
          return shown.split(separator: "\"title\":\"").last.map { String($0.prefix { $0 != "\"" }) } ?? ""
        })
    }
    #expect(try titles("albums") == ["A1", "A2", "B1"])
    #expect(try titles("albums", "--limit", "1") == ["A1", "A2"])
    #expect(try titles("albums", "--limit", "1", "--sort", "-title") == ["B1"])
    #expect(try titles("artists") == ["A1", "A2", "B1"])
    #expect(try titles("artists", "--limit", "1") == ["A1", "A2"])
    #expect(try titles("artists", "--limit", "2") == ["A1", "A2", "B1"])
    #expect(try titles("songs", "--limit", "3") == ["A1", "A2", "B1"])
    #expect(try titles("list") == ["A1", "A2", "B1", "C1"])
    try stage.stop()
  }

  @Test("what is no such file is refused, and bad lines are named")
  func refused() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    #expect(try stage.fermata("library", "import", stage.folder.path("none")).status == .exited(66))
    let other = try stage.fermata("library", "import", stage.folder.write("other", "hello\n"))
    #expect(other.status == .exited(65) && other.errors.contains("fermata library export"), "\(other.errors)")
    let newer = try stage.folder.write("newer", "{\"fermata\":\"listening\",\"version\":9}\n")
    #expect(try stage.fermata("library", "import", newer).status == .exited(65))
    let mixed = try stage.folder.write(
      "mixed",
      "{\"fermata\":\"listening\",\"version\":1}\nnonsense\n{\"url\":\"file:///x.mp3\",\"rating\":3}\n")
    let taken = try stage.fermata("library", "import", mixed)
    #expect(taken.status == .exited(0) && taken.errors.contains("line 2"), "\(taken.errors)")
    #expect(taken.output.contains("1 not in the library yet"), "\(taken.output)")
    let pipe = stage.folder.path("pipe")
    mkfifo(pipe, 0o600)
    #expect(try stage.fermata("library", "import", pipe).status == .exited(1))
    let written = try stage.fermata("library", "export", pipe, "--replace")
    #expect(written.status == .exited(73) && written.errors.contains("is a pipe"), "\(written.errors)")
    // Nor is anything else written over, also where a link leads to it.
    let notes = try stage.folder.write("notes", "mine\n")
    symlink(notes, stage.folder.path("link.jsonl"))
    for name in [notes, stage.folder.path("link.jsonl")] {
      let written = try stage.fermata("library", "export", name, "--replace")
      #expect(written.status == .exited(73) && written.errors.contains("is no export"), "\(written.errors)")
    }
    #expect(TextFile.read(notes) == "mine\n")
    try stage.stop()
  }
}
