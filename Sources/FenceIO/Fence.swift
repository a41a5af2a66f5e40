// SPDX-License-Identifier: MIT
internal import CFence
package import ReaderModel

/// Restricts this process as far as the kernel allows, so that a malicious file that takes it over gains little. With all restrictions it keeps one
/// socket, standard error, its memory and a few system calls: it can open no file, reach no network and start no program.
package enum Fence {
  /// Puts all restrictions in place that the kernel allows, and returns which those are. Load everything that needs a file before. Call it while the
  /// process has only one thread; it can't be undone.
  ///
  /// `session` is empty, or has a descriptor by which another process can give this process's session a low priority. The caller has to close it.
  package static func close(around socket: Int32) -> (fence: ReaderFence, session: [Int32]) {
    cfence_close_others(socket)
    let session = cfence_open_session()
    cfence_forget_handlers()
    var standing: ReaderFence = []
    if cfence_limit() { standing.insert(.limits) }
    if cfence_hide() { standing.insert(.privacy) }
    if cfence_forget_paths() { standing.insert(.paths) }
    if cfence_filter_calls() { standing.insert(.calls) }
    return (standing, session < 0 ? [] : [session])
  }

  /// Whether the process that made the socket has ended, or is not the one that started this one. Call it after `close`: from then on, this process
  /// ends when its parent does.
  package static func hasLostParent(behind socket: Int32) -> Bool { cfence_is_orphan(socket) }

  /// Whether this build has restrictions at all. Builds with a sanitizer have none, because sanitizers need what would be forbidden.
  package static var isBuilt: Bool { cfence_is_built() }
}
