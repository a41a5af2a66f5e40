// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import BusIO
import BusModel
import FaceModel
import FermataTestKit
import MediaModel
import PlaybackLogic

/// An agent that only remembers what it was asked for, on a bus of its own, and the program that asks it.
@AgentLoop
final class FakeAgent {
  let bus: PrivateBus
  let connection: BusConnection
  var face = PlayerFace()
  /// What is always left until the music falls asleep; nil if `sleepEnd` says when that is, or nobody wants it to.
  var sleepLeft: Duration?
  var sleepEnd: Duration?
  var items: [ItemFace] = []
  var artURL = ""
  var leftOut: [String] = []
  /// How many answers to `List` are without tags.
  var unread = 0
  var pads = PadsFace(kit: KitFace(name: "Kit"))
  var undone = EditCounts(added: 1)
  /// What `Sort` answers.
  var sorted = SortOutcome(rows: 3, moved: 2, unread: 0)
  var refusal: BusError?
  private(set) var calls: [AgentCallRecord] = []
  /// Called after each call with the number of calls so far.
  var afterCall: @AgentLoop (FakeAgent, Int) -> Void = { _, _ in }
  /// The modes that were chosen by hand, by their properties.
  var choices: [MemberName: String] = [:]

  /// What was asked: the method, and what was given.
  struct AgentCallRecord: Hashable, Sendable {
    let member: MemberName
    let arguments: [WireValue]
  }

  init() async throws {
    bus = try PrivateBus()
    connection = try await BusConnection.open(.address(bus.address), timeout: .patience)
    connection.export(
      [
        exported(AgentDescriptions.player), exported(AgentDescriptions.queue),
        exported(AgentDescriptions.session), exported(AgentDescriptions.library),
        exported(AgentDescriptions.pads),
      ],
      at: AgentDescriptions.path)
    _ = try await connection.requestName(AgentDescriptions.busName)
  }

  /// The connection ends a little later than this object, and may still bring a call.
  private static let isGone = BusError.failed("this agent is gone")

  private func exported(_ description: InterfaceDescription) -> BusInterface {
    var interface = BusInterface(description)
    for method in description.methods {
      interface.answer(method.name) { [weak self] call in
        guard let self else { throw Self.isGone }
        if let refusal { throw refusal }
        calls.append(AgentCallRecord(member: call.member, arguments: call.arguments))
        defer { afterCall(self, calls.count) }
        return .now(try answer(call))
      }
    }
    for property in description.properties {
      let set: BusInterface.Setter = { [weak self] value, _ in
        guard let self else { throw Self.isGone }
        calls.append(AgentCallRecord(member: property.name, arguments: [value]))
        return .done
      }
      interface.provide(
        property.name,
        get: { [weak self] in
          guard let self else { throw Self.isGone }
          guard let choice = choices[property.name] else { throw BusError.failed("nobody asks") }
          return .string(choice)
        },
        set: property.access == .readWrite ? set : nil)
    }
    return interface
  }

