// SPDX-License-Identifier: MIT
internal import CFence
package import ReaderModel

/// Closes this process in, so that a file that takes it over gains nothing: it keeps one socket, the memory it has and
/// a few system calls. It can open no file, reach no network and start no program.
package enum Fence {
  /// Puts up every part that the kernel allows, and returns which those are. Everything that needs a file has to be
  /// loaded before. Call it while the process has one thread; it can't be undone.
  package static func close(around socket: Int32) -> ReaderFence {
    cfence_close_others(socket)
    cfence_forget_handlers()
    var standing: ReaderFence = []
    if cfence_limit() { standing.insert(.limits) }
    if cfence_hide() { standing.insert(.privacy) }
    if cfence_forget_paths() { standing.insert(.paths) }
    if cfence_filter_calls() { standing.insert(.calls) }
    return standing
  }

  /// Whether the process that made the socket has ended, or is not the one that started this one. Ask after `close`, from when on this
  /// process ends with its parent.
  package static func hasLostParent(behind socket: Int32) -> Bool { cfence_is_orphan(socket) }

  /// Whether this build has a fence at all. Sanitized ones have none, because a sanitizer needs what it refuses.
  package static var isBuilt: Bool { cfence_is_built() }
}
