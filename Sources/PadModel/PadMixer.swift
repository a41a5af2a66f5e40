// SPDX-License-Identifier: MIT

/// Mixes the sounds of pads that were struck.
///
/// A value without side effects: pads are struck, and `render` writes the next frames, in stereo. It allocates nothing after it was made. A sound
/// that ends early (because it is struck again, choked, stopped, or pushed out by a 65th sound) fades out over 2 ms beside the sound that begins, so
/// that nothing clicks. When a volume changes, the difference fades out in the same way.
package struct PadMixer: Sendable {
  /// How many sounds may be heard at a time, not counting those that fade out.
  package static let mostVoices = 64
  /// How long a sound that is cut off takes to fade out.
  package static let fadeTime = Duration.milliseconds(2)
  package static let channels = 2

  /// The sample rate of all sounds, and of the frames that are rendered.
  package let rate: Int

  private let sounds: [PadSound]
  private let polyphony: [Int]
  /// The number of each pad's choke group; negative if it has none.
  private let group: [Int]
  private var volumes: [Double]
  private var overall: Double
  /// The factor for each pad's samples.
  private var gains: [Float]
  /// The sounds that are heard, the oldest first.
  private var voices: [Voice] = []
  private var fades: FadeOut

  private struct Voice {
    let pad: Int
    /// The sound's next frame.
    var frame: Int
  }

  /// A mixer of this kit, silent. `sounds` are the sounds of its pads, in their order; they are resampled to one rate here. Traps unless there is one
  /// for each pad. Resampling is slow, so make it on a thread that may block.
  package init(_ kit: Kit, _ sounds: [PadSound], volume: Double = 1) {
    precondition(kit.pads.count == sounds.count, "\(sounds.count) sounds for \(kit.pads.count) pads")
    let rate = PadSound.commonRate(of: sounds)
    self.rate = rate
    self.sounds = sounds.map { $0.resampled(to: rate) }
    polyphony = kit.pads.map(\.polyphony)
    let names = kit.pads.map(\.choke)
    group = names.map { name in name.flatMap { name in names.firstIndex(of: name) } ?? -1 }
    volumes = kit.pads.map(\.volume)
    overall = volume
    gains = kit.pads.map { Self.gain($0.volume, volume) }
    fades = FadeOut(frames: rate * 2 / 1_000)
    voices.reserveCapacity(Self.mostVoices)
  }

  package var pads: Int { sounds.count }

  /// How many sounds are heard, not counting those that fade out.
  package var voiceCount: Int { voices.count }

  /// Whether all frames are silent until a pad is struck.
  package var isSilent: Bool { voices.isEmpty && fades.left == 0 }

  // MARK: Orders

  /// Strikes a pad, counted from 0: its sound begins with the next frame that is rendered. Traps if there is no such pad.
  package mutating func strike(_ pad: Int) {
    precondition(sounds.indices.contains(pad), "there is no pad \(pad)")
    let group = group
    if group[pad] >= 0 { fadeAll { $0.pad != pad && group[$0.pad] == group[pad] } }
    if voices.count(where: { $0.pad == pad }) >= polyphony[pad] { fadeOldest { $0.pad == pad } }
    if voices.count == Self.mostVoices { fadeOldest { _ in true } }
    if sounds[pad].frames > 0 { voices.append(Voice(pad: pad, frame: 0)) }
  }

  /// Fades all sounds out.
  package mutating func stop() { fadeAll { _ in true } }

  /// Ends all sounds without a fade; for when nobody can hear them any more.
  package mutating func drop() {
    voices.removeAll(keepingCapacity: true)
    fades.clear()
  }

  /// The volume of all pads, from 0 to 1, on the scale of a volume slider.
  package var volume: Double {
    get { overall }
    set {
      overall = newValue
      for pad in gains.indices { setGain(pad) }
    }
  }

  /// The volume of a pad, counted from 0.
  package func volume(of pad: Int) -> Double { volumes[pad] }

  package mutating func set(volume: Double, of pad: Int) {
    volumes[pad] = volume
    setGain(pad)
  }

  private mutating func setGain(_ pad: Int) {
    let new = Self.gain(volumes[pad], overall)
    for voice in voices where voice.pad == pad {
      fades.add(sounds[pad], from: voice.frame, gain: gains[pad] - new)
    }
    gains[pad] = new
  }

  /// The factor for samples of a pad at its own volume and the volume of all. Sound servers cube the number that a slider shows, which is close to
  /// how loudness is perceived. The same is done here, so that a volume means the same in both.
  private static func gain(_ volume: Double, _ overall: Double) -> Float {
    let product = volume * overall
    return Float(product * product * product)
  }

  private mutating func fadeOldest(where isMeant: (Voice) -> Bool) {
    guard let index = voices.firstIndex(where: isMeant) else { return }
    fade(voices.remove(at: index))
  }

  private mutating func fadeAll(where isMeant: (Voice) -> Bool) {
    for index in voices.indices.reversed() where isMeant(voices[index]) { fade(voices.remove(at: index)) }
  }

  private mutating func fade(_ voice: Voice) {
    fades.add(sounds[voice.pad], from: voice.frame, gain: gains[voice.pad])
  }

  // MARK: Rendering

  /// Appends the next frames, as many as there is room for. When everything has faded out it appends none: silence is not written.
  package mutating func render(into output: inout OutputSpan<Float>) {
    let frames = min(output.freeCapacity / Self.channels, framesLeft)
    guard frames > 0 else { return }
    let start = output.count
    output.append(repeating: 0, count: frames * Self.channels)
    var span = output.mutableSpan
    for index in voices.indices {
      let voice = voices[index]
      let count = min(frames, sounds[voice.pad].frames - voice.frame)
      sounds[voice.pad].add(from: voice.frame, count, gain: gains[voice.pad], to: &span, at: start)
      voices[index].frame += count
    }
    fades.take(frames, to: &span, at: start)
    voices.removeAll { $0.frame == sounds[$0.pad].frames }
  }

  /// How many frames are left until everything has been heard.
  private var framesLeft: Int { voices.reduce(fades.left) { max($0, sounds[$1.pad].frames - $1.frame) } }
}

