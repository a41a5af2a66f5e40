// SPDX-License-Identifier: MIT
import BusModel
import MediaModel
import PlaybackLogic
import Testing

@testable import FaceModel

@Suite("MPRIS: what may be asked")
struct MPRISOrderTests {
  private let playing = Faces.playing
  private let empty = PlayerFace()

  private func order(
    _ method: MemberName, _ arguments: [WireValue] = [], in face: PlayerFace
  ) throws -> PlayerOrder? {
    guard case .order(let rule) = try MPRISPlayer.Method.read(method, arguments) else { return nil }
    return try rule(face)
  }

  private func order(
    setting property: MemberName, to value: WireValue, in face: PlayerFace
  ) throws -> FaceOrder? {
    try MPRISPlayer.properties.order(setting: property, to: value, in: face)
  }

  @Test(
    "a method is an order of the player",
    arguments: [
      ("Next", PlayerOrder.next), ("Previous", .previous), ("Play", .play), ("Pause", .pause),
      ("PlayPause", .toggle), ("Stop", .stop),
    ] as [(MemberName, PlayerOrder)])
  func orders(method: MemberName, order: PlayerOrder) throws {
    #expect(try self.order(method, in: playing) == order)
  }

  @Test("what cannot be done is ignored", arguments: ["Next", "Previous", "Play"] as [MemberName])
  func ignored(method: MemberName) throws {
    #expect(try self.order(method, in: empty) == nil)
  }

  @Test(
    "Pause and Stop are orders in an empty queue, too, where a file that was ordered may not be opened yet")
  func silence() throws {
    #expect(try order("Pause", in: empty) == .pause && order("Stop", in: empty) == .stop)
    #expect(try order(setting: "Rate", to: .double(0), in: empty) == .player(.pause))
  }

  @Test("PlayPause with nothing to play is an error, as the text has it")
  func toggleNothing() {
    #expect(throws: BusError.failed("there is nothing to play: the queue is empty")) {
      try self.order("PlayPause", in: empty)
    }
  }

  @Test(
    "a seek is passed on as far as it goes",
    arguments: [0, 1, -5_000_000, Int64.max, .min])
  func seek(offset: Int64) throws {
    let order = try self.order("Seek", [.int64(offset)], in: playing)
    #expect(order == .seek(.microseconds(offset)))
    var fixed = playing
    fixed.canSeek = false
    #expect(try self.order("Seek", [.int64(offset)], in: fixed) == nil)
    #expect(try self.order("Seek", [.int64(offset)], in: empty) == nil)
  }

  @Test(
    "a position counts only for the track it was meant for, and within it",
    arguments: [
      ("/org/fermata/Entry/42", 0, true),
      ("/org/fermata/Entry/42", 305_100_000, true),
      ("/org/fermata/Entry/42", 305_100_001, false),
      ("/org/fermata/Entry/42", -1, false),
      ("/org/fermata/Entry/42", Int64.min, false),
      ("/org/fermata/Entry/41", 1_000_000, false),
      ("/org/fermata/Entry/042", 1_000_000, false),
      ("/org/mpris/MediaPlayer2/TrackList/NoTrack", 1_000_000, false),
      ("/", 1_000_000, false),
    ] as [(ObjectPath, Int64, Bool)])
  func setPosition(track: ObjectPath, position: Int64, isTaken: Bool) throws {
    let order = try self.order("SetPosition", [.objectPath(track), .int64(position)], in: playing)
    #expect(order == (isTaken ? .seekTo(.microseconds(position)) : nil))
  }

  @Test("where no track is, no position is taken, whatever it is for")
  func noTrack() throws {
    let none = WireValue.objectPath(TrackPath.none)
    #expect(try self.order("SetPosition", [none, .int64(0)], in: empty) == nil)
  }

  @Test("of a length that nobody knows no position is past the end")
  func unknownLength() throws {
    var face = playing
    face.item?.tags.duration = nil
    let arguments: [WireValue] = [.objectPath("/org/fermata/Entry/42"), .int64(.max)]
    #expect(
      try self.order("SetPosition", arguments, in: face)
        == .seekTo(.microseconds(Int64.max)))
  }

  @Test("a file is opened by its URI, anything else is refused with the reason")
  func open() throws {
    let call = try MPRISPlayer.Method.read("OpenUri", [.string("file:///a%20b.mp3")])
    guard case .open("/a b.mp3") = call else {
      Issue.record("\(call) opens no file")
      return
    }
    for uri in ["http://example.org/a.mp3", "/a.mp3", "", "file://elsewhere/a", "file:///a%"] {
      let error = #expect(throws: BusError.self) {
        try self.order("OpenUri", [.string(uri)], in: empty)
      }
      #expect(error?.name == .invalidArgs)
    }
  }

  @Test(
    "a property is set within its bounds",
    arguments: [
      ("LoopStatus", .string("None"), .edit(.setRepeat(.chosen(.none)))),
      ("LoopStatus", .string("Track"), .edit(.setRepeat(.chosen(.one)))),
      ("LoopStatus", .string("Playlist"), .edit(.setRepeat(.chosen(.all)))),
      ("Shuffle", .boolean(true), .edit(.setShuffle(.chosen(.songs)))),
      ("Shuffle", .boolean(false), nil),
      ("Volume", .double(0.3), .setVolume(0.3)),
      ("Volume", .double(-4), .setVolume(0)),
      ("Volume", .double(1000), .setVolume(1)),
      ("Rate", .double(0), .player(.pause)),
      ("Rate", .double(1), nil),
      ("Rate", .double(2), nil),
      ("Rate", .double(.nan), nil),
    ] as [(MemberName, WireValue, FaceOrder?)])
  func set(property: MemberName, value: WireValue, order: FaceOrder?) throws {
    #expect(try self.order(setting: property, to: value, in: playing) == order)
  }

  @Test("shuffling by albums stays by albums when it is turned on")
  func albums() throws {
    var face = playing
    face.shuffleMode = .albums
    #expect(try self.order(setting: "Shuffle", to: .boolean(true), in: face) == nil)
    #expect(
      try self.order(setting: "Shuffle", to: .boolean(false), in: face) == .edit(.setShuffle(.chosen(.off))))
  }

  @Test(
    "a value that means nothing is refused, and so is one of another type",
    arguments: [
      ("LoopStatus", .string("none"), .invalidArgs), ("LoopStatus", .string(""), .invalidArgs),
      ("LoopStatus", .boolean(true), .invalidArgs), ("Shuffle", .int32(1), .invalidArgs),
      ("Volume", .double(.nan), .invalidArgs), ("Volume", .double(.infinity), .invalidArgs),
      ("Volume", .int32(1), .invalidArgs), ("Rate", .int64(0), .invalidArgs),
      ("Position", .int64(0), .propertyReadOnly), ("CanPlay", .boolean(true), .propertyReadOnly),
      ("Colour", .string("red"), .unknownProperty),
    ] as [(MemberName, WireValue, InterfaceName)])
  func refused(property: MemberName, value: WireValue, name: InterfaceName) {
    let error = #expect(throws: BusError.self) {
      try self.order(setting: property, to: value, in: playing)
    }
    #expect(error?.name == name)
  }
}
