// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

@Suite("A move to a chosen output")
struct OutputMoveTests {
  private static let speakers = Sink.Index(rawValue: 0)
  private static let kitchen = Sink.Index(rawValue: 1)
  private static let world = {
    var world = AudioWorld(server: AudioServer(name: "pulseaudio", version: "16.1", defaultSink: "speakers"))
    world.sinks = [
      Sink(index: speakers, name: "speakers", description: "Speakers"),
      Sink(index: kitchen, name: "kitchen", description: "Kitchen"),
    ]
    return world
  }()

  private func time(_ milliseconds: Int) -> Duration { .milliseconds(milliseconds) }

  @Test("it is ordered once, looked for, and done when the stream is there")
  func obeyed() {
    var move = OutputMove(to: "kitchen", at: time(0))
    #expect(move.next(Self.world, places: [Self.speakers], at: time(0)) == .ask)
    #expect(move.next(Self.world, places: [Self.speakers], at: time(1)) == .look(after: time(50)))
    #expect(move.next(Self.world, places: [Self.kitchen], at: time(51)) == .done)
  }

  @Test("where the stream is there already, or there is none, nothing is ordered")
  func idle() {
    var move = OutputMove(to: "kitchen", at: time(0))
    #expect(move.next(Self.world, places: [Self.kitchen], at: time(0)) == .done)
    #expect(move.next(Self.world, places: [], at: time(0)) == .done)
  }

  @Test("a server that says yes and does nothing is asked again, and the order fails in the end")
  func ignored() {
    var move = OutputMove(to: "kitchen", at: time(0))
    let steps = stride(from: 0, to: 2_000, by: 50).map {
      move.next(Self.world, places: [Self.speakers], at: time($0))
    }
    #expect(
      steps.count { $0 == .ask } == 4 && steps.allSatisfy { $0 == .ask || $0 == .look(after: time(50)) })
    #expect(
      move.next(Self.world, places: [Self.speakers], at: time(2_000))
        == .failed(
          "the sound server said yes, but did not move the music; it stays on Speakers; choose it again, or move it "
            + "in a mixer such as pavucontrol"))
  }

  @Test(
    "a filter that takes the stream back is no failure if it plays to the output, but the stream is asked to leave it twice"
  )
  func filter() {
    var world = Self.world
    let filter = Sink.Index(rawValue: 2)
    world.sinks.append(Sink(index: filter, name: "equalizer", description: "Equalizer", module: 5))
    world.sinkInputs = [SinkInput(index: SinkInput.Index(rawValue: 9), sink: Self.kitchen, module: 5)]
    var move = OutputMove(to: "kitchen", at: time(0))
    #expect(move.next(world, places: [filter], at: time(0)) == .ask)
    #expect(move.next(world, places: [filter], at: time(450)) == .look(after: time(50)))
    #expect(move.next(world, places: [filter], at: time(500)) == .ask)
    #expect(move.next(world, places: [filter], at: time(1_000)) == .done)
    var other = OutputMove(to: "speakers", at: time(0))
    #expect(other.next(world, places: [filter], at: time(0)) == .ask)
    #expect(other.next(world, places: [filter], at: time(1_000)) == .ask)
  }

  @Test("a refusal is told at once, unless the stream is there all the same")
  func refused() {
    var move = OutputMove(to: "kitchen", at: time(0))
    #expect(move.next(Self.world, places: [Self.speakers], at: time(0)) == .ask)
    move.refused(because: "Not supported")
    #expect(move.next(Self.world, places: [Self.kitchen], at: time(1)) == .done)
    #expect(
      move.next(Self.world, places: [Self.speakers], at: time(1))
        == .failed(
          "the sound server refuses to move the music: Not supported; it stays on Speakers; choose it again, or move "
            + "it in a mixer such as pavucontrol"))
  }

  @Test("a stream that the server has not made yet is waited for, and not for ever")
  func unmade() {
    var move = OutputMove(to: "kitchen", at: time(0))
    #expect(move.next(Self.world, places: [nil], at: time(0)) == .look(after: time(50)))
    #expect(move.next(Self.world, places: [Self.speakers], at: time(50)) == .ask)
    #expect(move.next(Self.world, places: [nil], at: time(2_000)) == .done)
  }

  @Test("an output that goes meanwhile ends it")
  func gone() {
    var move = OutputMove(to: "cellar", at: time(0))
    #expect(
      move.next(Self.world, places: [Self.speakers], at: time(0)) == .failed("the output cellar is gone"))
  }
}
