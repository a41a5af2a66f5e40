// SPDX-License-Identifier: MIT
import FermataTestKit
import AudioModel
import BusModel
import MediaModel
import PlaybackLogic
import Testing

@testable import FaceModel

@Suite("Our own interfaces: the player")
struct AgentPlayerTests {
  static let route = Route(
    sinkName: "alsa_output.usb", sinkDescription: "Headset", portName: "out", portDescription: "Headphones",
    portKind: .headphones, isPrivate: true, server: .pipeWire, device: .init(name: "usb"),
    filter: .init(sinkName: "eq", description: "Equalizer"))

  @Test("every property is there, in order, of its type, whatever plays")
  func complete() {
    var called = Faces.playing
    (called.route, called.interruptions) = (Self.route, [.call, .tool("phone\0link")])
    (called.state, called.why) = (.interrupted, .interrupted(by: .tool("phone\0link")))
    for face in [PlayerFace(), Faces.playing, called] {
      expect(AgentPlayer.properties.values(of: face), fit: AgentDescriptions.player, except: ["Position"])
      expect(AgentQueue.properties.values(of: face), fit: AgentDescriptions.queue)
      expect(AgentSession.properties.values(of: face), fit: AgentDescriptions.session)
      #expect(StatusFace(face, position: .zero).wireValue.travels(as: "a{sv}"))
    }
  }

