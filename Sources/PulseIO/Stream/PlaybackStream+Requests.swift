// SPDX-License-Identifier: MIT
import AgentLoop
import CPulse

extension PlaybackStream {
  func order(
    _ operation: String,
    _ start: (OpaquePointer, pa_stream_success_cb_t, UnsafeMutableRawPointer) -> OpaquePointer?
  ) -> Reply<Void> {
    unsafe context.request(operation, collecting: ()) { _, reply in
      unsafe start(
        raw,
        { stream, isDone, reply in
          unsafe AgentLoop.assume((stream, isDone, reply)) { stream, isDone, reply in
            guard isDone == 0 else { return }
            let code = unsafe pa_context_errno(pa_stream_get_context(stream))
            unsafe Reply<Void>.from(reply).refusal = PulseError.Code(rawValue: code)
          }
        }, reply)
    }
  }

  /// Releases a request that was sent, because nobody waits for its answer. A stream that cannot obey is about to end,
  /// and reports that itself.
  func forget(_ request: OpaquePointer?) {
    if let request = unsafe request { unsafe pa_operation_unref(request) }
  }
}
