// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@testable import PadModel

@Suite("The pads' mixer")
struct MixerTests {
  @Test("it sounds as a naive mixer does, whatever is struck, stopped and turned, in pieces of any size")
  func likeNaive() {
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let (kit, sounds) = Self.randomKit(&random)
      var mixer = PadMixer(kit, sounds)
      var naive = NaiveMixer(kit, sounds)
      for _ in 0..<120 {
        let pad = Int.random(in: 0..<kit.pads.count, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
          mixer.stop()
          naive.stop()
        case 1:
          let volume = Double.random(in: 0...1, using: &random)
          mixer.set(volume: volume, of: pad)
          naive.set(volume: volume, of: pad)
        case 2:
          mixer.volume = 0.7
          naive.setOverall(0.7)
        case 3:
          mixer.drop()
          naive.drop()
        default:
          mixer.strike(pad)
          naive.strike(pad)
        }
        let count = Int.random(in: 0...300, using: &random)
        let made = mixer.rendered(count)
        let expected = naive.render(count)
        #expect(made.count <= expected.count)
        let padded = made + [Float](repeating: 0, count: expected.count - made.count)
        let error = zip(padded, expected).reduce(0) { max($0, abs($1.0 - $1.1)) }
        guard error < 0.000_2 else {
          Issue.record("seed \(seed): \(error)")
          return
        }
        #expect(mixer.voiceCount <= PadMixer.mostVoices)
      }
    }
  }

  private static func randomKit(_ random: inout SeededGenerator) -> (Kit, [PadSound]) {
    let pads = (0..<Int.random(in: 1...6, using: &random)).map { number in
      Pad(
        name: "\(number)", volume: Double(Int.random(in: 1...4, using: &random)) / 4,
        polyphony: [1, 1, 2, 5, 64].randomElement(using: &random) ?? 1,
        choke: [nil, nil, "a", "b"].randomElement(using: &random) ?? nil)
    }
    let sounds = pads.map { _ in
      let channels = Int.random(in: 1...2, using: &random)
      let frames = Int.random(in: 0...900, using: &random)
      return PadSound(
        rate: 48_000, channels: channels,
        samples: (0..<frames * channels).map { _ in Float.random(in: -1...1, using: &random) })
    }
    return (Kit(name: "random", pads: pads), sounds)
  }

  private static let sine = PadSound(
    rate: 48_000, channels: 1, samples: (0..<24_000).map { Float(0.8 * Wave.sine(turns: Double($0) / 109)) })

  @Test("10,000 random hits on a pad: no step is larger than those that its sound makes by itself")
  func noClick() {
    var random = SeededGenerator(seed: 4)
    let struck = Struck(Self.sine, hits: 10_000, &random)
    // From one crest to the other in a fade's time is less than the sine does by itself.
    #expect(struck.largestStep <= Self.sine.largestStep + 0.000_01)
    #expect(struck.restarts > 9_000)
  }

  @Test("the drums that come with the program: no step at a hit is larger than those of the drum itself")
  func noClickOfDrums() {
    var random = SeededGenerator(seed: 5)
    for (pad, sound) in zip(Drums.kit.pads, Drums.sounds()) {
      let struck = Struck(sound, hits: 2_000, &random)
      #expect(struck.largestStep <= sound.largestStep + 0.000_01, "\(pad.name)")
    }
  }

  @Test("sounds by chance: where a fade has too little time, a step is as large as it must be and no larger")
  func bound() {
    for seed in 0..<200 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let sound = Self.randomSound(&random)
      let struck = Struck(sound, hits: 60, &random)
      let most = max(sound.largestStep, struck.steepestWay)
      #expect(struck.largestStep <= most + 0.000_01, "seed \(seed)")
    }
  }

  /// Noise, a tone, a rumble, or one of them that begins or ends with a jump.
  private static func randomSound(_ random: inout SeededGenerator) -> PadSound {
    let channels = Int.random(in: 1...2, using: &random)
    let frames = Int.random(in: 100...3_000, using: &random)
    let pitch = Double.random(in: 0.000_1...0.02, using: &random)
    let hiss: Double = [0, 0.1, 1].randomElement(using: &random) ?? 0
    let fade = Bool.random(using: &random)
    var samples: [Float] = []
    for index in 0..<frames * channels {
      let frame = Double(index / channels)
      let tone = Wave.sine(turns: frame * pitch + Double(index % 2) / 5)
      let noise = Double.random(in: -1...1, using: &random)
      let level: Double = fade ? 1 - frame / Double(frames) : 1
      let mix: Double = tone + (noise - tone) * hiss
      samples.append(Float(mix * level))
    }
    return PadSound(rate: 48_000, channels: channels, samples: samples)
  }

  @Test("a sound begins with its first frame, and is not changed")
  func exact() {
    var mixer = PadMixer(Kit(name: "one", pads: [Pad(name: "sine")]), [Self.sine])
    mixer.strike(0)
    let made = mixer.rendered(30_000)
    #expect(stride(from: 0, to: made.count, by: 2).map { made[$0] } == Self.sine.samples)
    #expect(stride(from: 1, to: made.count, by: 2).map { made[$0] } == Self.sine.samples)
    #expect(mixer.isSilent && mixer.rendered(10).isEmpty)
  }

  @Test("with a polyphony of 1 a hit starts the sound anew; the rest of the old one fades within 2 ms")
  func restart() {
    let steady = PadSound(rate: 48_000, channels: 1, samples: [Float](repeating: 0.5, count: 4_800))
    var mixer = PadMixer(Kit(name: "one", pads: [Pad(name: "steady")]), [steady])
    mixer.strike(0)
    _ = mixer.rendered(100)
    mixer.strike(0)
    let made = mixer.rendered(4_800)
    #expect(made[0] > 0.99 && made[0] < 1)
    #expect(made[94 * 2] > 0.5 && made[96 * 2] == 0.5)
    #expect(made.count == 9_600)
  }

  @Test("the 65th sound takes the oldest's place")
  func sixtyFive() {
    let pads = [Pad(name: "a", polyphony: 1), Pad(name: "b", polyphony: 64)]
    let quiet = PadSound(rate: 48_000, channels: 1, samples: [Float](repeating: 0.001, count: 48_000))
    let loud = PadSound(rate: 48_000, channels: 1, samples: [Float](repeating: 0.5, count: 48_000))
    var mixer = PadMixer(Kit(name: "two", pads: pads), [loud, quiet])
    mixer.strike(0)
    for _ in 0..<63 { mixer.strike(1) }
    #expect(mixer.voiceCount == 64)
    #expect((mixer.rendered(200).last ?? 0) > 0.5)
    mixer.strike(1)
    #expect(mixer.voiceCount == 64)
    #expect((mixer.rendered(200).last ?? 1) < 0.1)
  }

  @Test("a choke group's pads silence each other, and not themselves")
  func choke() {
    let steady = PadSound(rate: 48_000, channels: 1, samples: [Float](repeating: 0.25, count: 48_000))
    let pads = [
      Pad(name: "open", polyphony: 2, choke: "hat"), Pad(name: "closed", choke: "hat"), Pad(name: "other"),
    ]
    var mixer = PadMixer(Kit(name: "hats", pads: pads), [steady, steady, steady])
    for pad in [0, 0, 2] { mixer.strike(pad) }
    #expect(mixer.rendered(200).last == 0.75)
    mixer.strike(1)
    #expect(mixer.rendered(200).last == 0.5)
  }

  @Test("a volume is the cube of what the slider shows, for a pad and for all")
  func volume() {
    let steady = PadSound(rate: 48_000, channels: 1, samples: [Float](repeating: 1, count: 48_000))
    var mixer = PadMixer(Kit(name: "one", pads: [Pad(name: "a", volume: 0.5)]), [steady], volume: 0.5)
    mixer.strike(0)
    #expect(mixer.rendered(1) == [1.0 / 64, 1.0 / 64])
    mixer.volume = 1
    #expect(mixer.rendered(200).last == 0.125)
    mixer.set(volume: 1, of: 0)
    #expect(mixer.rendered(200).last == 1)
  }

  @Test("a hundred hits between two frames are one")
  func burst() {
    var mixer = PadMixer(Kit(name: "one", pads: [Pad(name: "sine")]), [Self.sine])
    for _ in 0..<100 { mixer.strike(0) }
    let made = mixer.rendered(24_000)
    #expect(stride(from: 0, to: made.count, by: 2).map { made[$0] } == Self.sine.samples)
  }
}

