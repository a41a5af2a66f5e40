// SPDX-License-Identifier: MIT
import AudioModel
import CLinux
import FermataTestKit
import Glibc
import Synchronization
import Testing

@testable import DecodeIO

@Suite("The producer's thread")
struct SoundProducerTests {
  /// A producer whose notifications can be waited for.
  private final class Listener {
    let producer: SoundProducer
    private let signal: Int32
    private var pending: [ProducerEvent] = []

    init(patience: Duration = .milliseconds(50)) {
      let signal = eventfd(0, Int32(EFD_CLOEXEC))
      self.signal = signal
      producer = SoundProducer(buffer: .seconds(2), patience: patience) {
        var one: UInt64 = 1
        _ = write(signal, &one, 8)
      }
    }

    deinit {
      producer.stop()
      close(signal)
    }

    /// The next event; nil when none comes as long as patience lasts.
    func next() -> ProducerEvent? {
      while pending.isEmpty {
        var descriptor = pollfd(fd: signal, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, Deadline.patient.milliseconds) == 1 else { return nil }
        var count: UInt64 = 0
        _ = read(signal, &count, 8)
        pending = producer.takeEvents()
      }
      return pending.removeFirst()
    }
  }

  @Test("a million frames come through in order while the reader takes them as it likes")
  func throughput() throws {
    let listener = Listener()
    listener.producer.play(.counting(1, frames: 1_000_000))
    var segment: SoundSegment?
    var seen = 0
    var wrong = 0
    while seen < 1_000_000 {
      let event = try #require(listener.next())
      if case .began(_, let begun) = event { segment = begun }
      guard let segment else { continue }
      var isMore = true
      while isMore {
        let frames = [Float](capacity: 3_000) { _ = segment.take(upTo: 3_000, into: &$0) }
        for (index, frame) in frames.enumerated() where frame != Float(1_000_000 + seen + index) {
          wrong += 1
        }
        seen += frames.count
        listener.producer.resume()
        isMore = !frames.isEmpty
      }
    }
    #expect(wrong == 0)
  }

  @Test("a source that hangs holds up neither orders nor the next track, and may answer afterwards")
  func hangingSource() throws {
    let listener = Listener(patience: .zero)
    let entered = try Gate()
    let gate = try Gate()
    listener.producer.play(
      SoundRequest(play: 1) { () throws(DecodeError) -> any Decoder in
        entered.open()
        gate.pass()
        return CountingDecoder(track: 1, frames: 10)
      })
    entered.pass()
    listener.producer.play(.counting(2, frames: 10))
    let event = try #require(listener.next())
    guard case .began(let part, _) = event else { return #expect(Bool(false), "\(event)") }
    #expect(part.play == 2)
    gate.open()
    // Whatever comes now is of the second track: the first one's thread has nobody to tell.
    while let event = listener.next() {
      if case .exhausted(let track) = event {
        #expect(track == 2)
        break
      }
    }
  }

  @Test("nothing is told any more of what a new order has replaced")
  func replaced() throws {
    let listener = Listener()
    for track in 1...200 { listener.producer.play(.counting(track, frames: 10)) }
    var tracks: Set<PlayID> = []
    while let event = listener.next() {
      if case .began(let part, _) = event { tracks.insert(part.play) }
      if case .exhausted(200) = event { break }
    }
    #expect(tracks.contains(200))
    #expect(listener.producer.takeEvents().isEmpty)
  }
}
