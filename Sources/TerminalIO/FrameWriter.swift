// SPDX-License-Identifier: MIT
import Glibc

/// Writes frames to a terminal that may be slow, and never blocks.
///
/// While bytes of one frame wait, only the newest of the later frames is kept. When it is painted, it is compared with the frame that was really
/// sent. So a slow terminal skips frames instead of falling behind. It does not own the descriptor.
package struct FrameWriter<Frame> {
  /// Returns the bytes that change a terminal from showing the first frame to showing the second. The first is nil if it is not known what the
  /// terminal shows.
  package typealias Paint = (Frame?, Frame) -> [UInt8]

  private let descriptor: Int32
  /// The frame that the terminal shows once all bytes are written.
  private var sent: Frame?
  private var newest: Frame?
  private var bytes: [UInt8] = []
  private var written = 0

  package private(set) var isGone = false

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether bytes or a frame wait until the terminal can take more. If so, call `goOn` when the descriptor is writable.
  package var isWaiting: Bool { hasBytes || newest != nil }

  private var hasBytes: Bool { written < bytes.count }

  /// Shows a frame: at once, or when the waiting bytes are written.
  package mutating func show(_ frame: Frame, _ paint: Paint) {
    newest = frame
    if !hasBytes { paintNewest(paint) }
  }

  /// Writes waiting bytes, and then the newest frame.
  package mutating func goOn(_ paint: Paint) {
    writeSome()
    if !hasBytes { paintNewest(paint) }
  }

  /// Writes other bytes, such as a title or a question, after the waiting ones.
  package mutating func send(_ more: [UInt8]) {
    bytes += more
    writeSome()
  }

  /// Forgets what the terminal shows. The next frame is painted whole, after the bytes that wait: it would be lost behind half a control sequence.
  package mutating func forget() { sent = nil }

  /// Forgets what the terminal shows, and drops the bytes that wait. Call it only if a control sequence that was half sent has been ended by somebody
  /// else.
  package mutating func abandon() { (sent, bytes, written) = (nil, [], 0) }

  private mutating func paintNewest(_ paint: Paint) {
    guard let frame = newest else { return }
    newest = nil
    bytes += paint(sent, frame)
    sent = frame
    writeSome()
  }

  private mutating func writeSome() {
    while hasBytes {
      // The array is not empty, so it has an address.
      let count = unsafe bytes.withUnsafeBytes {
        unsafe write(descriptor, $0.baseAddress! + written, $0.count - written)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        isGone = true
        break
      }
    }
    (bytes, written) = ([], 0)
  }
}