extension PadMixer {
  /// The next frames in stereo; fewer where all has been heard.
  mutating func rendered(_ frames: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: frames * 2) { buffer, count in
      var span = OutputSpan(buffer: buffer, initializedCount: 0)
      render(into: &span)
      count = span.finalize(for: buffer)
    }
  }
}

/// A pad of polyphony 1 that is struck again and again, at times before its fade is over, and what comes of that.
private struct Struck {
  private(set) var largestStep: Float = 0
  /// How often a sound was cut off.
  private(set) var restarts = 0
  /// The largest step of a straight line, in the time of a fade, from what was heard at a hit to where the sound is after the fade.
  private(set) var steepestWay: Float = 0

  init(_ sound: PadSound, hits: Int, _ random: inout SeededGenerator) {
    var mixer = PadMixer(Kit(name: "one", pads: [Pad(name: "pad")]), [sound])
    let fade = 96
    var last = PadFrame.zero
    for _ in 0..<hits {
      if mixer.voiceCount > 0 { restarts += 1 }
      let way = sound.frame(fade) - last
      steepestWay = max(steepestWay, max(way.max(), -way.min()) / Float(fade + 1))
      mixer.strike(0)
      // Now and then it is struck again before the fade is over.
      let count = Int.random(in: random.chance(20) ? 0...96 : 0...700, using: &random)
      var made = mixer.rendered(count)
      if made.count < count * 2 { made += [0, 0] }
      for frame in stride(from: 0, to: made.count, by: 2) {
        let next = PadFrame(made[frame], made[frame + 1])
        largestStep = max(largestStep, (next - last).max(), (last - next).max())
        last = next
      }
    }
  }
}