  private func answer(_ call: MethodCall) throws -> [WireValue] {
    switch call.member {
    case "Status":
      var status = StatusFace(face, position: .seconds(83))
      status.sleepLeft = sleepLeft ?? sleepEnd.map { $0 - AgentLoop.now }
      return [status.wireValue]
    case "List":
      let (first, count) = try call.arguments.decoded(as: UInt32.self, UInt32.self)
      let rows = AgentQueue.positions(from: Int(first), count: Int(count), of: items.count)
      var listed = Array(items[rows])
      if unread > 0 {
        unread -= 1
        for index in listed.indices { listed[index].isUnread = true }
      }
      return QueuePage(
        items: listed, length: items.count, current: face.queueIndex.map { $0 + 1 }
      ).reply
    case "Outputs":
      let outputs = [("hdmi", "Screen", false), ("usb", "Headset", true)].map { name, text, isCurrent in
        let route = Route(
          sinkName: name, sinkDescription: text, isPrivate: isCurrent, device: Route.Device(name: name))
        return OutputFace(route: RouteFace(route), isCurrent: isCurrent).wireValue
      }
      return [.array(.dictionary(.string, .variant), outputs)]
    case "Upcoming":
      let coming = items.isEmpty ? [] : [items.count, 1]
      let page = QueuePage(
        items: coming.map { items[$0 - 1] }, length: items.count, current: face.queueIndex.map { $0 + 1 })
      return page.reply + .arguments(coming.map { UInt32($0) })
    case "Rows":
      let (first, count) = try call.arguments.decoded(as: UInt32.self, UInt32.self)
      let rows = AgentQueue.positions(
        from: Int(first), count: Int(count), of: items.count, atMost: RowsPage.largest)
      var page = RowsPage(length: items.count, current: face.queueIndex.map { $0 + 1 })
      for item in items[rows] {
        guard let entry = item.entry, page.append(entry, at: item.item.location.uri, nil) else { break }
      }
      return page.reply
    case "Add", "Scan": return .arguments(UInt32(1))
    // The library has three items.
    case "Numbers": return .arguments([Int64(1), 2, 3], UInt32(3))
    case "Load", "Prepare": return [pads.wireValue]
    case "Remove" where call.interface == AgentDescriptions.library.name: return []
    case "Append", "AddNext", "Insert": return .arguments([UInt64(7), 8], leftOut)
    case "AddToFile": return .arguments(UInt32(1), leftOut)
    case "Remove", "Move": return .arguments([UInt64]())
    case "Crop": return .arguments([UInt64](repeating: 1, count: max(0, items.count - 1)))
    case "Clear": return .arguments(UInt32(items.count))
    case "Play" where call.interface == AgentDescriptions.queue.name:
      return .arguments([UInt64(7)], "call", leftOut)
    case "Play", "Toggle", "Jump": return .arguments("")
    case "Undo", "Redo": return AgentQueue.reply(undone)
    case "Sort": return AgentQueue.reply(sorted)
    case "ToggleMute": return .arguments(true)
    case "ChangeVolume": return .arguments(0.85)
    case "Art": return .arguments(artURL)
    case "PlayRandom": return .arguments(UInt64(7), "")
    default: return []
    }
  }

  func emit(_ interface: InterfaceDescription, _ member: MemberName, _ arguments: [WireValue]) throws {
    try connection.emit(
      BusSignal(path: AgentDescriptions.path, interface: interface.name, member: member, arguments: arguments)
    )
  }
}

/// What an agent has to show.
enum Faces {
  private static var known: MediaItem {
    var item = MediaItem(location: .file("/music/Björk/Jóga.flac"))
    item.tags.title = "Jóga"
    item.tags.artist = ["Björk", "Guest"]
    item.tags.album = "Homogenic"
    item.tags.duration = .milliseconds(305_100)
    item.tags.track = 2
    return item
  }

  private static var wide: MediaItem {
    var item = MediaItem(location: .file("/music/01.mp3"))
    item.tags.title = "夜に駆ける \u{1B}[31m"
    item.tags.albumArtist = ["YOASOBI"]
    item.tags.duration = .seconds(3723)
    return item
  }

  /// A queue of three: a track with wide letters, the current one, and one that is gone.
  static var items: [ItemFace] {
    [
      ItemFace(wide, entry: EntryID(rawValue: 10)),
      ItemFace(known, entry: EntryID(rawValue: 11), isCurrent: true),
      ItemFace(
        MediaItem(location: .file("/music/Lost.mp3")), entry: EntryID(rawValue: 12), isMissing: true),
    ]
  }

  /// The second of them plays.
  static var playing: PlayerFace {
    var face = PlayerFace()
    face.state = .playing
    face.entry = EntryID(rawValue: 11)
    face.item = known
    face.coding = SoundCoding("MP3", rate: 44_100, channels: 2, bitRate: 320_000)
    face.volume = 0.8
    (face.queueLength, face.queueIndex) = (3, 1)
    return face
  }

  /// All three were played.
  static var finished: PlayerFace {
    var face = PlayerFace()
    (face.state, face.why, face.queueLength) = (.stopped, .stopped(.finished), 3)
    return face
  }
}
