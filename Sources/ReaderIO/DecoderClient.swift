// SPDX-License-Identifier: MIT
package import MediaModel
package import ReaderModel
internal import Synchronization

/// Keeps the processes that decode by FFmpeg. It may be used from any thread.
///
/// A process is started when a sound needs one, and used again for the next sound. It ends by itself a minute after the last order, even if its sound
/// is only paused: when the sound goes on, its decoder takes another process.
package final class DecoderClient: SoundDecodings {
  /// Events that the owner of the client may want to tell a person.
  package enum News: Sendable, Equatable {
    /// Foreign formats can't be decoded; the value says why. Reported again only after decoding has worked.
    case missing(String)
    /// A process was started, with this release of FFmpeg.
    case began(String)
  }

  private struct State {
    var idle: [DecoderProcess] = []
    var isMissing = false
    var tell: @Sendable (News) -> Void = { _ in }
  }

  /// How many idle processes are kept: one for the current sound, and one for the sound that follows.
  private static let mostIdle = 2

  private let program: FilePath?
  private let patience: Duration
  private let state: Mutex<State>

  /// A client of the decoder program that was installed with this program, or of another one. `patience` is how long a process may compute for one
  /// order.
  package init(program: FilePath? = ReaderProgram.installed, patience: Duration = .seconds(8)) {
    (self.program, self.patience) = (program, patience)
    state = Mutex(State())
  }

  /// Sets the function that is called, on any thread, with events that a person may want to know. It replaces the one before.
  package func tell(_ body: @escaping @Sendable (News) -> Void) { state.withLock { $0.tell = body } }

  package func take() throws(DecodeFailure) -> any SoundDecoding {
    while let idle = state.withLock({ $0.idle.popLast() }) { if idle.isAlive { return idle } }
    return try start()
  }

  package func giveBack(_ decoding: any SoundDecoding) {
    guard let process = decoding as? DecoderProcess, process.isAlive else { return }
    // Ended processes, and those above the limit, are released outside of the lock.
    let released = state.withLock { state in
      let kept = state.idle.filter(\.isAlive) + [process]
      defer { state.idle = Array(kept.suffix(Self.mostIdle)) }
      return state.idle + kept
    }
    _ = consume released
  }

  /// Starts a process to try it, and returns its release of FFmpeg.
  package func check() throws(DecodeFailure) -> String {
    let process = try start()
    defer { giveBack(process) }
    return process.release
  }

  /// The numbers of the idle processes, for tests.
  package var idleProcesses: [Int32] { state.withLock { $0.idle.filter(\.isAlive).map(\.number) } }

  private func start() throws(DecodeFailure) -> DecoderProcess {
    do throws(DecodeFailure) {
      guard let program else {
        throw DecodeFailure(
          .noProcess, "cannot be decoded: the program \(ReaderProgram.name) is not installed")
      }
      let process = try DecoderProcess(program, patience: patience)
      let tell = state.withLock { state in
        state.isMissing = false
        return state.tell
      }
      tell(.began(process.release))
      return process
    } catch {
      throw missed(error)
    }
  }

  /// Reports, once, that no process can be started, and returns the failure in words.
  private func missed(_ failure: DecodeFailure) -> DecodeFailure {
    let failure =
      failure.kind == .missing ? DecodeFailure(.missing, MissingLibrary.advice(failure.reason)) : failure
    let (isNews, tell) = state.withLock { state in
      defer { state.isMissing = true }
      return (!state.isMissing, state.tell)
    }
    if isNews { tell(.missing(failure.reason)) }
    return failure
  }
}
