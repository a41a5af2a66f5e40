// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import PulseIO

// Reports the end of one track and the beginning of another when the listener gets there.
extension SoundEngine {
  /// Which playings the frames of an output belong to, and what comes after them.
  func table(of output: Output) -> SoundTable {
    output.table(before: outputs.count > 1 ? outputs[1] : nil, exhausted: exhausted)
  }

  /// Reports the boundaries that have been heard, and sets a timer for the next one.
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

  /// Reports the failure of a sound that broke off. Only now has the listener heard all that there was of it.
  private func left(_ play: UInt64) {
    if let error = breaks.removeValue(forKey: play) { report(.failed(play: play, error)) }
  }

  private func beginNextStream() {
    outputs.removeFirst()
    guard let output = outputs.first else { return }
    if isSounding { output.uncork() }
    sync(output, started: false)
    // Events of a stream that waits are not passed on. So its owner looks at it now: a call may have muted it, or it may be on
    // another output.
    if output.stream?.index != nil { report(.stream(.ready)) }
  }
}
