// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

@Suite("The outputs to choose among")
struct OutputsTests {
  private static let names = [
    ("alsa.pci", "Built-in Audio"), ("alsa.hdmi", "Built-in Audio HDMI"), ("bluez.1", "Kitchen"),
    ("auto_null", "Dummy"),
  ]

  private func outputs(chosen: String? = nil) -> Outputs {
    var world = AudioWorld(server: AudioServer(name: "pulseaudio", version: "16.1", defaultSink: "alsa.hdmi"))
    world.sinks = Self.names.enumerated().map { number, names in
      Sink(index: Sink.Index(rawValue: UInt32(number)), name: names.0, description: names.1)
    }
    return Outputs(of: world, ownInput: nil, chosen: chosen)
  }

  @Test(
    "one is named by its name, its description, or a part that no other has",
    arguments: [
      ("bluez.1", "bluez.1"), ("kitch", "bluez.1"), ("BLUEZ", "bluez.1"), ("hdmi", "alsa.hdmi"),
      ("built-in audio", "alsa.pci"), ("pci", "alsa.pci"), ("alsa", nil), ("audio", nil), ("", nil),
      ("dummy", nil),
    ] as [(String, String?)])
  func named(text: String, name: String?) {
    #expect((try? outputs().named(text))?.sinkName == name)
  }

  @Test("what several have is answered with all of them")
  func several() {
    #expect(
      throws: Outputs.Problem.several(["Built-in Audio (alsa.pci)", "Built-in Audio HDMI (alsa.hdmi)"])
    ) {
      try outputs().named("alsa")
    }
    #expect(throws: Outputs.Problem.none) { try outputs().named("usb") }
  }

  @Test("a filter is as private as what it plays to, and is chosen by its own name")
  func filter() throws {
    var world = Desk.laptop(jack: true).world
    let filter = Sink.Index(rawValue: 20)
    world.sinks.append(Sink(index: filter, name: "eq", description: "Equalizer", module: 5))
    world.sinkInputs = [
      SinkInput(index: Desk.own, sink: filter),
      SinkInput(index: SinkInput.Index(rawValue: 70), sink: Desk.analog, module: 5),
    ]
    let outputs = Outputs(of: world, ownInput: Desk.own)
    #expect(outputs.current == "eq" && outputs.currentRoute?.sinkName == "analog")
    #expect(outputs.currentRoute?.filter == Route.Filter(sinkName: "eq", description: "Equalizer"))
    let route = try outputs.named("equal")
    #expect(route.sinkName == "eq" && route.isPrivate && route.portKind == .headphones && route.filter == nil)
  }

  @Test("without a stream the chosen one is current, else the default")
  func current() {
    #expect(outputs().current == "alsa.hdmi" && outputs().routes.count == 3)
    #expect(outputs(chosen: "bluez.1").current == "bluez.1" && outputs(chosen: "gone").current == "alsa.hdmi")
  }
}
