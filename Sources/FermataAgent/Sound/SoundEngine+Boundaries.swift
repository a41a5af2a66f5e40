// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import PulseIO

// Where one track ends and another begins, as the listener comes there.
extension SoundEngine {
  /// What is heard of an output, and what comes behind it.
  func table(of output: Output) -> SoundTable {
    output.table(before: outputs.count > 1 ? outputs[1] : nil, exhausted: exhausted)
  }

  /// Tells of the boundaries that have been heard, and sees to it that the next one is told of in its time.
  func watchBoundary() {
    boundary?.cancel()
    while let output = outputs.first, let heard = output.heard(at: AgentLoop.now) {
      switch listener.step(at: heard, in: table(of: output)) {
      case .heard(let play): report(.heard(play: play))
      case .left(let play): left(play)
      case .nextStream: beginNextStream()
      case .ended(let play):
        exhausted = nil
        isOver = true
        report(.ended(play: play))
      case .wait(let frames): return wait(for: frames, of: output)
      case nil: return
      }
    }
  }

  private func wait(for frames: Int, of output: Output) {
    guard output.timing?.isMoving == true else { return }
    boundary = AgentLoop.after(output.format.duration(ofFrames: frames)) { [weak self] in
      self?.watchBoundary()
    }
  }

  /// A sound that broke off fails here, where the listener has heard all that there was of it.
  private func left(_ play: UInt64) {
    if let error = breaks.removeValue(forKey: play) { report(.failed(play: play, error)) }
  }

  private func beginNextStream() {
    outputs.removeFirst()
    guard let output = outputs.first else { return }
    if isSounding { output.uncork() }
    sync(output, started: false)
    // While it waited nobody was told of it: a call may have it muted, and it may stand elsewhere.
    if output.stream?.index != nil { report(.stream(.ready)) }
  }
}
