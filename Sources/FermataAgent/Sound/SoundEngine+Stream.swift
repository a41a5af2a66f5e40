// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import PulseIO

// Handles what the streams tell.
extension SoundEngine {
  func handle(_ event: PlaybackStream.Event, of output: Output) {
    guard output === outputs.first else { return handleWaiting(event, of: output) }
    switch event {
    case .ready, .started: sync(output, started: event == .started)
    case .underflow: ranDry(output)
    case .moved, .suspended: sync(output, started: false)
    case .corkRequested, .uncorkRequested: break
    case .ended: outputs = []
    }
    report(.stream(event))
    // A stream that is moved corks itself. Whoever hears the report decides whether there is to be silence; if not, it goes on here.
    if case .moved = event, isSounding { output.uncork() }
  }

  /// Handles an event of a stream that is not heard yet. Only its end matters: then it will never be heard. What it was to play is
  /// begun anew when all before it was heard.
  private func handleWaiting(_ event: PlaybackStream.Event, of output: Output) {
    guard case .ended = event, let index = outputs.firstIndex(where: { $0 === output }) else { return }
    outputs.removeSubrange(index...)
    guard let last = outputs.last, let play = last.lastPlay else { return }
    last.finish()
    exhausted = play
    watchBoundary()
  }

  func sync(_ output: Output, started: Bool) {
    if started, isStalled {
      isStalled = false
      report(.stalled(false))
    }
    AgentLoop.task { [weak self] in
      await output.updateTiming()
      self?.tellPosition(of: output)
      self?.watchBoundary()
    }
  }

  private func tellPosition(of output: Output) {
    guard output === outputs.first, output.timing != nil, let (play, position) = position else { return }
    report(.position(play: play, position, isMoving: output.timing?.isMoving == true))
  }

  /// The stream ran dry: this is the end of the sound, or the source does not keep up.
  private func ranDry(_ output: Output) {
    let isEnd = output.isDrained && (isOver || exhausted != nil || outputs.count > 1)
    if !isEnd, !isStalled, isSounding, starting == nil {
      isStalled = true
      report(.stalled(true))
    }
    output.ranDry()
    sync(output, started: false)
  }

  /// Drops a stream that the server has not made yet. Returns whether there was one. PipeWire 0.3.65 never makes a stream whose sink
  /// goes away meanwhile, and does not say so.
  func dropUnmadeStream() -> Bool {
    guard let stream, stream.index == nil else { return false }
    outputs = []
    return true
  }

  func soundingChanged() {
    guard let output = outputs.first else { return }
    if isSounding { output.uncork() } else { output.cork() }
    sync(output, started: false)
  }
}
