// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import DecodeIO
import PulseIO

// Handles what the producer tells.
extension SoundEngine {
  /// How much a stream needs before it begins to sound: no more than a decoder's first piece.
  nonisolated static let startLength = Duration.milliseconds(150)

  func takeEvents() { for event in producer?.takeEvents() ?? [] { take(event) } }

  private func take(_ event: ProducerEvent) {
    switch event {
    case .began(let part, let segment): began(part, in: segment)
    case .more(let segment): outputs.first { $0.contains(segment) }?.refill()
    case .failed(let play, let error):
      if starting?.id == play { starting = nil }
      report(.failed(play: play, error))
    case .exhausted(let play) where isLost(play): break
    case .broke(let play, let error):
      // Failures are forgotten if their playing is in no output any more: it was taken back, or left before its end.
      breaks = breaks.filter { broken, _ in outputs.contains { $0.contains(broken) } }
      breaks[play] = error
    case .exhausted(let play):
      exhausted = play
      outputs.last?.finish()
      watchBoundary()
    case .cut(let segment, let frame): cut(segment, at: frame)
    }
  }

  /// Whether a playing will not be heard, because its stream could not be made.
  private func isLost(_ play: UInt64) -> Bool {
    guard let last = exhausted, last != play else { return false }
    return !outputs.contains { $0.contains(play) }
  }

  private func began(_ part: SoundSegment.Part, in segment: SoundSegment) {
    let length = part.length.frames.map { segment.format.duration(ofFrames: $0) }
    report(.opened(play: part.track, length: length, isExact: part.length.exactFrames != nil))
    starting = nil
    exhausted = nil
    isOver = false
    prepareSoon()
    if let output = outputs.first(where: { $0.contains(segment) }) {
      if output.timing == nil { sync(output, started: false) }
      return watchBoundary()
    }
    if let last = outputs.last, last.format == segment.format {
      last.append(segment)
      last.refill()
      // A stream that was cleared, and filled again before it ran dry, reports nothing by itself, so it is asked.
      if last.timing == nil { sync(last, started: false) }
    } else {
      // An output that was cleared is dropped at once; any other is heard to its end first.
      if outputs.first?.isEmpty == true { outputs = [] }
      outputs.last?.finish()
      open(Output(format: segment.format) { [weak self] in self?.tookFrames(wantsMore: $0) }, for: segment)
    }
    watchBoundary()
  }

  private func open(_ output: Output, for segment: SoundSegment) {
    output.append(segment)
    var settings = PlaybackStream.Settings(name: "Music", format: segment.format)
    // The server takes half of this at once: two seconds, the most that outputs have room for.
    settings.bufferLength = .milliseconds(4_040)
    settings.startLength = Self.startLength
    settings.startsCorked = !(isSounding && outputs.isEmpty)
    settings.volume = volume
    settings.properties = properties
    do throws(PulseError) {
      try output.open(on: server, settings) { [weak self, weak output] event in
        if let output { self?.handle(event, of: output) }
      }
      outputs.append(output)
    } catch {
      report(.stream(.ended(error)))
    }
  }

  private func tookFrames(wantsMore: Bool) {
    if wantsMore { producer?.resume() }
    if isSounding { report(.progressed) }
  }

  private func cut(_ segment: SoundSegment, at frame: Int) {
    guard let index = outputs.firstIndex(where: { $0.contains(segment) }) else { return }
    outputs.removeSubrange((index + 1)...)
    outputs[index].cut(segment, at: frame)
    watchBoundary()
  }
}
