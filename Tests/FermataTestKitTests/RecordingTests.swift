// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import FermataTestKit

@Suite("A recording")
struct RecordingTests {
  private let mono = AudioFormat(rate: 44_100, channels: 1)

  @Test("finds the first sound, the last, and the gaps between, in any channel")
  func gaps() {
    let stereo = AudioFormat(rate: 44_100, channels: 2)
    let frames: [[Float]] = [
      [0, 0], [0, 0.5], [0.5, 0], [0, 0], [0, 0], [0.1, 0], [0, 0], [0.1, 0.1], [0, 0],
    ]
    let recording = Recording(format: stereo, samples: frames.flatMap { $0 })
    #expect(recording.frames == 9)
    #expect(recording.firstSound() == 1)
    #expect(recording.firstSound(from: 3) == 5)
    #expect(recording.lastSound() == 7)
    #expect(recording.lastSound(floor: 0.2) == 2)
    #expect(recording.gaps() == [3..<5, 6..<7])
    #expect(recording.gaps(ofAtLeast: 2) == [3..<5])
    #expect(recording.channel(1) == [0, 0.5, 0, 0, 0, 0, 0, 0.1, 0])
  }

  @Test("of silence has no sound, no gap and no click")
  func silence() {
    let recording = Recording(format: mono, samples: Tone.silence(frames: 100, mono))
    #expect(recording.firstSound() == nil && recording.lastSound() == nil)
    #expect(recording.gaps() == [] && recording.clicks(inSineOf: 1000) == [])
  }

  @Test(
    "of an unbroken sine has no click, whatever its pitch and precision", arguments: [100.0, 440, 997, 5000])
  func unbroken(frequency: Double) {
    let sine = Tone.sine(frequency, frames: 20_000, mono)
    let coarse = sine.map { ($0 * 32_768).rounded() / 32_768 }
    #expect(Recording(format: mono, samples: sine).clicks(inSineOf: frequency) == [])
    #expect(Recording(format: mono, samples: coarse).clicks(inSineOf: frequency) == [])
  }

  @Test("tells how many samples of a sine are missing or too many", arguments: [-5, -1, 1, 3, 17])
  func skipped(samples: Int) throws {
    for place in 1000..<1050 {
      let sine =
        Tone.sine(frames: place, mono) + Tone.sine(frames: 1000, mono, offset: place + samples)
      let clicks = Recording(format: mono, samples: sine).clicks(inSineOf: 1000)
      let click = try #require(clicks.first, "nothing found at \(place)")
      #expect(clicks.count == 1)
      #expect(abs(click.frame - place) <= 1)
      #expect(abs(click.skipped - Double(samples)) < 0.05)
    }
  }

  @Test("a wrong sample is a click in a sine that goes on in step")
  func wrongSample() throws {
    var sine = Tone.sine(frames: 2000, mono)
    sine[1234] += 0.01
    let clicks = Recording(format: mono, samples: sine).clicks(inSineOf: 1000)
    #expect(clicks.map(\.frame) == [1234])
    #expect(abs(try #require(clicks.first).skipped) < 0.01)
  }

  @Test("a hole is a click at both its ends")
  func hole() {
    var sine = Tone.sine(frames: 2000, mono)
    for frame in 1000..<1100 { sine[frame] = 0 }
    let frames = Recording(format: mono, samples: sine).clicks(inSineOf: 1000).map(\.frame)
    #expect(frames.count == 2)
    #expect(abs(frames[0] - 1000) <= 1 && abs(frames[1] - 1100) <= 1)
  }

  @Test("tells when the fragment came that brought a frame")
  func times() {
    let format = AudioFormat(rate: 1000, channels: 1)
    var recording = Recording(format: format, samples: Array(repeating: 0, count: 30))
    recording.fragments = [.init(end: 10, time: .seconds(1)), .init(end: 30, time: .seconds(2))]
    #expect([0, 9].map(recording.time(ofFrame:)) == [.seconds(1), .seconds(1)])
    #expect([10, 29].map(recording.time(ofFrame:)) == [.seconds(2), .seconds(2)])
    #expect(recording.time(ofFrame: 30) == nil)
  }
}
