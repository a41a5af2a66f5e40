// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@Suite("A recorder", .serialized, .realTime)
struct RecorderTests {
  @Test(
    "hears what is played, bit for bit, at the sink's own rate and channels",
    arguments: [AudioFormat(rate: 44_100, channels: 2), AudioFormat(rate: 96_000, channels: 1)])
  func exact(format: AudioFormat) throws {
    let chirp = Tone.chirp(frames: format.rate / 5, format)
    try withPulse(sinks: [NullSink("hall", rate: format.rate, channels: format.channels)]) { pulse in
      let recorder = try pulse.record("hall")
      #expect(recorder.format == format)
      let stream = try pulse.play(chirp, format)
      // A chirp begins with a zero, so the first frame that sounds is its second.
      let first = try recorder.waitForSound()
      let recording = try recorder.wait(forFrames: first + format.rate / 5)
      #expect(isChirp(recording, from: first - 1, chirp))
      #expect(recording.lostFrames == 0)
      withExtendedLifetime(stream) {}
    }
  }

  @Test("hears a virtual card's sink bit for bit, though that takes back what it rendered")
  func card() throws {
    let format = AudioFormat(rate: 44_100, channels: 2)
    let chirp = Tone.chirp(frames: 8820, format)
    try withPulse { pulse in
      let card = try pulse.insert(.laptop())
      let recorder = try pulse.record("laptop")
      let stream = try pulse.play(chirp, format)
      let first = try recorder.waitForSound()
      let recording = try recorder.wait(forFrames: first + 8820)
      #expect(isChirp(recording, from: first - 1, chirp))
      withExtendedLifetime((card, stream)) {}
    }
  }

  @Test("knows when a sound began and ended")
  func times() throws {
    let format = AudioFormat(rate: 44_100, channels: 2)
    try withPulse(sinks: ["hall"]) { pulse in
      let recorder = try pulse.record("hall")
      let before = Monotonic.now
      let stream = try pulse.play(Tone.sine(frames: 4410, format), format)
      let first = try recorder.waitForSound()
      let end = try recorder.waitForSilence(lasting: .milliseconds(50), from: first)
      #expect(abs(end - first - 4409) <= 1)
      let recording = recorder.recording
      #expect(recording.lastSound() == end - 1)
      let began = try #require(recording.time(ofFrame: first))
      #expect(began > before && began < Monotonic.now)
      #expect(recording.time(ofFrame: recording.frames) == nil)
      withExtendedLifetime(stream) {}
    }
  }

  @Test("says so when nothing comes in time")
  func deadline() throws {
    try withPulse(sinks: ["hall"]) { pulse in
      let recorder = try pulse.record("hall")
      let error = #expect(throws: KitError.self) { try recorder.waitForSound(within: .milliseconds(30)) }
      #expect(error?.description.contains("a sound on hall") == true)
    }
  }

  @Test("ends with its sink and keeps what it has heard")
  func unloaded() throws {
    let format = AudioFormat(rate: 44_100, channels: 2)
    try withPulse(sinks: ["desk", "hall"]) { pulse in
      let recorder = try pulse.record("hall")
      let stream = try pulse.play(Tone.sine(frames: 4410, format), format, on: "hall")
      try recorder.waitForSound()
      try pulse.unload(sink: "hall")
      #expect(throws: KitError.self) { try recorder.wait(forFrames: .max) }
      #expect(recorder.recording.firstSound() != nil)
      withExtendedLifetime(stream) {}
    }
  }

  @Test("hears a private PipeWire as well, without a click")
  func pipeWire() throws {
    let format = AudioFormat(rate: 48_000, channels: 2)
    try withPipeWire(sinks: [NullSink("hall", rate: 48_000)]) { server in
      let recorder = try server.record("hall")
      let stream = try server.play(Tone.sine(frames: 9600, format), format)
      let first = try recorder.waitForSound()
      try recorder.wait(forFrames: first + 9600)
      var recording = recorder.recording
      let end = try #require(recording.lastSound())
      recording = Recording(format: format, samples: Array(recording.samples[(first * 2)...(end * 2 + 1)]))
      #expect(recording.clicks(inSineOf: 1000) == [])
      #expect(recording.frames >= 9590)
      withExtendedLifetime(stream) {}
    }
  }

  @Test("a call corks nobody here, but a stream with its role is seen")
  func role() throws {
    let format = AudioFormat(rate: 44_100, channels: 2)
    try withPulse(sinks: ["hall"], modules: .usual + [.roleCork]) { pulse in
      let music = try pulse.play([], format, properties: ["media.role": "music"])
      let call = try pulse.play([], format, properties: ["media.role": "phone"])
      try pulse.control.wait(for: "silenced music") { world in
        world.sinkInput(music.index)?.isMuted == true && world.sinkInput(call.index)?.isMuted == false
      }
    }
  }

  // A function of its own, so that a failure does not print all samples.
  private func isChirp(_ recording: Recording, from frame: Int, _ chirp: [Float]) -> Bool {
    recording.samples.dropFirst(frame * recording.format.channels).prefix(chirp.count).elementsEqual(chirp)
  }
}