/// The mixer as one would write it who has all the time and memory there is: each sound that was ever struck, and what is still to be heard
/// of those that were cut off.
private struct NaiveMixer {
  private struct Voice {
    let pad: Int
    var gain: Float
    var frame = 0
    /// What is heard with its frames, from -1 on.
    var rest: [PadFrame] = []
  }

  private let kit: Kit
  private let sounds: [PadSound]
  private var volumes: [Double]
  private var overall = 1.0
  private var voices: [Voice] = []
  /// What is still to be heard of others.
  private var ends: [[PadFrame]] = []
  private let fade = 96

  init(_ kit: Kit, _ sounds: [PadSound]) {
    (self.kit, self.sounds, volumes) = (kit, sounds, kit.pads.map(\.volume))
  }

  private func gain(_ pad: Int) -> Float {
    let product = volumes[pad] * overall
    return Float(product * product * product)
  }

  mutating func strike(_ pad: Int) {
    for voice in voices where voice.pad != pad && isChoked(voice.pad, by: pad) { end(voice) }
    voices = voices.filter { $0.pad == pad || !isChoked($0.pad, by: pad) }
    var new = Voice(pad: pad, gain: gain(pad))
    let isFull = voices.count { $0.pad == pad } >= kit.pads[pad].polyphony
    if let old = voices.firstIndex(where: { isFull ? $0.pad == pad : voices.count == 64 }) {
      let rest = rest(of: voices.remove(at: old), beside: new)
      if sounds[pad].frames > fade { new.rest = rest } else { ends.append(Array(rest.dropFirst())) }
    }
    voices.append(new)
  }

  private func isChoked(_ pad: Int, by other: Int) -> Bool {
    kit.pads[pad].choke != nil && kit.pads[pad].choke == kit.pads[other].choke
  }

  /// What would be heard of a voice at one of its frames.
  private func whole(_ voice: Voice, _ frame: Int) -> PadFrame {
    let rest = voice.rest.indices.contains(frame + 1) ? voice.rest[frame + 1] : .zero
    return sounds[voice.pad].frame(frame) * voice.gain + rest
  }

  /// The frames that fade, from -1 on, so that the sum with the new sound makes no step that is too large.
  private func rest(of old: Voice, beside new: Voice?) -> [PadFrame] {
    guard old.frame > 0 || !old.rest.isEmpty else { return [] }
    var rest = [whole(old, old.frame - 1)]
    for step in 0..<fade {
      let level = Float(fade - step) / Float(fade + 1)
      rest.append(
        old.frame == 0
          ? whole(Voice(pad: old.pad, gain: 0, rest: old.rest), step) : whole(old, old.frame + step) * level)
    }
    let own = abs(old.gain) * sounds[old.pad].largestStep
    let most = max(own, (new?.gain ?? 0) * (new.map { sounds[$0.pad].largestStep } ?? 0))
    let beginning = (-1...fade).map { frame in new.map { whole($0, frame) } ?? .zero }
    for channel in 0..<2 { limit(&rest, beginning, channel, most) }
    return rest
  }

  private func limit(_ rest: inout [PadFrame], _ new: [PadFrame], _ channel: Int, _ most: Float) {
    let end = new[fade + 1][channel]
    let most = max(most, abs(rest[0][channel] - end) / Float(fade + 1))
    for step in 1...fade {
      let before = rest[step - 1][channel] + new[step - 1][channel]
      let left = Float(fade + 1 - step) * most
      var sum = rest[step][channel] + new[step][channel]
      sum = max(sum, before - most, end - left)
      sum = min(sum, before + most, end + left)
      rest[step][channel] = sum - new[step][channel]
    }
  }

  private mutating func end(_ voice: Voice) { ends.append(Array(rest(of: voice, beside: nil).dropFirst())) }

  mutating func stop() {
    for voice in voices { end(voice) }
    voices = []
  }

  mutating func drop() { (voices, ends) = ([], []) }

  mutating func set(volume: Double, of pad: Int) { change { $0.volumes[pad] = volume } }

  mutating func setOverall(_ volume: Double) { change { $0.overall = volume } }

  /// A sound goes on at its new gain, and the difference to the old one fades.
  private mutating func change(_ body: (inout Self) -> Void) {
    body(&self)
    for index in voices.indices {
      let voice = voices[index]
      voices[index].gain = gain(voice.pad)
      if voice.frame > 0 {
        end(Voice(pad: voice.pad, gain: voice.gain - gain(voice.pad), frame: voice.frame))
      }
    }
  }

  mutating func render(_ count: Int) -> [Float] {
    var made: [Float] = []
    for step in 0..<count {
      var sum = PadFrame.zero
      for index in voices.indices {
        sum += whole(voices[index], voices[index].frame)
        voices[index].frame += 1
      }
      voices = voices.filter { $0.frame < sounds[$0.pad].frames }
      for end in ends where step < end.count { sum += end[step] }
      made += [sum.x, sum.y]
    }
    ends = ends.map { Array($0.dropFirst(count)) }.filter { !$0.isEmpty }
    return made
  }
}
