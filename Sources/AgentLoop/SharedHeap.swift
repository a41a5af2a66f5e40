// SPDX-License-Identifier: MIT
import CLinux

extension AgentLoop {
  /// Makes all threads take their memory from one heap, from now on. Call this before the second thread begins.
  ///
  /// By itself the C library gives each thread a heap of its own, which keeps what that thread once needed. That is of no use to a
  /// few threads that seldom ask for memory at the same time.
  package nonisolated static func shareHeap() { mallopt(M_ARENA_MAX, 1) }
}
