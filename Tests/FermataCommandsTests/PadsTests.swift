// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import CommandModel
import FaceModel
import FermataTestKit
import Testing

@testable import FermataCommands

@Suite("The pads' commands")
struct PadsTests {
  private static let kit = PadsFace(
    kit: KitFace(name: "Garage", folder: "/kits/garage"), isEnabled: false, why: "call",
    reason: "the pads are silent: a call is going on", volume: 0.5,
    pads: [
      PadFace(number: PadNumber(rawValue: 1), name: "Open hat", volume: 0.8, polyphony: 4, choke: "hat"),
      PadFace(number: PadNumber(rawValue: 2), name: "Bass\u{1b}[2J"),
    ])

  @Test("a kit is listed with its keys, why it is silent, and nothing that a terminal would obey")
  func list() {
    let lines = PadsText.lines(Self.kit, width: nil).map { $0.rendered(.plain) }
    #expect(lines.count == 4)
    #expect(lines[0] == "Garage  /kits/garage  volume 50%")
    #expect(lines[1] == "the pads are silent: a call is going on")
    #expect(lines[2].hasPrefix("1  1  Open hat"))
    #expect(lines[2].hasSuffix("volume 80%, 4 at a time, chokes with hat"))
    #expect(!lines[3].unicodeScalars.contains("\u{1b}"))
  }

  @Test("1 to 9 and q to p strike nineteen pads, shifted or not")
  func keys() {
    #expect("123456789qwertyuiop".map { PadsText.index(ofKey: $0) } == (0..<19).map(Optional.some))
    #expect(PadsText.index(ofKey: "Q") == 9)
    #expect(PadsText.index(ofKey: "a") == nil && PadsText.index(ofKey: "0") == nil)
    #expect(PadsText.key(of: 18) == "p" && PadsText.key(of: 19) == nil)
  }

  @Test("the terminal's colours come near to those of a kit")
  func colours() {
    let colours: [(String, Style.Colour?)] = [
      ("red", .red), ("purple", .magenta), ("grey", nil), ("ff8800", .yellow), ("10d020", .green),
      ("808080", nil), ("nonsense", nil),
    ]
    for (name, colour) in colours { #expect(PadsText.colour(name) == colour, "\(name)") }
    #expect(PadsText.colour(nil) == nil)
  }

  @Test("taps name the pads of the kit that is loaded by then")
  func otherKit() async throws {
    let agent = try await CommandStage.makeAgent { agent in
      agent.pads.pads = [PadFace(number: PadNumber(rawValue: 1), name: "Snare")]
    }
    let child = try Child(
      .beside("fermata"), ["pads", "tap"], environment: agent.bus.environment, isInteractive: true)
    let struck = {
      try await onLoop { agent.calls.filter { $0.member == "Hit" }.compactMap(\.arguments.first) }
    }
    let deadline = Deadline.patient
    while try await struck().isEmpty, !deadline.hasPassed { try child.send("Snare\n") }
    try await onLoop {
      agent.pads.pads = [PadFace(number: PadNumber(rawValue: 3), name: "Gong")]
      let signal = AgentPads.changed(agent.pads)
      try agent.emit(AgentDescriptions.pads, signal.0, signal.1)
    }
    while try await struck().last != .uint32(3), !deadline.hasPassed { try child.send("Gong\n") }
    #expect(try await struck().last == .uint32(3))
    child.kill()
  }

  @Test("taps come in pieces of any size; blanks, empty lines and Windows' ends do not matter")
  func taps() {
    let text = Array("1\n\n  Open hat \r\n2".utf8)
    for size in 1...text.count {
      var lines = TapLines()
      var found: [String] = []
      for start in stride(from: 0, to: text.count, by: size) {
        found += lines.add(text[start..<min(start + size, text.count)])
      }
      if let last = lines.rest() { found.append(last) }
      #expect(found == ["1", "Open hat", "2"])
    }
  }

  @Test("of an endless line only the beginning is kept")
  func endless() {
    var lines = TapLines()
    for _ in 0..<100 { #expect(lines.add([UInt8](repeating: 0x78, count: 1_000)).isEmpty) }
    #expect(lines.add([0x0A]).map(\.utf8.count) == [TapLines.longest])
    #expect(lines.rest() == nil)
  }
}
