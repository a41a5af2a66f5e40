// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@testable import PlaybackLogic

@Suite("The guard at random")
struct GuardRandomTests {
  /// What anyone would say of it without looking at readings: a player is paused when the device that it plays on goes.
  private struct Model {
    var devices: Set<String> = ["laptop", "usb", "bluetooth"]
    var places = ["one": "laptop", "two": "usb", "three": "bluetooth"]
    var playing: Set<String> = ["one", "two", "three"]

    func lostBy(_ device: String) -> Set<String> {
      playing.filter { places[$0] == device && device != "laptop" }
    }
  }

  private enum Deed {
    case lose, bringBack, move, pause, play, nothing

    /// The more often a deed is here, the more often it is done.
    static let all: [Deed] = [
      .lose, .lose, .bringBack, .bringBack, .move, .move, .play, .play, .pause, .nothing,
    ]
  }

  @Test("1,000 events and three players, against a model", arguments: [1, 2, 3] as [UInt64])
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var model = Model()
    var room = GuardRoom(model.places)
    var losses = 0
    for step in 0..<1_000 {
      let device = ["usb", "bluetooth"].randomElement(using: &random) ?? "usb"
      let player = ["one", "two", "three"].randomElement(using: &random) ?? "one"
      let (told, reports) = (room.told.count, room.reports.count)
      var expected: Set<String> = []
      let deed = Deed.all.randomElement(using: &random) ?? .nothing
      switch deed {
      case .lose where model.devices.contains(device):
        expected = model.lostBy(device)
        model.devices.remove(device)
        for name in model.places.keys where model.places[name] == device { model.places[name] = "laptop" }
        room.lose(device)
        losses += expected.count
        settle(&room, &model, expected)
      case .bringBack where !model.devices.contains(device):
        model.devices.insert(device)
        room.bringBack(device)
      case .move:
        let place = model.devices.sorted().randomElement(using: &random) ?? "laptop"
        model.places[player] = place
        room.move(player, to: place)
      case .pause, .play:
        if deed == .play { model.playing.insert(player) } else { model.playing.remove(player) }
        room.cork(player, deed == .pause)
      default: room.step()
      }
      room.wait(Int.random(in: 110...3_000, using: &random))
      let paused = Set(room.reports.dropFirst(reports).filter { $0.outcome == .paused }.map(\.player))
      guard paused == expected, Set(room.told.dropFirst(told)) == expected,
        room.told.count - told == expected.count, room.reports.count - reports == expected.count
      else {
        Issue.record("seed \(seed), step \(step): \(deed) paused \(paused), not \(expected)")
        return
      }
    }
    #expect(losses > 20)
  }

  /// The players answer: those that play are paused, the others say that they are not playing.
  private func settle(_ room: inout GuardRoom, _ model: inout Model, _ expected: Set<String>) {
    for name in model.places.keys.sorted() {
      let isPlaying = model.playing.contains(name)
      room.answer(name, PlayerAnswer(status: isPlaying ? "Playing" : "Paused", canPause: true))
    }
    for name in expected.sorted() {
      model.playing.remove(name)
      room.cork(name)
      room.send(.obeyed(":\(name)", nil))
    }
  }
}
