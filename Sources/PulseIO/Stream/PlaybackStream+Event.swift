// SPDX-License-Identifier: MIT
import AgentLoop
package import AudioModel

extension PlaybackStream {
  /// What happens to a stream.
  package enum Event: Sendable, Equatable {
    /// The server has made it; it sounds unless it is corked.
    case ready
    /// The server began to play what was written: at the start, or again after a flush or an underflow.
    case started
    /// Nothing was there to play; silence is heard until more is written.
    case underflow
    /// The stream now goes to another output, and has been corked because of that. Whoever handles this event finds out
    /// what happened to the old output and whether the stream may sound on the new one.
    case moved(to: Sink.Index)
    /// The output was suspended, or works again.
    case suspended(Bool)
    /// The server asks us to be silent for something more important, such as a call.
    case corkRequested
    /// What was more important is over; the stream may sound again.
    case uncorkRequested
    /// The stream no longer exists: somebody ordered its end, or the server went away. No event comes after this.
    case ended(PulseError)
  }
}
