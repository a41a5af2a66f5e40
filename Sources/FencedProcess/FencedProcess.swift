// SPDX-License-Identifier: MIT
import FenceIO
import Glibc
package import ReaderIO
import ReaderModel

/// The life of a process that handles strangers' files for the agent: one that reads tags, decodes sound or measures loudness.
///
/// The agent starts it with a socket as standard input. It ends when it has had no work for a while, when the agent closes the socket, and with the agent.
package enum FencedProcess {
  /// The statuses with which these processes end.
  package enum Exit {
    package static let done: Int32 = 0
    package static let usage: Int32 = 64
    /// The agent has sent what makes no sense.
    package static let nonsense: Int32 = 65
  }

  /// Does the work of the process at the other end of standard input until there is no more, and returns the exit status.
  ///
  /// - Parameters:
  ///   - patience: how long the process waits for the next order, in seconds.
  ///   - load: loads all that the work needs. It is called before the fence is closed, because afterwards no library can be loaded and no file opened.
  ///   - serve: carries out orders until one makes no sense, and returns the exit status. Throws when the agent is gone or has no more work.
  package static func run<Loaded>(
    patience: Int, load: () -> Loaded,
    serve: (consuming PacketSocket, Loaded) throws(PacketSocket.Failure) -> Int32
  ) -> Int32 {
    let socket = PacketSocket(owning: 0)
    let loaded = load()
    socket.setPatience(patience)
    let (fence, session) = Fence.close(around: socket.descriptor)
    if Fence.hasLostParent(behind: socket.descriptor) { return Exit.done }
    do throws(PacketSocket.Failure) {
      try socket.send(ReaderGreeting(fence: fence).bytes, files: session)
      for descriptor in session { close(descriptor) }
      return try serve(socket, loaded)
    } catch {
      return error == .ended || error == .late ? Exit.done : Exit.usage
    }
  }

  /// Ends this process with a status. If it was not started by the agent, says so with the name of the program.
  package static func end(_ status: Int32, _ program: String) -> Never {
    let words = Array("\(program): fermata starts this; it is of no use alone\n".utf8)
    if status == Exit.usage { _ = write(STDERR_FILENO, words, words.count) }
    exit(status)
  }
}
