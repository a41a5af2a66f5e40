// SPDX-License-Identifier: MIT
import AudioModel

/// A virtual card on PulseAudio: a module of the server.
final class PulseCard: VirtualCard {
  let layout: CardLayout
  let control: SoundControl
  private let module: SoundControl.Module

  init(_ layout: CardLayout, on control: SoundControl) throws {
    self.layout = layout
    self.control = control
    let arguments = """
      card_name=\(layout.name) card_properties="\(layout.propertyWords)" ports="\(layout.portWords)" \
      profiles="\(layout.profileWords)" release_first=\(layout.releasesSinkFirst ? 1 : 0) \
      pace=\(layout.pace)
      """
    let file = try CardProgram.pulse.build()
    module = try control.load(String(file.dropLast(".so".count)), arguments)
    try waitUntilPlugged()
  }

  func setAvailable(_ ports: [String: Port.Availability]) throws {
    let pairs = ports.map { "\"\($0)\",\"\($1.rawValue)\"" }.joined(separator: ",")
    try control.send("set-available", to: "/fermata-card/\(layout.name)", parameters: "[\(pairs)]")
  }

  func remove() throws { try control.unload(module) }
}