  @Test("an item has the command line's keys, with values that JSON has too")
  func item() {
    let face = ItemFace(
      Faces.fullItem, entry: EntryID(rawValue: 42), artURL: "file:///art/1.png", isCurrent: true,
      isMissing: true)
    #expect(
      face.wireValue().table == [
        "title": .string("Jóga"), "artist": ["Björk", "Guest"].wireValue, "album": .string("Homogenic"),
        "albumArtist": ["Björk"].wireValue, "composer": ["Björk", "Sjón"].wireValue,
        "genre": ["Electronic"].wireValue, "duration": .double(305.1), "track": .int32(2),
        "trackCount": .int32(10), "disc": .int32(1), "discCount": .int32(1), "date": .string("1997-09-22"),
        "bpm": .double(96.6), "comment": .string("a remark"), "lyrics": .string("all that no-one sees"),
        "compilation": .boolean(false), "mediaType": .string("music"),
        "url": .string("file:///music/Bj%C3%B6rk/50%25%20%231%3F.flac"),
        "artUrl": .string("file:///art/1.png"),
        "rating": .int32(4), "playCount": .int32(7), "skipCount": .int32(0),
        "lastPlayed": .string("2023-11-14T22:13:20Z"), "entry": .uint64(42), "current": .boolean(true),
        "missing": .boolean(true),
      ])
    #expect(face.wireValue(inList: true).table["lyrics"] == nil)
  }

  @Test("what is not known of an item is left out")
  func bareItem() {
    let face = ItemFace(MediaItem(location: .file("/a.mp3")))
    #expect(Set(face.wireValue().table.keys) == ["title", "compilation", "mediaType", "url"])
  }

  @Test("an item that has travelled is the same")
  func itemTravels() {
    var item = Faces.fullItem
    item.id = MediaItem.ID(rawValue: 9)
    item.artwork = nil
    item.tags.isCompilation = true
    item.tags.mediaType = .audiobook
    let face = ItemFace(item, entry: EntryID(rawValue: 42), artURL: "file:///a", isMissing: true)
    #expect(ItemFace(wire: face.wireValue()) == face)
  }

  @Test("moments are written and read the same", arguments: 0..<50)
  func moments(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let moment = Int64.random(in: -62_135_596_800...253_402_300_799, using: &random)
    #expect(WireTime.moment(moment).flatMap(WireTime.seconds(ofMoment:)) == moment, "seed \(seed)")
  }

  @Test(
    "known moments",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
    ])
  func knownMoment(seconds: Int64, text: String) {
    #expect(WireTime.moment(seconds) == text)
  }

  @Test(
    "what is no item is none, and a wrong field is an absent one",
    arguments: [
      WireValue.properties([]), .string("x"), .properties([("url", .string(""))]),
      .properties([("url", .string("file://elsewhere/a"))]),
    ])
  func wrongItem(value: WireValue) {
    #expect(ItemFace(wire: value) == nil)
    let odd = WireValue.properties([
      ("url", .string("file:///a")), ("title", .int32(1)), ("duration", .double(.nan)),
      ("rating", .int32(99)), ("colour", .string("red")), ("bpm", .string("fast")),
    ])
    #expect(ItemFace(wire: odd)?.item.tags == MediaTags())
    #expect(ItemFace(wire: odd)?.item.listening.rating == 5)
  }

  @Test("the status says it all in the command line's words, and comes back the same")
  func status() {
    var face = Faces.playing
    face.item?.artwork = nil
    (face.state, face.why) = (.interrupted, .interrupted(by: .call))
    (face.route, face.interruptions) = (Self.route, [.call])
    (face.repeatMode, face.shuffleMode, face.length) = (.all, .albums, .seconds(300))
    face.category = .ambient
    face.coding = SoundCoding("MP3", rate: 44_100, channels: 2, bitRate: 320_000)
    let status = StatusFace(face, position: .milliseconds(1500))
    let table = status.wireValue.table
    #expect(
      Set(table.keys) == [
        "state", "why", "position", "duration", "volume", "repeat", "shuffle", "consume", "category",
        "current",
        "coding", "queue", "route", "interruptions",
      ])
    #expect(table["position"] == .double(1.5) && table["duration"] == .double(300))
    #expect(
      table["coding"]?.table == [
        "codec": .string("MP3"), "sampleRate": .int32(44_100), "channels": .int32(2),
        "bitRate": .int32(320_000),
      ])
    #expect(table["category"] == .string("ambient"))
    #expect(table["why"] == .string("call") && table["repeat"] == .string("all"))
    #expect(table["queue"]?.table == ["length": .int32(5), "index": .int32(3)])
    #expect(
      table["route"]?.table == [
        "sink": .string("alsa_output.usb"), "description": .string("Headset"), "port": .string("out"),
        "portDescription": .string("Headphones"), "portType": .string("headphones"),
        "private": .boolean(true),
        "server": .string("PipeWire"), "filter": .string("Equalizer"),
      ])
    #expect(StatusFace(wire: status.wireValue) == status)
    #expect(StatusFace(wire: .properties([("state", .string("dancing"))])) == nil)
  }

  @Test("with nothing to play there is no position, no track and no row")
  func emptyStatus() {
    let status = StatusFace(PlayerFace(), position: .zero)
    #expect(
      Set(status.wireValue.table.keys)
        == ["state", "volume", "repeat", "shuffle", "consume", "category", "queue", "interruptions"])
    #expect(StatusFace(wire: status.wireValue) == status)
    #expect(StatusFace(wire: .properties([("state", .string("stopped"))]))?.category == .playback)
  }

  @Test("the state is told by its signal, the rest as properties, each once")
  func changes() {
    var face = Faces.playing
    (face.state, face.why) = (.paused, .paused(by: .route))
    #expect(AgentPlayer.properties.changes(from: Faces.playing, to: face).isEmpty)
    let signal = AgentPlayer.stateSignal(from: Faces.playing, to: face)
    #expect(signal?.0 == "StateChanged" && signal?.1 == .arguments("paused", "route"))
    #expect(AgentPlayer.stateSignal(from: face, to: face) == nil)
    face = Faces.playing
    face.why = .inaudible(.outputMuted)
    let mute = AgentPlayer.stateSignal(from: Faces.playing, to: face)
    #expect(mute?.0 == "StateChanged" && mute?.1 == .arguments("playing", "output-muted"))
    #expect(MPRISPlayer.properties.changes(from: Faces.playing, to: face).isEmpty)
    face = Faces.playing
    (face.volume, face.repeatChoice, face.queueIndex, face.queueLength) = (0.5, .chosen(.none), 3, 9)
    #expect(
      AgentPlayer.properties.changes(from: Faces.playing, to: face).map(\.0) == ["Volume", "RepeatChoice"])
    #expect(AgentPlayer.stateSignal(from: Faces.playing, to: face) == nil)
    #expect(AgentQueue.properties.changes(from: Faces.playing, to: face).map { $0.1 } == [.uint32(4)])
  }

  @Test(
    "the differences make the new table of the old one, and hold no value that was there", arguments: 0..<20)
  func differences(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let told = Set(AgentDescriptions.player.properties.filter { $0.changes == .withValue }.map(\.name))
    func table(_ face: PlayerFace) -> [MemberName: WireValue] {
      Dictionary(uniqueKeysWithValues: AgentPlayer.properties.values(of: face).filter { told.contains($0.0) })
    }
    var face = PlayerFace()
    var heard = table(face)
    for _ in 0..<200 {
      let next = Faces.mutated(face, &random)
      for (name, value) in AgentPlayer.properties.changes(from: face, to: next) {
        #expect(heard[name] != value && told.contains(name), "seed \(seed): \(name)")
        heard[name] = value
      }
      face = next
      #expect(heard == table(face), "seed \(seed)")
    }
  }

  @Test(
    "what a property may be set to",
    arguments: [
      ("Volume", .double(2), .setVolume(1)),
      ("RepeatChoice", .string("one"), .edit(.setRepeat(.chosen(.one)))),
      ("RepeatChoice", .string("default"), .edit(.setRepeat(.default))),
      ("ShuffleChoice", .string("albums"), .edit(.setShuffle(.chosen(.albums)))),
      ("ShuffleChoice", .string("Off"), nil), ("RepeatChoice", .boolean(true), nil),
      ("Volume", .double(.nan), nil), ("State", .string("playing"), nil), ("Colour", .string("red"), nil),
    ] as [(MemberName, WireValue, FaceOrder?)])
  func set(property: MemberName, value: WireValue, order: FaceOrder?) {
    #expect((try? AgentPlayer.properties.order(setting: property, to: value, in: PlayerFace())) == order)
  }

  @Test("a time that is none is refused", arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e10])
  func noTime(seconds: Double) {
    #expect(throws: BusError.self) { try AgentPlayer.Method.read("Seek", [.double(seconds)]) }
    #expect(throws: BusError.self) { try AgentPlayer.Method.read("SeekTo", [.double(seconds)]) }
  }

  @Test("a picture is asked for by item and size, within bounds")
  func art() throws {
    for (item, size) in [(nil, nil), (MediaItem.ID(rawValue: 7), 64)] {
      let call = AgentCall.art(item, size: size)
      #expect(try AgentPlayer.Method.read(call.member, call.arguments) == .art(item, size: size))
    }
    #expect(throws: BusError.self) { try AgentPlayer.Method.read("Art", [.int64(0), .uint32(4097)]) }
  }

  @Test("an error's name leads back to it", arguments: AgentError.allCases)
  func errors(error: AgentError) {
    #expect(BusError.Name.allows(error.name.text.utf8) && AgentError(error.name) == error)
    #expect(AgentError(.failed) == nil && AgentError("org.fermata.Error.Odd") == nil)
  }
}
