// SPDX-License-Identifier: MIT
package import MediaModel
package import ReaderModel
internal import Synchronization

/// Has processes that decode what our own decoders do not. Any thread.
///
/// A process is started when a sound needs one, and used again for the next. It ends by itself a minute after the last order, also
/// under a sound that is paused: whoever decodes then takes another.
package final class DecoderClient: SoundDecodings {
  /// What whoever owns the client may want to tell a person.
  package enum News: Sendable, Equatable {
    /// Such sounds can't be decoded; the value says why. Told again only after it has worked.
    case missing(String)
    /// A process began, with this release of FFmpeg.
    case began(String)
  }

  private struct State {
    var idle: [DecoderProcess] = []
    var isMissing = false
    var tell: @Sendable (News) -> Void = { _ in }
  }

  /// How many processes wait for work: the sound that plays, and the one that follows it, have one each.
  private static let mostIdle = 2

  private let program: FilePath?
  private let patience: Duration
  private let state: Mutex<State>

  /// A client of the program that was installed with this one, or of another. `patience` is how long a process may compute for one
  /// order.
  package init(program: FilePath? = ReaderProgram.installed, patience: Duration = .seconds(8)) {
    (self.program, self.patience) = (program, patience)
    state = Mutex(State())
  }

  /// Calls `body`, on any thread, with what a person may want to know. It replaces what was given before.
  package func tell(_ body: @escaping @Sendable (News) -> Void) { state.withLock { $0.tell = body } }

  package func take() throws(DecodeFailure) -> any SoundDecoding {
    while let idle = state.withLock({ $0.idle.popLast() }) { if idle.isAlive { return idle } }
    return try start()
  }

  package func giveBack(_ decoding: any SoundDecoding) {
    guard let process = decoding as? DecoderProcess, process.isAlive else { return }
    // Those that are dead, and those above the limit, are let go of outside of the lock.
    let released = state.withLock { state in
      let kept = state.idle.filter(\.isAlive) + [process]
      defer { state.idle = Array(kept.suffix(Self.mostIdle)) }
      return state.idle + kept
    }
    _ = consume released
  }

  /// Starts a process for a moment, and returns the release of FFmpeg that decodes there.
  package func check() throws(DecodeFailure) -> String {
    let process = try start()
    defer { giveBack(process) }
    return process.release
  }

  /// The numbers of the processes that wait for work, for tests.
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

  /// Tells of a failure to start, once, and puts it into words.
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
