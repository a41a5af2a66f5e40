// SPDX-License-Identifier: MIT
import CLinux

extension AgentLoop {
  /// Has all threads take their memory from one heap, from now on.
  ///
  /// By itself the C library gives each thread a heap of its own, which keeps what that thread once needed. Few threads that
  /// seldom ask for memory at the same time have no use for that. To be called before the second thread begins.
  package nonisolated static func shareHeap() { mallopt(M_ARENA_MAX, 1) }
}
