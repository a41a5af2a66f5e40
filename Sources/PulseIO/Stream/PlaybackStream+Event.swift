// SPDX-License-Identifier: MIT
import AgentLoop
package import AudioModel

extension PlaybackStream {
  /// What happens to a stream.
  package enum Event: Sendable, Equatable {
    /// The server has made it; it sounds unless it is corked.
    case ready
    /// The server began to play what was written, after the making, a flush or an underflow.
    case started
    /// Nothing was there to play; silence is heard until more is written.
    case underflow
    /// It now goes to another output, and is corked for that. What happened to the old one is for others to find out, and whether
    /// it may sound there.
    case moved(to: Sink.Index)
    /// The output was suspended, or works again.
    case suspended(Bool)
    /// The server asks to be silent for something more important.
    case corkRequested
    /// What was more important is over.
    case uncorkRequested
    /// It exists no more: ended by somebody's order, or with the server. Nothing comes after this.
    case ended(PulseError)
  }
}
