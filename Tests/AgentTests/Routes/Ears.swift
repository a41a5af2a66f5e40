// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit

/// Listens to every sink of a server.
final class Ears {
  private struct Ear {
    let name: String
    let recorder: Recorder
    let mark: Int
  }

  private static let floor: Float = 0.01

  private let server: any SoundServer
  private var ears: [Sink.Index: Ear] = [:]

  init(_ server: any SoundServer) throws {
    self.server = server
    try listen()
  }

  /// Listens to the sinks that have come as well, and to the ones that went no more. Whatever they sound counts from here on.
  func listen() throws {
    let sinks = try server.control.world().sinks
    ears = ears.filter { index, _ in sinks.contains { $0.index == index } }
    for sink in sinks where ears[sink.index] == nil {
      // One that has gone meanwhile is heard by nobody.
      guard let recorder = try? server.record(sink.name) else { continue }
      ears[sink.index] = Ear(name: sink.name, recorder: recorder, mark: 0)
    }
  }

  /// What sounds from here on counts.
  func mark() {
    ears = ears.mapValues { Ear(name: $0.name, recorder: $0.recorder, mark: $0.recorder.frames) }
  }

  /// Waits until a sink sounds, from now on, or with `sinceMark` from there on: what is short may be over by now.
  func waitForSound(on name: String, sinceMark: Bool = false, within patience: Duration = .patience) throws {
    try listen()
    guard let ear = ears.values.first(where: { $0.name == name }) else {
      throw KitError("there is no sink \(name) to listen to")
    }
    try ear.recorder.waitForSound(
      from: sinceMark ? ear.mark : ear.recorder.frames, floor: Self.floor, within: patience)
  }

  /// Listens on for so long. A sink that goes meanwhile is heard by nobody from then on.
  func listen(for span: Duration) throws {
    try listen()
    for (index, ear) in ears {
      do {
        try ear.recorder.wait(
          forFrames: ear.recorder.frames + ear.recorder.format.frames(in: span), within: span + .seconds(10))
      } catch {
        if try server.control.world().sinks.contains(where: { $0.index == index }) { throw error }
      }
    }
  }

  /// How long each sink has sounded since `mark`, by name; those that were silent are left out.
  var heard: [String: Duration] {
    var heard: [String: Duration] = [:]
    for ear in ears.values {
      let recording = ear.recorder.recording
      let sounding = (min(ear.mark, recording.frames)..<recording.frames).count {
        recording.isSounding($0, floor: Self.floor)
      }
      if sounding > 0 { heard[ear.name] = recording.format.duration(ofFrames: sounding) }
    }
    return heard
  }
}
