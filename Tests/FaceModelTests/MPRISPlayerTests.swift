// SPDX-License-Identifier: MIT
import FermataTestKit
import BusModel
import MediaModel
import PlaybackLogic
import Testing

@testable import FaceModel

@Suite("MPRIS: what the player shows")
struct MPRISPlayerTests {
  private func value(_ name: MemberName, _ change: (inout PlayerFace) -> Void) -> WireValue? {
    var face = Faces.playing
    change(&face)
    return MPRISPlayer.properties.value(of: name, in: face)
  }

  @Test("every property is there, in order, of the text's type, whatever plays")
  func complete() {
    for face in [PlayerFace(), Faces.playing] {
      expect(MPRISPlayer.properties.values(of: face), fit: MPRISDescriptions.player, except: ["Position"])
    }
    expect(MPRISRoot.properties.values(of: .fermata), fit: MPRISDescriptions.root)
    #expect(MPRISPlayer.microseconds(.seconds(2)) == 2_000_000)
    #expect(MPRISPlayer.microseconds(.seconds(-1)) == 0)
  }

  @Test(
    "six states are three",
    arguments: [
      (PlaybackState.stopped, "Stopped"), (.playing, "Playing"), (.paused, "Paused"),
      (.interrupted, "Paused"),
      (.seekingForward, "Playing"), (.seekingBackward, "Playing"),
    ])
  func status(state: PlaybackState, text: String) {
    #expect(value("PlaybackStatus") { $0.state = state } == .string(text))
  }

  @Test(
    "what is repeated has three names",
    arguments: [(RepeatMode.none, "None"), (.one, "Track"), (.all, "Playlist")])
  func loop(mode: RepeatMode, text: String) {
    #expect(value("LoopStatus") { $0.repeatMode = mode } == .string(text))
  }

