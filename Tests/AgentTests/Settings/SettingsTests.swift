// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("What the user has chosen", .serialized, .realTime, .endsAnyway)
struct SettingsTests {
  private static let file = ".config/fermata/fermata.conf"

  private struct Outcome {
    let status: FermataTestKit.ExitStatus?
    let output: String
    let errors: String
  }

  private func run(_ folder: TemporaryDirectory, _ words: String...) throws -> Outcome {
    let child = try Child(.beside("fermata"), words, environment: ["HOME": folder.path])
    let status = child.exit(until: .patient)
    return Outcome(status: status, output: child.standardOutput, errors: child.standardError)
  }

  @Test("is listed, set, read back and taken back without an agent, and the file keeps its owner's words")
  func commands() throws {
    let folder = try TemporaryDirectory()
    #expect(try run(folder, "settings", "get", "loudness").output == "auto\n")
    #expect(try run(folder, "settings", "set", "loudness", "track").status == .exited(0))
    #expect(try folder.text(Self.file) == "loudness = track\n")
    try folder.write(Self.file, "# Mine.\nloudness = track # for the car\n")
    #expect(try run(folder, "settings", "set", "loudness", "album").status == .exited(0))
    #expect(try folder.text(Self.file) == "# Mine.\nloudness = album # for the car\n")
    let list = try run(folder, "settings").output
    #expect(list.contains("loudness ") && list.contains("album"))
    #expect(
      try run(folder, "settings", "get", "loudness", "--json").output
        == #"{"name":"loudness","value":"album"}"# + "\n")
    #expect(try run(folder, "settings", "unset", "loudness").status == .exited(0))
    #expect(try folder.text(Self.file) == "# Mine.\n# for the car\n")
  }

  @Test("is kept whole where two are chosen at once")
  func atOnce() throws {
    let folder = try TemporaryDirectory()
    let choices = [("loudness", "track"), ("repeat", "all"), ("shuffle", "songs")]
    for round in 0..<20 {
      try folder.makeFolder(".config/fermata")
      try folder.write(Self.file, "")
      let children = try choices.map { key, value in
        try Child(.beside("fermata"), ["settings", "set", key, value], environment: ["HOME": folder.path])
      }
      #expect(children.map { $0.exit(until: .patient) } == [.exited(0), .exited(0), .exited(0)])
      let lines = try folder.text(Self.file).split(separator: "\n").sorted()
      #expect(lines == ["loudness = track", "repeat = all", "shuffle = songs"], "round \(round)")
    }
    #expect(folder.names(in: ".config/fermata") == ["fermata.conf"])
  }

  @Test("is refused with the thing, the reason and the alternative where it can't be meant")
  func refusals() throws {
    let folder = try TemporaryDirectory()
    let value = try run(folder, "settings", "set", "loudness", "trck")
    #expect(value.status == .exited(64))
    #expect(value.errors.contains("did you mean 'track'?"))
    let key = try run(folder, "settings", "set", "loudnes", "track")
    #expect(key.status == .exited(64))
    #expect(key.errors.contains("did you mean 'loudness'?"))
    try folder.makeFolder(".config/fermata")
    try folder.write(Self.file, "repeat = all\nrepeet = one\n")
    let broken = try run(folder, "settings")
    #expect(broken.status == .exited(78))
    #expect(broken.errors.contains("line 2: 'repeet': there is no such setting; did you mean 'repeat'?"))
  }

