// SPDX-License-Identifier: MIT
import Glibc

/// Writes frames to a terminal that may be slow, and never blocks.
///
/// While bytes of one frame wait, only the newest of the later ones is kept. It is painted over what was really sent, so that a slow
/// terminal skips frames instead of falling behind. It does not own the descriptor.
package struct FrameWriter<Frame> {
  /// The bytes that make a terminal that shows the one frame show the other; nil is a terminal about which nothing is known.
  package typealias Paint = (Frame?, Frame) -> [UInt8]

  private let descriptor: Int32
  /// What the terminal shows when all bytes are written.
  private var sent: Frame?
  private var newest: Frame?
  private var bytes: [UInt8] = []
  private var written = 0

  /// Whether nobody is at the other end any more.
  package private(set) var isGone = false

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Whether bytes wait until the terminal takes more. Then call `goOn` when the descriptor is writable.
  package var isWaiting: Bool { written < bytes.count }

  /// Shows a frame, at once or when the terminal has taken what waits.
  package mutating func show(_ frame: Frame, _ paint: Paint) {
    newest = frame
    if !isWaiting { paintNewest(paint) }
  }

  /// Writes what waits, and then the newest frame.
  package mutating func goOn(_ paint: Paint) {
    writeSome()
    if !isWaiting { paintNewest(paint) }
  }

  /// Writes other bytes behind what waits: a title, a question.
  package mutating func send(_ more: [UInt8]) {
    bytes += more
    writeSome()
  }

  /// Forgets what the terminal shows. The next frame is painted whole.
  package mutating func forget() { (sent, bytes, written) = (nil, [], 0) }

  private mutating func paintNewest(_ paint: Paint) {
    guard let frame = newest else { return }
    newest = nil
    bytes += paint(sent, frame)
    sent = frame
    writeSome()
  }

  private mutating func writeSome() {
    while written < bytes.count {
      // There is a byte to write, so the array has an address.
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
