// SPDX-License-Identifier: MIT
import AudioModel

@testable import PlaybackLogic

/// A sound server in few words: does to the desk what PulseAudio or PipeWire would, and tells of it in their order.
struct ModelServer {
  /// Something that happens to the desk after a wait in milliseconds, and what is told of it.
  struct Step {
    let wait: Int
    let act: (inout ModelServer) -> [RouteEvent]

    init(_ wait: Int, _ act: @escaping (inout ModelServer) -> [RouteEvent]) {
      self.wait = wait
      self.act = act
    }
  }

  enum Deed: CaseIterable {
    case jackIn, jackOut, usbIn, usbInAndFollowed, usbOut, bluetoothIn, bluetoothProfile, bluetoothOut
    case moveToLaptop, moveToUSB, moveToBluetooth, otherPort, volume
  }

  var desk = Desk.laptop(jack: false)
  let isPipeWire: Bool
  /// Our stream waits for the Bluetooth headset to return from its change of profile.
  private var isAwaitingBluetooth = false

  init(isPipeWire: Bool) { self.isPipeWire = isPipeWire }

  // A number is never used again, so a device that returns is known by its name.
  private var lastNumber: UInt32 = 100

  private func find(_ name: String) -> Sink.Index? { desk.world.sink(named: name)?.index }
  private func card(_ name: String) -> Card.Index? { desk.cards.first { $0.name == name }?.index }
  private var usb: Sink.Index? { find("usb") }
  private var bluetooth: Sink.Index? { find("a2dp") ?? find("hfp") }
  private mutating func number() -> UInt32 {
    lastNumber += 1
    return lastNumber
  }

  private var isPlugged: Bool {
    desk.cards[0].ports.contains { $0.name == "headphones" && $0.availability == .yes }
  }

  /// What our listener would be told, if nothing else happened for seconds before and after.
  func meaning(of deed: Deed) -> [RouteChange.Reason] {
    let here = desk.stream
    switch deed {
    case .jackIn: return here == Desk.analog && !isPlugged ? [.newDeviceAvailable] : []
    case .jackOut: return here == Desk.analog && isPlugged && isOnHeadphones ? [.oldDeviceUnavailable] : []
    case .usbIn, .volume, .bluetoothIn: return []
    case .usbInAndFollowed: return usb != nil ? [] : [.newDeviceAvailable]
    case .usbOut: return here != nil && here == usb ? [.oldDeviceUnavailable] : []
    case .bluetoothProfile: return here != nil && here == bluetooth ? [.categoryChange] : []
    case .bluetoothOut: return here != nil && here == bluetooth ? [.oldDeviceUnavailable] : []
    case .moveToLaptop: return here == Desk.analog ? [] : [.override]
    case .moveToUSB: return usb == nil || here == usb ? [] : [.override]
    case .moveToBluetooth: return bluetooth == nil || here == bluetooth ? [] : [.override]
    case .otherPort: return here == Desk.analog && isPlugged ? [.override] : []
    }
  }

  var isOnHeadphones: Bool { desk.sinks.first { $0.index == Desk.analog }?.activePort == "headphones" }

  /// Whether what sounds now is heard by more than the listener.
  var isPublic: Bool { desk.stream == Desk.analog && !isOnHeadphones }

  func steps(of deed: Deed) -> [Step] {
    switch deed {
    case .jackIn: [Step(0) { $0.setJack(true) }]
    case .jackOut: [Step(0) { $0.setJack(false) }]
    case .usbIn: [Step(0) { $0.addUSB() }]
    case .usbInAndFollowed:
      usb != nil ? [] : [Step(0) { $0.addUSB() }, Step(20) { $0.move(to: $0.usb) }]
    case .usbOut: [Step(0) { $0.remove($0.usb, card: $0.card("usb card")) }, Step(5) { $0.link() }]
    case .bluetoothIn: [Step(0) { $0.addBluetooth(handsfree: false) }]
    case .bluetoothProfile: profileSwitch()
    case .bluetoothOut: [Step(0) { $0.removeBluetooth() }, Step(5) { $0.link() }]
    case .moveToLaptop: [Step(0) { $0.move(to: Desk.analog) }]
    case .moveToUSB: [Step(0) { $0.move(to: $0.usb) }]
    case .moveToBluetooth: [Step(0) { $0.move(to: $0.bluetooth) }]
    case .otherPort: [Step(0) { $0.chooseOtherPort() }]
    case .volume: [Step(0) { _ in [.sink(.changed, Desk.analog)] }]
    }
  }

