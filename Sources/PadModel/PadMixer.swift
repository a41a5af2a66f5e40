// SPDX-License-Identifier: MIT

/// Mixes the sounds of pads that were struck.
///
/// A value without side effects: pads are struck, and `render` writes the next frames, in stereo. It allocates nothing after it was made. A sound
/// that ends early (because it is struck again, choked, stopped, or pushed out by a 65th sound) fades out over 2 ms beside the sound that begins, so
/// that nothing clicks. When a volume changes, the difference fades out in the same way.
package struct PadMixer: Sendable {
  /// How many sounds may be heard at a time, not counting those that fade out.
  package static let mostVoices = 64
  package static let channels = 2

  /// The sample rate of all sounds, and of the frames that are rendered.
  package let rate: Int

  private let sounds: [PadSound]
  private let polyphony: [Int]
  /// The number of each pad's choke group, whose pads silence each other; negative if it has none.
  private let group: [Int]
  private var volumes: [Double]
  private var overall: Double
  /// The factor by which each pad's samples are multiplied, from its volume.
  private var gains: [Float]
  /// The largest step between two frames of each pad's sound. A fade keeps to it where it can, as larger steps are heard as clicks.
  private let steps: [Float]
  /// The sounds that are heard, the oldest first.
  private var voices: [Voice] = []
  /// The fading ends of sounds that a new one cut off, each heard with the new one's beginning. All are made once, and used again.
  private var rests: [PadRest]
  /// The indices of the `rests` that no voice uses.
  private var freeRests: [Int]
  private var fades: FadeOut

  private struct Voice {
    let pad: Int
    /// The sound's frame that is heard next.
    var frame = 0
    /// The index in `rests` of the fading end that is heard with this sound's first frames: that of the sound that it cut off.
    var rest: Int?
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
    steps = self.sounds.map(\.largestStep)
    let fade = rate * 2 / 1_000
    // One more than there are voices: if all have a rest, a new one is made before an old one is free.
    rests = (0...Self.mostVoices).map { _ in PadRest(length: fade) }
    freeRests = Array(rests.indices)
    fades = FadeOut(length: fade)
    voices.reserveCapacity(Self.mostVoices)
  }

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
    var voice = Voice(pad: pad)
    if let old = oldestToMakeRoom(for: pad) { voice.rest = takePlace(of: voices.remove(at: old), by: pad) }
    if sounds[pad].frames > 0 { voices.append(voice) }
  }

  /// The index of the voice that has to end if this pad is struck; nil if there is room for one more.
  private func oldestToMakeRoom(for pad: Int) -> Int? {
    if voices.count(where: { $0.pad == pad }) >= polyphony[pad] {
      return voices.firstIndex { $0.pad == pad }
    }
    return voices.count == Self.mostVoices ? 0 : nil
  }

  /// Cuts off a voice, because `pad` is struck. Returns the index of its rest (its fading end) if that is to be heard with the pad's sound.
  private mutating func takePlace(of old: Voice, by pad: Int) -> Int? {
    guard let rest = rest(of: old, before: pad) else { return nil }
    // A sound that is over before the fade can't carry it to its end, so the rest is heard by itself.
    if sounds[pad].frames > fades.length { return rest }
    leave(rest)
    return nil
  }

  /// Fades all sounds out.
  package mutating func stop() { fadeAll { _ in true } }

  /// Ends all sounds without a fade; for when nobody can hear them any more.
  package mutating func drop() {
    for voice in voices { release(voice.rest) }
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
    let difference = gains[pad] - new
    gains[pad] = new
    guard difference != 0 else { return }
    for voice in voices where voice.pad == pad && voice.frame > 0 {
      leave(rest(of: CutOff(sound: sounds[pad], frame: voice.frame, gain: difference), pad))
    }
  }

  /// The factor for a pad's samples, from the pad's own volume and the volume of all pads. Sound servers cube the number that a slider shows, which
  /// is close to how loudness is perceived. The same is done here, so that a volume means the same in both.
  private static func gain(_ volume: Double, _ overall: Double) -> Float {
    let product = volume * overall
    return Float(product * product * product)
  }

  private mutating func fadeAll(where isMeant: (Voice) -> Bool) {
    for index in voices.indices.reversed() where isMeant(voices[index]) {
      if let rest = rest(of: voices.remove(at: index), before: nil) { leave(rest) }
    }
  }

  // MARK: Rests

  /// Ends a voice, and makes its rest (its fading end), to be heard with the beginning of `pad`'s sound, or by itself without a pad. Returns the
  /// rest's index; nil if nothing was heard of the voice.
  private mutating func rest(of old: Voice, before pad: Int?) -> Int? {
    defer { release(old.rest) }
    let earlier = old.rest.map { rests[$0] }
    guard old.frame > 0 || earlier != nil else { return nil }
    let cut = CutOff(sound: sounds[old.pad], frame: old.frame, gain: gains[old.pad], rest: earlier)
    return rest(of: cut, old.pad, before: pad)
  }

  /// Makes the rest (the fading end) of a sound of the pad `old` that is cut off, to be heard with the beginning of `pad`'s sound, or by itself
  /// without a pad. Returns its index.
  private mutating func rest(of cut: CutOff, _ old: Int, before pad: Int? = nil) -> Int {
    let number = freeRests.removeLast()
    let step = abs(cut.gain) * steps[old]
    if let pad {
      rests[number].make(
        of: cut, beside: sounds[pad], gain: gains[pad], step: max(step, gains[pad] * steps[pad]))
    } else {
      rests[number].make(of: cut, beside: nil, gain: 0, step: step)
    }
    return number
  }

  /// Lets a rest (the fading end of a sound) be heard by itself, with no new sound.
  private mutating func leave(_ rest: Int) {
    fades.add(rests[rest])
    release(rest)
  }

  private mutating func release(_ rest: Int?) { if let rest { freeRests.append(rest) } }

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
      if let rest = voice.rest {
        rests[rest].add(from: voice.frame, count, to: &span, at: start)
        // The rest is kept for one frame after its last one: if the voice is cut off there, it says what was heard last.
        if voices[index].frame > fades.length {
          voices[index].rest = nil
          release(rest)
        }
      }
    }
    fades.take(frames, to: &span, at: start)
    voices.removeAll { $0.frame == sounds[$0.pad].frames }
  }

  /// How many frames are left until everything has been heard.
  private var framesLeft: Int { voices.reduce(fades.left) { max($0, sounds[$1.pad].frames - $1.frame) } }
}

extension PadSound {
  /// Adds `count` frames of the sound, from `first` on and times `gain`, to the stereo samples in `mix` from index `start` on.
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
