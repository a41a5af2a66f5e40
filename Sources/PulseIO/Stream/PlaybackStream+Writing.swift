// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import CPulse

extension PlaybackStream {
  func write(upTo room: Int) {
    var left = room
    while left >= format.bytesPerFrame {
      let bytes = writeOnce(upTo: left)
      if bytes == 0 { return }
      left -= bytes
    }
  }

  /// Lets `fill` write into memory that libpulse provides for the server, so that nothing is copied twice. Returns how
  /// many bytes were written.
  private func writeOnce(upTo room: Int) -> Int {
    var memory: UnsafeMutableRawPointer?
    var size = room
    guard unsafe pa_stream_begin_write(raw, &memory, &size) == 0, let memory = unsafe memory else { return 0 }
    let capacity = min(size, room) / format.bytesPerFrame * format.channels
    let samples = unsafe UnsafeMutableBufferPointer(
      start: memory.bindMemory(to: Float.self, capacity: capacity), count: capacity)
    var span = unsafe OutputSpan(buffer: samples, initializedCount: 0)
    fill(&span)
    let count = unsafe span.finalize(for: samples)
    precondition(count.isMultiple(of: format.channels), "a torn frame")
    guard count > 0 else {
      unsafe pa_stream_cancel_write(raw)
      return 0
    }
    let bytes = count * MemoryLayout<Float>.size
    unsafe pa_stream_write(raw, memory, bytes, nil, Int64(offset), PA_SEEK_RELATIVE)
    offset = 0
    unasked = max(0, unasked - bytes)
    written += count / format.channels
    return bytes
  }
}
