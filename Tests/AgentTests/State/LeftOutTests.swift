// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@Suite("What is left out of sources", .serialized, .realTime, .endsAnyway)
struct LeftOutTests {
  @Test("files in a folder that are not played are counted by what they are, and what plays is added")
  func folder() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    _ = try stage.makeShortTone("m/a.wav")
    for name in ["m/b.ofr", "m/c.ofr", "m/d.shn", "m/e.tak", "m/cover.jpg", "m/notes.txt", "m/list.m3u"] {
      try stage.folder.write(name, "x")
    }
    for command in ["add", "play"] {
      let run = try stage.fermata(command, stage.folder.path("m"))
      #expect(run.status == .exited(0) && run.output == (command == "add" ? "Added 1 track\n" : ""))
      #expect(
        run.errors == "fermata: left out 4: OptimFROG (2), Shorten, TAK are not played\n")
    }
    try stage.stop()
  }

  @Test("what is gone is named, and what is there plays; nothing there is 66, nothing that plays 65")
  func gone() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let (gone, words) = (stage.folder.path("gone.flac"), try stage.folder.write("words.flac", "words"))
    let tone = try stage.makeShortTone("ok.wav")
    let list = try stage.folder.write("list.m3u", "gone.flac\nok.wav\n")
    for (sources, status, named) in [
      ([gone, tone], 0, "gone.flac"), ([list], 0, "gone.flac"), ([gone], 66, "gone.flac"),
      ([gone, gone + "2"], 66, "gone.flac2"), ([gone, words], 65, "words.flac"), ([words], 65, "words.flac"),
    ] as [([String], Int32, String)] {
      let run = try stage.fermata(["play"] + sources)
      #expect(run.status == .exited(status) && run.errors.contains(named), "\(sources): \(run)")
      #expect(sources == [words] || run.errors.contains("gone.flac"), "\(run)")
    }
    try stage.wait(for: "ok", from: "metadata", "title")
    // The same for names that come by a pipe.
    let shell = try Child(
      .named("sh", package: "dash"),
      [
        "-c", "printf '%s\\n' \"$1\" \"$2\" | \"$0\" add -",
        try Program.beside("fermata").path, gone, tone,
      ], environment: stage.environment)
    #expect(shell.exit(until: .patient) == .exited(0))
    #expect(
      shell.standardOutput == "Added 1 track\n" && shell.standardError.contains("gone.flac"),
      "\(shell.standardError)")
    try stage.stop()
  }

  @Test("where nothing is left, each source is named, by the agent and by a player of its own")
  func allNamed() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let (gone, words) = (stage.folder.path("gone.flac"), try stage.folder.write("words.flac", "words"))
    let more = try stage.folder.write("more.flac", "words")
    for command in [["play"], ["add"], ["play", "--here"]] {
      for (sources, status) in [([gone, words, more], 65), ([gone, words], 65), ([gone, gone + "2"], 66)]
        as [([String], Int32)]
      {
        let run = try stage.fermata(command + sources)
        #expect(run.status == .exited(status), "\(command) \(sources): \(run)")
        #expect(sources.allSatisfy { run.errors.contains($0) }, "\(run)")
      }
    }
    try stage.stop()
  }

  @Test("a list of kept playlists on standard input names each of them")
  func playlists() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    for name in ["one", "two"] {
      _ = try stage.fermata("add", try stage.makeShortTone("\(name).wav"))
      #expect(try stage.fermata("playlist", "save", name).status == .exited(0))
      _ = try stage.fermata("queue", "clear")
    }
    let shell = try Child(
      .named("sh", package: "dash"),
      ["-c", "printf 'playlist:one\nplaylist:two\n' | \"$0\" add -", try Program.beside("fermata").path],
      environment: stage.environment)
    #expect(shell.exit(until: .patient) == .exited(0), "\(shell.standardError)")
    #expect(shell.standardOutput == "Added 2 tracks\n", "\(shell.standardError)")
    try stage.stop()
  }

  @Test("where no output is there, what the queue lacks is named all the same, and why it is not stored")
  func refused() throws {
    let folder = try TemporaryDirectory()
    try folder.write(".local/state", "where a folder should be")
    let stage = try AgentStage(try PrivatePulse(sinks: []), folder: folder)
    _ = try stage.makeShortTone("ok.wav")
    let list = try folder.write("list.m3u", "gone.flac\nok.wav\n")
    // It is known once it was tried to play.
    let deadline = Deadline.patient
    _ = try stage.fermata("play", list)
    while try !stage.fermata("status", "--json").output.contains("no-output"), !deadline.hasPassed {}
    let run = try stage.fermata("play", list)
    #expect(run.status == .exited(1), "\(run)")
    let lines = run.errors.split(separator: "\n")
    try #require(lines.count == 3, "\(run.errors)")
    #expect(lines[0].contains("gone.flac") && lines[1].hasPrefix("fermata: not stored: "), "\(run.errors)")
    #expect(lines[2].hasPrefix("fermata: play: "), "\(run.errors)")
    #expect(try stage.fermata("queue", "--json").output.contains(#""length":1"#))
    // What was not stored is lost with it, and it says so.
    #expect(stage.agent.stop(within: .patience) == .exited(73))
  }

  @Test(
    "what a file manager opens joins the queue and plays, past a bad first file", arguments: [true, false])
  func opened(byFileManager: Bool) throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let evening = try ["one.wav", "two.wav"].map { try stage.makeShortTone($0) }
    #expect(try stage.fermata(["play"] + evening).status == .exited(0))
    try stage.folder.write("m/1.wav", "RIFF, it says, and is none")
    _ = try stage.makeShortTone("m/2.wav")
    if byFileManager {
      #expect(try stage.fermata("play", "--no-resume", stage.folder.path("m")).status == .exited(0))
    } else {
      stage.playerctl("open", "file://\(stage.folder.path("m"))")
    }
    try stage.wait(for: "2", from: "metadata", "title")
    let queue = try stage.fermata("queue", "--json").output
    #expect(queue.contains(#""length":4,"index":3"#), "\(queue)")
    #expect(try stage.fermata("play", "--no-resume", stage.folder.path("m/1.wav")).status == .exited(65))
    #expect(stage.playerctl("metadata", "title") == "2")
    try stage.stop()
  }

  @Test("what is added to be played stands behind the current entry and plays, and the queue stays")
  func played() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let evening = try ["one.wav", "two.wav"].map { try stage.makeShortTone($0) }
    #expect(try stage.fermata(["play"] + evening).status == .exited(0))
    let gone = stage.folder.path("gone.wav")
    let run = try stage.fermata("add", "--play", gone, try stage.makeShortTone("new.wav"))
    #expect(run.status == .exited(0) && run.output == "Added 1 track\n" && run.errors.contains("gone.wav"))
    try stage.wait(for: "new", from: "metadata", "title")
    let queue = try stage.fermata("queue", "--json").output
    #expect(queue.contains(#""length":3,"index":2"#), "\(queue)")
    try stage.stop()
  }
}
