// SPDX-License-Identifier: MIT
import BusModel
import MediaModel
import Testing

@testable import FaceModel

@Suite("Our own interfaces: pads")
struct AgentPadsTests {
  @Test("each call arrives as it was given")
  func calls() throws {
    let pad = PadNumber(rawValue: 7)
    let calls: [(AgentCall, AgentPads.Call)] = [
      (.hit(pad: pad), .hit(pad)), (.stopPads, .stop), (.pads, .list), (.preparePads, .prepare),
      (.load(kit: "/srv/Björk/50% drums"), .load("/srv/Björk/50% drums")), (.load(kit: nil), .load(nil)),
      (.set(volume: 0.5, ofPad: pad), .setVolume(pad, 0.5)),
      (.set(volume: 0, ofPad: nil), .setVolume(nil, 0)),
    ]
    for (call, meant) in calls {
      #expect(call.interface == AgentPads.description.name)
      let types = AgentPads.description.method(call.member)?.inputs.map(\.type)
      #expect(types == call.arguments.map(\.type))
      #expect(try AgentPads.Method.read(call.member, call.arguments) == meant)
    }
  }

  @Test("a volume is brought inside, and what is no folder is refused")
  func bounds() throws {
    let loud = try AgentPads.Method.read("SetVolume", .arguments(UInt32(1), 3.0))
    #expect(loud == .setVolume(PadNumber(rawValue: 1), 1))
    #expect(throws: BusError.self) {
      try AgentPads.Method.read("SetVolume", .arguments(UInt32(1), Double.nan))
    }
    #expect(throws: BusError.self) { try AgentPads.Method.read("Load", .arguments("http://example.org/kit")) }
  }

  private static let pads = PadsFace(
    kit: KitFace(name: "Garage", folder: "/kits/garage"), isEnabled: false, why: "call",
    reason: "the pads are silent: a call is going on", volume: 0.8,
    pads: [
      PadFace(
        number: PadNumber(rawValue: 1), name: "Open hat", colour: "yellow", volume: 0.5, polyphony: 4,
        choke: "hat"),
      PadFace(number: PadNumber(rawValue: 2), name: "Bass"),
    ])

  @Test("the pads are read as they were written, also from the signal")
  func faces() throws {
    #expect(PadsFace(wire: Self.pads.wireValue) == Self.pads)
    let (member, arguments) = AgentPads.changed(Self.pads)
    #expect(AgentNews.news(AgentPads.description.name, member, arguments) == [.pads(Self.pads)])
    let plain = PadsFace(kit: KitFace(name: "Drums"))
    #expect(PadsFace(wire: plain.wireValue) == plain)
  }

  @Test("what another version sends may lack or add anything but the kit")
  func others() {
    #expect(PadsFace(wire: Fields().wireValue) == nil)
    #expect(PadsFace(wire: .string("pads")) == nil)
    var fields = Fields()
    fields.add("kit", KitFace(name: "K").fields)
    fields.add("pads", value: [Fields()].wireValue)
    fields.add("colour", "red")
    let read = PadsFace(wire: fields.wireValue)
    #expect(read?.kit.name == "K" && read?.pads.isEmpty == true && read?.isEnabled == false)
  }
}
