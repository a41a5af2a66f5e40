// SPDX-License-Identifier: MIT
import FermataTestKit
import PlaybackLogic
import SettingsModel
import Testing

@Suite("The settings' file")
struct SettingsTextTests {
  @Test("says what its lines set, and the rest is as preset")
  func reading() {
    let text = SettingsText(
      """
      # Mine.
      repeat = all
        shuffle=albums   # like vinyl
      play-on-start = yes

      loudness-preamp = -3.5
      duck-level = 25%
      role-phone = ignore
      role-event = duck
      resume-on-return = 20
      seek-tap-limit = 0.25
      """)
    let (settings, errors) = text.read()
    #expect(errors.isEmpty)
    var expected = Settings()
    expected.repeatMode = .all
    expected.shuffleMode = .albums
    expected.playsOnStart = true
    expected.loudness.preamp = -3.5
    expected.session.duckLevel = 0.25
    expected.session.roles = [.phone: .ignore, .event: .duck]
    expected.session.resumeOnReturn = .seconds(20)
    expected.player.tapLimit = .milliseconds(250)
    #expect(settings == expected)
  }

  @Test(
    "what could not be read back is not stored", arguments: ["C#Player", "A\nrepeat = all", "A\u{7}", "A\r"])
  func unreadable(value: String) throws {
    var text = SettingsText("repeat = one\n")
    let error = #expect(throws: SettingError.self) { try text.set("guard-except", to: value) }
    #expect(error?.subject.hasPrefix("guard-except") == true)
    #expect(text.text == "repeat = one\n")
  }

  @Test("a name may have blanks, and commas part names")
  func names() throws {
    for (value, names) in [
      ("Some Player", ["Some Player"]), ("mpv", ["mpv"]),
      ("VLC media player, mpv,", ["VLC media player", "mpv"]),
      ("none", []),
    ] {
      var text = SettingsText()
      try text.set("guard-except", to: value)
      #expect(text.read().settings.guarding.exceptions == names)
    }
  }