/// The sum of all sounds that fade out. It is computed when a fade begins, so any number of fades takes the same memory.
private struct FadeOut: Sendable {
  private let length: Int
  /// The summed frames in stereo, as a ring buffer.
  private var sum: [Float]
  private var place = 0
  /// How many frames of the buffer are not silent.
  private(set) var left = 0

  init(frames: Int) {
    length = frames
    sum = [Float](repeating: 0, count: frames * PadMixer.channels)
  }

  /// Adds a sound that becomes silent within the length of a fade, from this frame of it on. Does nothing for a sound of which no frame was heard
  /// yet.
  mutating func add(_ sound: PadSound, from start: Int, gain: Float) {
    guard start > 0, gain != 0 else { return }
    let count = min(length, sound.frames - start)
    for step in 0..<max(0, count) {
      let level = gain * Float(length - step) / Float(length + 1)
      let target = (place + step) % length * PadMixer.channels
      let (first, second) = sound.frame(start + step)
      sum[target] += first * level
      sum[target + 1] += second * level
    }
    left = max(left, count)
  }

  /// Adds the next faded frames to `output`, from frame `start` on.
  mutating func take(_ frames: Int, to output: inout MutableSpan<Float>, at start: Int) {
    let count = min(frames, left)
    for frame in 0..<count {
      for channel in 0..<PadMixer.channels {
        let index = place * PadMixer.channels + channel
        output[start + frame * PadMixer.channels + channel] += sum[index]
        sum[index] = 0
      }
      place = place + 1 == length ? 0 : place + 1
    }
    left -= count
  }

  mutating func clear() {
    for index in sum.indices { sum[index] = 0 }
    left = 0
  }
}

extension PadSound {
  /// The left and the right sample of a frame.
  fileprivate func frame(_ frame: Int) -> (Float, Float) {
    channels == 1
      ? (samples[frame], samples[frame]) : (samples[frame * 2], samples[frame * 2 + 1])
  }

  /// Adds some frames of the sound, multiplied by `gain`, to a stereo mix, from frame `start` of the mix on.
  fileprivate func add(
    from first: Int, _ count: Int, gain: Float, to mix: inout MutableSpan<Float>, at start: Int
  ) {
    let source = samples.span
    if channels == 2 {
      for index in 0..<count * 2 { mix[start + index] += source[first * 2 + index] * gain }
      return
    }
    for frame in 0..<count {
      let sample = source[first + frame] * gain
      mix[start + frame * 2] += sample
      mix[start + frame * 2 + 1] += sample
    }
  }
}
