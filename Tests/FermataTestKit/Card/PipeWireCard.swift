// SPDX-License-Identifier: MIT
import AudioModel

/// A virtual card on PipeWire: a client process that exports a device. It ends at the latest when this object is
/// released.
final class PipeWireCard: VirtualCard {
  let layout: CardLayout
  let control: SoundControl
  private let program: Child

  init(_ layout: CardLayout, on control: SoundControl, environment: [String: String]) throws {
    self.layout = layout
    self.control = control
    program = try Child(
      Program(path: "\(CardProgram.folder)/\(try CardProgram.pipeWire.build())"),
      [
        "--name", layout.name, "--properties", layout.propertyWords, "--ports", layout.portWords,
        "--profiles", layout.profileWords,
      ], environment: environment, isInteractive: true)
    guard try program.nextLine(until: .patient) == "ready" else { throw program.obituary() }
    try waitUntilPlugged()
  }

  func setAvailable(_ ports: [String: Port.Availability]) throws {
    let words = ports.map { "\($0) \($1.rawValue)" }.joined(separator: " ")
    let answer = try program.ask("available \(words)")
    guard answer == "ok" else { throw KitError("\(layout.name): \(answer)") }
  }

  func remove() throws {
    try program.check()
    program.stop()
  }
}