  @Test("what cannot be meant is named with its line, the reason and the alternative; the rest counts")
  func errors() throws {
    let (settings, errors) = SettingsText(
      "repaet = all\nrepeat = twice\nshuffle = songs\nwhat is this\nshuffle = albums\r\n = 3\nduck-level = 1e1\n"
    ).read()
    #expect(errors.map(\.line) == [1, 2, 4, 5, 6, 7])
    #expect(
      errors.map(\.subject) == [
        "'repaet'", "repeat 'twice'", "'what is this'", "shuffle", "'= 3'", "duck-level '1e1'",
      ])
    #expect(errors[0].remedy == "did you mean 'repeat'?")
    #expect(errors[1].remedy == "it takes none|one|all")
    #expect(errors[3].reason == "line 3 has it already")
    #expect(errors[5].remedy == "it takes from 0% to 100%")
    #expect(settings.shuffleMode == .albums)
  }

  @Test("what is on or off is yes or no as well, and is written in its own words")
  func switches() throws {
    for (name, on, off) in [("play-on-start", "yes", "no"), ("guard", "on", "off")] {
      for (word, own) in [("yes", on), ("on", on), ("no", off), ("off", off)] {
        var text = SettingsText("\(name) = \(on)\n")
        try text.set(name, to: word)
        #expect(text.text == "\(name) = \(own)\n" && text.read().errors.isEmpty)
        let read = SettingsText("\(name) = \(word)\n").read()
        #expect(try read.errors.isEmpty && Settings.setting(named: name).value(in: read.settings) == own)
      }
      for wrong in ["of", "onn", "n", "ye", "noo", "nn", "yess", "true"] {
        var text = SettingsText()
        let error = #expect(throws: SettingError.self) { try text.set(name, to: wrong) }
        #expect(error?.remedy == "it takes \(on)|\(off)")
      }
    }
  }

  @Test(
    "a value out of its limits is refused",
    arguments: [
      ("loudness-preamp", "25"), ("loudness-preamp", "nan"), ("loudness-preamp", "0x1"),
      ("loudness-preamp", "-"),
      ("loudness-preamp", "."), ("loudness-preamp", "1."), ("seek-tap-limit", "-1"), ("seek-tap-limit", ""),
      ("duck-level", "101%"), ("resume-on-return", "0"), ("resume-on-return", "on"),
      ("play-on-start", "true"),
      ("stall-limit", "99999999999999999999"), ("stall-limit", "2.9"), ("loudness", "Track"),
    ])
  func limits(name: String, value: String) throws {
    var text = SettingsText("repeat = one\n")
    let before = text
    #expect(throws: SettingError.self) { try text.set(name, to: value) }
    #expect(text == before)
  }

  @Test("an edit touches its own line, and keeps what its owner wrote beside it")
  func editing() throws {
    var text = SettingsText("# Mine.\nrepeat = all # always\n\nloudness=off\n#shuffle = songs")
    try text.set("repeat", to: "one")
    try text.set("shuffle", to: "albums")
    try text.set("loudness", to: "track")
    #expect(
      text.text == "# Mine.\nrepeat = one # always\n\nloudness=track\n#shuffle = songs\nshuffle = albums\n")
    try text.unset("repeat")
    #expect(text.text == "# Mine.\n# always\n\nloudness=track\n#shuffle = songs\nshuffle = albums\n")
    #expect(!text.sets("repeat"))
    #expect(text.sets("shuffle"))
  }

  @Test("of two lines for one setting an edit leaves one, which repairs the file")
  func doubled() throws {
    var text = SettingsText("repeat = all\nshuffle = songs\nrepeat = none")
    try text.set("repeat", to: "one")
    #expect(text.text == "shuffle = songs\nrepeat = one\n")
    #expect(text.read().errors.isEmpty)
  }

  @Test(
    "a line that is taken out leaves its owner's remark where it stood",
    arguments: [
      ("a\nrepeat = all\nb", "a\nb\n"), ("a\n  repeat=all\t# always\nb", "a\n# always\nb\n"),
      ("repeat = all #loud # and clear", "#loud # and clear\n"), ("repeat = all #", ""),
      ("repeat = all # # ", ""), ("repeat = twice# no", "# no\n"), ("repeat = # none", "# none\n"),
      ("repeat = one # 1\nx\nrepeat = all # 2\n# repeat = none", "# 1\nx\n# 2\n# repeat = none\n"),
    ])
  func remarks(written: String, left: String) throws {
    var text = SettingsText(written)
    try text.unset("repeat")
    #expect(text.text == left)
    #expect(!text.sets("repeat"))
    // What stays sets nothing, so a second time changes nothing.
    let once = text
    try text.unset("repeat")
    #expect(text == once)
  }

  @Test("so does a line that an edit takes out because another has the setting as well")
  func doubledRemarks() throws {
    var text = SettingsText("repeat = all # first\nshuffle = songs\nrepeat = none # second")
    try text.set("repeat", to: "one")
    #expect(text.text == "# first\nshuffle = songs\nrepeat = one # second\n")
  }

  @Test(
    "every setting takes back what it shows, and one without words says its limits",
    arguments: Settings.all.map(\.name))
  func presets(name: String) throws {
    let setting = try Settings.setting(named: name)
    var settings = Settings()
    try setting.set(setting.preset, in: &settings)
    #expect(setting.value(in: settings) == setting.preset)
    for word in setting.words {
      try setting.set(word, in: &settings)
      #expect(setting.value(in: settings) == word)
    }
    #expect(setting.words.isEmpty == setting.values.hasSuffix("from 0 to 0") || !setting.values.isEmpty)
  }

  @Test("any text is read without harm, and written as it was but for its last line's end")
  func anything() {
    var random = SeededGenerator(seed: 5)
    let pieces = ["=", "#", "\n", " ", "repeat", "all", "\t", "ü", "\r\n", "loudness = off\n", "\u{1B}[2J"]
    for _ in 0..<2000 {
      let text = (0..<Int.random(in: 0...20, using: &random)).map { _ in pieces.randomElement(using: &random)!
      }.joined()
      let read = SettingsText(text)
      _ = read.read()
      #expect(SettingsText(read.text) == read)
    }
  }

  @Test(
    "what editors of Windows write is read, and an edit leaves the other lines' ends and the mark as they are"
  )
  func windows() throws {
    var text = SettingsText("\u{FEFF}repeat = all\r\n# mine\r\nloudness = off # here\r\n")
    let (settings, errors) = text.read()
    #expect(settings.repeatMode == .all && settings.loudness.mode == .off && errors.isEmpty)
    try text.set("loudness", to: "album")
    try text.set("shuffle", to: "songs")
    try text.unset("repeat")
    #expect(text.text == "\u{FEFF}# mine\r\nloudness = album # here\r\nshuffle = songs\r\n")
  }

  @Test("an edit keeps the blanks of its line", arguments: [("=", "="), (" =  ", " =  "), ("= ", "= ")])
  func blanks(written: String, kept: String) throws {
    var text = SettingsText("loudness\(written)loud\t# mine\n")
    try text.set("loudness", to: "album")
    #expect(text.text == "loudness\(kept)album\t# mine\n")
  }
}
