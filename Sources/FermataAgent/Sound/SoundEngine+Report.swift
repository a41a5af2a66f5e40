// SPDX-License-Identifier: MIT
import AgentLoop
package import DecodeIO
package import PulseIO

extension SoundEngine {
  /// What the engine tells its owner.
  package enum Report {
    /// A playing was opened. Its length is exact if the file states it; otherwise it is an estimate, or nil.
    case opened(play: UInt64, length: Duration?, isExact: Bool)
    /// Where the listener was just now, and whether the sound was moving.
    case position(play: UInt64, Duration, isMoving: Bool)
    /// The server took frames of what is heard.
    case progressed
    /// The first frame of this playing is heard now.
    case heard(play: UInt64)
    /// The last frame of this playing was heard, and nothing followed.
    case ended(play: UInt64)
    /// A sound could not be opened, or not be decoded to its end; all that was decoded of it has been heard.
    case failed(play: UInt64, DecodeError)
    /// True: the source does not deliver, and the buffer is dry. False: it delivers again.
    case stalled(Bool)
    /// Something happened to the stream that is heard.
    case stream(PlaybackStream.Event)
  }
}