  @Test("is read although another line is bad, and standard output has the one answer")
  func besideBadLines() throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder(".config/fermata")
    try folder.write(Self.file, "repeat = all\nrepeet = one\nshuffle = sogns\n")
    let good = try run(folder, "settings", "get", "repeat", "--json")
    #expect(good.status == .exited(0) && good.output == #"{"name":"repeat","value":"all"}"# + "\n", "\(good)")
    #expect(good.errors.contains("line 2: ") && good.errors.contains("line 3: "))
    let bad = try run(folder, "settings", "get", "shuffle", "--json")
    #expect(bad.status == .exited(78) && bad.output == #"{"name":"shuffle","value":"off"}"# + "\n", "\(bad)")
    let all = try run(folder, "settings", "--json")
    #expect(all.status == .exited(78) && all.output.split(separator: "\n").count == 1, "\(all)")
  }

  @Test(
    "with a typo in the file the agent starts all the same, with what can be read, and says where the typo is"
  )
  func typo() throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder(".config/fermata")
    try folder.write(Self.file, "repeat = all\nshuffle = sogns\nrepeet = one\n")
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]), folder: folder)
    #expect(try stage.fermata("repeat").output == "all\n" && stage.fermata("shuffle").output == "off\n")
    let words = "line 2: shuffle 'sogns': no such value; did you mean 'songs'?"
    #expect(stage.agent.standardError.contains(words))
    let status = try Child(.beside("fermata"), ["status", "--json"], environment: stage.environment)
    #expect(status.exit(until: .patient) == .exited(0) && status.standardError.contains(words))
    let doctor = try Child(.beside("fermata"), ["doctor"], environment: stage.environment)
    _ = doctor.exit(until: .patient)
    #expect(doctor.standardOutput.contains(words))
    #expect(doctor.standardOutput.contains("line 3: 'repeet': there is no such setting"))
    try stage.stop()
  }

  @Test("has been taken by the agent when the command that sets it is done")
  func taken() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    for mode in ["all", "one", "none", "all"] {
      try stage.fermata("settings", "set", "repeat", mode)
      #expect(try stage.fermata("repeat").output == "\(mode)\n")
    }
    try stage.stop()
  }

  @Test("has been taken although another line of the file cannot be read, and that one stays as it was")
  func takenBesideTypo() throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder(".config/fermata")
    try folder.write(Self.file, "shuffle = songs\n")
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]), folder: folder)
    try folder.write(Self.file, "shuffle = sogns\nrepeet = all\n")
    try stage.waitForLog("did you mean 'repeat'?")
    try stage.fermata("settings", "set", "repeat", "all")
    #expect(try stage.fermata("repeat").output == "all\n")
    #expect(try stage.fermata("shuffle").output == "songs\n")
    let get = try run(folder, "settings", "get", "repeat")
    #expect(get.status == .exited(0) && get.output == "all\n" && get.errors.contains("sogns"))
    try stage.stop()
  }

  @Test("is not taken by an agent that reads another file, and the command says so")
  func otherFile() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    var environment = stage.environment
    environment["XDG_CONFIG_HOME"] = stage.folder.path("dots")
    let child = try Child(
      .beside("fermata"), ["settings", "set", "repeat", "all"], environment: environment)
    #expect(child.exit(until: .patient) == .exited(0))
    let warning = child.standardError
    #expect(
      warning.contains(stage.folder.path(Self.file)) && warning.contains("XDG_CONFIG_HOME"), "\(warning)")
    #expect(try stage.fermata("repeat").output == "none\n")
    try stage.stop()
  }

  @Test("is taken by an agent that runs, at once: what `default` repeats, how loud a track is")
  func followed() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try stage.play(try stage.makeTone())
    try stage.fermata("repeat", "default")
    #expect(stage.playerctl("loop") == "None")
    try stage.fermata("settings", "set", "repeat", "all")
    try stage.wait(for: "Playlist", from: "loop")
    // A file with a line that can't be meant may be a half-written one, so it counts when it has been left alone for a second. Then its other lines do.
    let waited = try Monotonic.time {
      try stage.folder.write(Self.file, "repeat = none\nshufle = songs\n")
      try stage.wait(for: "None", from: "loop")
    }
    #expect(waited > .seconds(1))
    #expect(stage.agent.standardError.contains("did you mean 'shuffle'?"))
    #expect(try stage.fermata("shuffle").output == "off\n")
    try stage.folder.write(Self.file, "repeat = one\n")
    try stage.wait(for: "Track", from: "loop")
    try stage.stop()
  }

  @Test("is followed also where the file becomes a link, and where the link is made to lead elsewhere")
  func linked() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try stage.fermata("settings", "set", "repeat", "none")
    try stage.play(try stage.makeTone())
    try stage.fermata("repeat", "default")
    try stage.wait(for: "None", from: "loop")
    for place in ["first", "second"] {
      let target = try stage.folder.write("\(place)/fermata.conf", "repeat = all\n")
      #expect(unsafe unlink(stage.folder.path(Self.file)) == 0)
      try stage.folder.link(Self.file, to: target)
      try stage.wait(for: "Playlist", from: "loop")
      try stage.folder.write("\(place)/fermata.conf", "repeat = one\n")
      try stage.wait(for: "Track", from: "loop")
      // A tool that keeps such files takes one away, and later puts another in its place.
      #expect(unsafe unlink(target) == 0)
      let settled = Deadline.after(.milliseconds(300))
      while !settled.hasPassed { #expect(stage.playerctl("loop") == "Track") }
      try stage.folder.write("\(place)/fermata.conf", "repeat = all\n")
      try stage.wait(for: "Playlist", from: "loop")
    }
    try stage.stop()
  }

  @Test("is followed also where its folder is a link that is made to lead elsewhere")
  func linkedFolder() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try stage.fermata("settings", "set", "repeat", "none")
    try stage.play(try stage.makeTone())
    let folder = stage.folder.path(String(Self.file.dropLast("/fermata.conf".count)))
    for (place, mode, word) in [
      ("first", "all", "Playlist"), ("second", "one", "Track"), ("third", "none", "None"),
    ] {
      try stage.folder.write("\(place)/fermata.conf", "repeat = \(mode)\n")
      // As tools do that keep such files: another link is put in the place of the one before.
      let new = stage.folder.path("\(place).link")
      #expect(unsafe symlink(stage.folder.path(place), new) == 0)
      if place == "first" { #expect(unsafe rename(folder, folder + ".old") == 0) }
      #expect(unsafe rename(new, folder) == 0)
      try stage.wait(for: word, from: "loop")
      // Until nobody looks at the file any more because of this change.
      let settled = Deadline.after(.milliseconds(300))
      while !settled.hasPassed { #expect(stage.playerctl("loop") == word) }
    }
    try stage.stop()
  }

  @Test("a track is as loud as was chosen, from the moment on in which it is chosen")
  func loudness() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let tone = try stage.makeTone()
    let flac = stage.folder.path("quiet.flac")
    try Child.run(
      .named("flac", package: "flac"),
      ["-s", "--tag=REPLAYGAIN_TRACK_GAIN=-12.00 dB", "--tag=REPLAYGAIN_TRACK_PEAK=0.5", tone, "-o", flac])
    let recorder = try stage.server.record("speakers")
    try stage.play(flac)
    let start = try recorder.waitForSound(floor: 0.05)
    // A quarter of the tone's half.
    #expect(recorder.recording.firstSound(floor: 0.15) == nil)
    try stage.fermata("settings", "set", "loudness", "off")
    let louder = try recorder.waitForSound(from: start, floor: 0.4)
    try stage.fermata("settings", "set", "loudness", "track")
    try stage.fermata("settings", "set", "loudness-preamp", "-20")
    try recorder.waitForSilence(lasting: .milliseconds(300), from: louder, floor: 0.05)
    try stage.stop()
  }

  @Test("plays on when it starts, where that is chosen and music played when the agent ended")
  func playsOnStart() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try stage.play(try stage.makeTone())
    try stage.fermata("settings", "set", "play-on-start", "yes")
    try stage.restartAfterCrash(into: "Playing")
    try stage.restart(into: "Playing")
    // What its listener had paused or stopped stays so.
    for (order, status) in [("pause", "Paused"), ("play", "Playing"), ("stop", "Stopped")] {
      try stage.fermata(order)
      try stage.waitForStatus(status)
      try stage.restartAfterCrash(into: status == "Stopped" ? "Paused" : status)
      let settled = Deadline.after(.milliseconds(300))
      while !settled.hasPassed { #expect((stage.playerctl("status") == "Playing") == (status == "Playing")) }
    }
    try stage.stop()
  }
}