  private mutating func setJack(_ isIn: Bool) -> [RouteEvent] {
    guard isPlugged != isIn else { return [] }
    desk = desk.headphones(isIn)
    return [.card(.changed, Desk.pci), .sink(.changed, Desk.analog)]
  }

  private mutating func chooseOtherPort() -> [RouteEvent] {
    guard isPlugged else { return [] }
    desk = desk.port(isOnHeadphones ? "speaker" : "headphones")
    return [.sink(.changed, Desk.analog)]
  }

  private mutating func addUSB() -> [RouteEvent] {
    guard usb == nil else { return [] }
    let (sink, card) = (number(), number())
    desk = desk.adding(
      Sink.Index(rawValue: sink), "usb", card: card, "usb card", bus: "usb",
      port: Port(name: "out", kind: .analog))
    return [.card(.new, Card.Index(rawValue: card)), .sink(.new, Sink.Index(rawValue: sink))]
  }

  private mutating func addBluetooth(handsfree: Bool) -> [RouteEvent] {
    guard bluetooth == nil else { return [] }
    let (sink, card) = (number(), card("bluez")?.rawValue ?? number())
    let port = handsfree ? Port(name: "handsfree", kind: .handsfree) : Port(name: "headset", kind: .headset)
    desk = desk.adding(
      Sink.Index(rawValue: sink), handsfree ? "hfp" : "a2dp", card: card, "bluez", bus: "bluetooth",
      port: port)
    return [.card(.new, Card.Index(rawValue: card)), .sink(.new, Sink.Index(rawValue: sink))]
  }

  private mutating func move(to sink: Sink.Index?) -> [RouteEvent] {
    guard let sink, desk.stream != sink else { return [] }
    isAwaitingBluetooth = false
    desk.stream = sink
    return [.serverChanged, .moved(to: sink)]
  }

  /// PipeWire links a stream anew some milliseconds after its sink went.
  private mutating func link() -> [RouteEvent] {
    guard desk.stream == nil else { return [] }
    desk.stream = Desk.analog
    return [.moved(to: Desk.analog)]
  }

  private mutating func remove(_ sink: Sink.Index?, card: Card.Index?) -> [RouteEvent] {
    guard let sink else { return [] }
    desk = desk.without(sink)
    if let card { desk = desk.withoutCard(card.rawValue) }
    var events: [RouteEvent] = [.sink(.removed, sink)]
    if let card {
      events.insert(.card(.removed, card), at: isPipeWire ? 0 : 1)
    }
    guard desk.stream == sink else { return events }
    desk.stream = isPipeWire ? nil : Desk.analog
    return isPipeWire ? events : [.moved(to: Desk.analog), .serverChanged] + events
  }

  private mutating func removeBluetooth() -> [RouteEvent] {
    isAwaitingBluetooth = false
    guard let card = card("bluez") else { return [] }
    if let bluetooth { return remove(bluetooth, card: card) }
    desk = desk.withoutCard(card.rawValue)
    return [.card(.removed, card)]
  }

  private func profileSwitch() -> [Step] {
    guard let old = bluetooth else { return [] }
    let isHandsfree = find("hfp") != nil
    return [
      Step(0) { server in
        guard server.bluetooth == old else { return [] }
        server.isAwaitingBluetooth = server.desk.stream == old
        return server.remove(old, card: nil)
      },
      Step(5) { $0.link() },
      Step(300) { server in
        guard server.card("bluez") != nil, server.bluetooth == nil else { return [] }
        let isOurs = server.isAwaitingBluetooth
        let events = server.addBluetooth(handsfree: !isHandsfree)
        return isOurs ? events + server.move(to: server.bluetooth) : events
      },
    ]
  }
}