  @Test("either kind of shuffling is shuffling")
  func shuffle() {
    #expect(
      ShuffleMode.allCases.map { mode in value("Shuffle") { $0.shuffleMode = mode } }
        == [.boolean(false), .boolean(true), .boolean(true)])
  }

  @Test("who turns up a volume that a mixer set above the full one does not turn it down")
  func beyondFull() throws {
    var face = PlayerFace()
    face.volume = 1.5
    #expect(try MPRISPlayer.properties.order(setting: "Volume", to: .double(1.1), in: face) == nil)
    #expect(
      try MPRISPlayer.properties.order(setting: "Volume", to: .double(0.9), in: face) == .setVolume(0.9))
  }

  @Test("a volume above the full one, which only a mixer can set, is the full one")
  func loud() {
    #expect(value("Volume") { $0.volume = 1.299988 } == .double(1))
    #expect(value("Volume") { $0.volume = 0.6 } == .double(0.6))
  }

  @Test("what can be done follows the player")
  func abilities() {
    #expect(value("CanGoNext") { $0.canGoNext = false } == .boolean(false))
    #expect(value("CanGoPrevious") { $0.canGoPrevious = false } == .boolean(false))
    #expect(value("CanPlay") { $0.canPlay = false } == .boolean(false))
    #expect(value("CanPause") { $0.entry = nil } == .boolean(true), "PlayPause starts what is stopped")
    #expect(value("CanSeek") { $0.entry = nil } == .boolean(false))
    #expect(value("CanControl") { _ in } == .boolean(true))
    #expect(
      ["Rate", "MinimumRate", "MaximumRate"].map { value($0) { _ in } } == [
        .double(1), .double(1), .double(1),
      ])
    #expect(value("Position") { _ in } == nil)
  }

  @Test("no tag that is known is left out, and each is of its type")
  func metadata() {
    #expect(
      MPRISPlayer.metadata(of: Faces.playing).table == [
        "mpris:trackid": .objectPath("/org/fermata/Entry/42"),
        "mpris:length": .int64(305_100_000),
        "mpris:artUrl": .string("file:///art/1.png"),
        "xesam:title": .string("Jóga"),
        "xesam:url": .string("file:///music/Bj%C3%B6rk/50%25%20%231%3F.flac"),
        "xesam:album": .string("Homogenic"),
        "xesam:artist": ["Björk", "Guest"].wireValue,
        "xesam:albumArtist": ["Björk"].wireValue,
        "xesam:composer": ["Björk", "Sjón"].wireValue,
        "xesam:genre": ["Electronic"].wireValue,
        "xesam:trackNumber": .int32(2),
        "xesam:discNumber": .int32(1),
        "xesam:contentCreated": .string("1997-09-22"),
        "xesam:audioBPM": .int32(97),
        "xesam:comment": ["a remark"].wireValue,
        "xesam:asText": .string("all that no-one sees"),
        "xesam:useCount": .int32(7),
        "xesam:userRating": .double(0.8),
        "xesam:lastUsed": .string("2023-11-14T22:13:20Z"),
      ])
  }

  @Test("a file without tags has the title of its name, and nothing that isn't known")
  func untagged() {
    var face = PlayerFace()
    face.entry = EntryID(rawValue: 1)
    face.item = MediaItem(location: .file("/music/01 - Song.mp3"))
    #expect(
      Set(MPRISPlayer.metadata(of: face).table.keys)
        == ["mpris:trackid", "xesam:title", "xesam:url"])
    #expect(MPRISPlayer.metadata(of: face).table["xesam:title"] == .string("01 - Song"))
  }

  @Test("no track is named as the text names it, and nothing of an old one is left")
  func noTrack() {
    var face = Faces.playing
    face.entry = nil
    #expect(
      MPRISPlayer.metadata(of: face).table
        == ["mpris:trackid": .objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack")])
  }

  @Test("the decoder knows the length better than the tags")
  func length() {
    var face = Faces.playing
    face.length = .seconds(9)
    #expect(MPRISPlayer.metadata(of: face).table["mpris:length"] == .int64(9_000_000))
    face.length = .zero
    #expect(MPRISPlayer.metadata(of: face).table["mpris:length"] == nil)
  }

  @Test("no tag, however mad, keeps the metadata from travelling")
  func hostileTags() {
    var face = Faces.playing
    face.item?.tags.title = "a\0b"
    face.item?.tags.artist = Array(repeating: "x", count: 100_000)
    face.item?.tags.lyrics = String(repeating: "ö", count: 1 << 20) + "\0"
    face.item?.tags.bpm = .infinity
    face.item?.tags.track = .max
    face.item?.listening.lastPlayed = .max
    face.length = .seconds(Int64.max)
    let metadata = MPRISPlayer.metadata(of: face)
    #expect(metadata.wireValue.travels(as: "a{sv}"))
    #expect(metadata.table["xesam:title"] == .string("ab"))
    #expect(metadata.table["xesam:asText"] == .string(String(repeating: "ö", count: 1 << 15)))
    #expect(metadata.table["mpris:length"] == .int64(.max))
    #expect(metadata.table["xesam:trackNumber"] == .int32(.max))
    #expect(metadata.table["xesam:audioBPM"] == nil && metadata.table["xesam:lastUsed"] == nil)
  }

  @Test("a picture of an item is not shown before somebody made it a URL")
  func art() {
    var face = Faces.playing
    face.artURL = nil
    #expect(MPRISPlayer.metadata(of: face).table["mpris:artUrl"] == nil)
  }

  @Test("what is not MPRIS's changes nothing there", arguments: 0..<5)
  func irrelevant(which: Int) {
    var face = Faces.playing
    switch which {
    case 0: face.state = .seekingForward
    case 1: face.why = .paused(by: .user)
    case 2: (face.queueLength, face.queueIndex) = (9, 8)
    case 3: face.shuffleChoice = .chosen(.off)
    default: face.item?.tags.loudness.trackGain = -6
    }
    #expect(face != Faces.playing)
    #expect(MPRISPlayer.properties.changes(from: Faces.playing, to: face).isEmpty)
  }

  @Test("a new track is told whole, in one go")
  func newTrack() {
    var face = Faces.playing
    face.entry = EntryID(rawValue: 43)
    face.canGoNext = false
    let changes = MPRISPlayer.properties.changes(from: Faces.playing, to: face)
    #expect(changes.map(\.0) == ["Metadata", "CanGoNext"])
    #expect(changes.first?.1 == MPRISPlayer.metadata(of: face).wireValue)
  }

  @Test(
    "the differences make the new table of the old one, and hold no value that was there", arguments: 0..<20)
  func differences(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var face = PlayerFace()
    var table = Dictionary(uniqueKeysWithValues: MPRISPlayer.properties.values(of: face))
    for _ in 0..<200 {
      let next = Faces.mutated(face, &random)
      for (name, value) in MPRISPlayer.properties.changes(from: face, to: next) {
        #expect(table[name] != value, "seed \(seed): \(name) is repeated")
        table[name] = value
      }
      face = next
      #expect(
        table == Dictionary(uniqueKeysWithValues: MPRISPlayer.properties.values(of: face)), "seed \(seed)")
    }
  }
}
