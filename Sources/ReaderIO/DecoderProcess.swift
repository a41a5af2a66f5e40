// SPDX-License-Identifier: MIT
internal import AgentLoop
internal import AudioModel
internal import CLinux
internal import Glibc
package import MediaModel
package import ReaderModel
internal import Synchronization

/// A process that decodes a sound for us, and the connection to it. `deinit` ends the process. Used by one thread at a time.
///
/// The process has no access to the file: it asks for bytes, and they are read here. So if a disk does not answer, only our own reading thread waits,
/// and when the process is late, the process itself is the cause.
package final class DecoderProcess: SoundDecoding, @unchecked Sendable {
  // Unchecked, but safe: only one thread at a time uses it, because it is handed over by the client's lock, or together with its decoder.
  private let socket: PacketSocket
  private let memory: SharedMemory
  private let keeper: ProcessKeeper
  /// How long the process may work on one order, without the time in which it waits for bytes of the file. After that it counts as hung.
  private let patience: Duration
  /// The size of one frame of the open sound, in bytes.
  private var frameSize = 4
  /// The size of the file whose sound is open, in bytes.
  private var fileSize = 0
  package private(set) var hasRetired = false
  /// Whether an order has failed in such a way that the process takes no other one. It may not have ended yet.
  private var isUseless = false

  /// How long a process may take to load its libraries.
  private static let startTakes = Duration.seconds(15)

  /// Starts the program for decoding, and waits until it is ready. Takes 50 to 100 ms.
  init(_ program: FilePath, patience: Duration) throws(DecodeFailure) {
    self.patience = patience
    let descriptor: Int32
    do throws(PacketSocket.Failure) {
      let pair = try PacketSocket.pair()
      (memory, descriptor) = try SharedMemory.make(DecodeProtocol.memorySize)
      do throws(PacketSocket.Failure) {
        keeper = try ProcessKeeper(program, ["decode"], socket: pair.far.descriptor)
      } catch {
        close(descriptor)
        throw error
      }
      socket = pair.near
    } catch {
      throw DecodeFailure(.noProcess, "cannot be decoded: \(program) does not start")
    }
    defer { close(descriptor) }
    try greet(program)
    // This is sent only to a process that can decode. Otherwise a failed send would hide the message in which the process said why it can't.
    do throws(PacketSocket.Failure) {
      try socket.send([0], files: [descriptor], until: Deadline(in: Self.startTakes))
    } catch {
      throw failure(of: error)
    }
  }

  private func greet(_ program: FilePath) throws(DecodeFailure) {
    let deadline = Deadline(in: Self.startTakes)
    let (greeting, readiness): (ReaderGreeting?, DecodeReadiness?)
    do throws(PacketSocket.Failure) {
      greeting = try ReaderGreeting(
        socket.receive(atMost: DecodeProtocol.largestPacket, until: deadline).bytes)
      readiness = try DecodeReadiness(
        socket.receive(atMost: DecodeProtocol.largestPacket, until: deadline).bytes)
    } catch {
      throw failure(of: error)
    }
    guard greeting?.version == ReaderProtocol.version, let readiness else {
      keeper.kill()
      throw DecodeFailure(
        .noProcess, "cannot be decoded: \(program) is of another version; start fermata again")
    }
    switch readiness {
    case .ready(let release): self.release = release
    case .missing(let reason): throw DecodeFailure(.missing, reason)
    }
  }

  /// The release of FFmpeg that the process uses.
  package private(set) var release = ""
  /// The process's number in the system.
  package var number: Int32 { keeper.number }
  /// Whether the process can take an order.
  var isAlive: Bool { keeper.end == nil && !isUseless }

  // One that was stopped, or that a file has taken over, does not see that the connection is closed.
  deinit { keeper.kill() }

  // MARK: Orders

  package func carryOut(
    _ order: DecodeOrder, supply: (_ offset: Int, _ bytes: inout MutableRawSpan) -> Int?
  ) throws(DecodeFailure) -> DecodeReply {
    if case .open(_, let size) = order { fileSize = size }
    var fuel = DecodeProtocol.mostBytes(for: order, inFileOf: fileSize)
    var left = patience
    do throws(PacketSocket.Failure) {
      try socket.send(order.bytes, until: Deadline(in: left))
      while true {
        let begun = Deadline.now
        let packet = try socket.receive(atMost: DecodeProtocol.largestPacket, until: Deadline(in: left))
        left -= Deadline.now - begun
        guard let reply = DecodeReply(packet.bytes), fits(reply, order) else { throw .late }
        guard case .needs(let offset, let count) = reply else { return reply }
        // Each request costs more than its bytes, so that many small requests reach the limit too.
        fuel -= count + 4_096
        let supplied = fuel > 0 ? bring(count, at: offset, supply) : nil
        try socket.send(DecodeOrder.bytes(supplied).bytes, until: Deadline(in: patience))
      }
    } catch {
      throw failure(of: error)
    }
  }

  /// Puts `count` bytes of the sound file, from `offset` on, into the memory that is shared with the process. `supply` reads bytes at a place of the
  /// file into a span and returns their number, or nil if it can't. Returns how many there were; nil if they can't be had.
  private func bring(_ count: Int, at offset: Int, _ supply: (Int, inout MutableRawSpan) -> Int?) -> Int? {
    let start = DecodeProtocol.sampleBytes
    return unsafe memory.with(start..<start + count) { room in
      var span = unsafe MutableRawSpan(_unsafeBytes: room)
      return supply(offset, &span)
    }
  }

  /// Whether this is a possible answer to the order.
  private func fits(_ reply: DecodeReply, _ order: DecodeOrder) -> Bool {
    switch (order, reply) {
    case (_, .needs), (_, .failed): return true
    case (.seek(let frame), .sought(let left)): return left <= frame
    case (.open, .opened(let sound)):
      frameSize = sound.format.bytesPerFrame
      return true
    case (.decode(let most), .frames(let count)):
      return count <= most && count * frameSize <= DecodeProtocol.sampleBytes
    case (.drop(let most), .frames(let count)): return count <= most
    default: return false
    }
  }

  package func copySamples(from start: Int, _ count: Int, into samples: inout MutableSpan<Float>) {
    let size = MemoryLayout<Float>.size
    precondition(count <= samples.count, "no room for \(count) samples")
    precondition((start + count) * size <= DecodeProtocol.sampleBytes, "no samples at \(start)")
    unsafe memory.with(start * size..<(start + count) * size) { from in
      unsafe samples.withUnsafeMutableBytes { unsafe $0.copyMemory(from: UnsafeRawBufferPointer(from)) }
    }
  }

  /// Why the process can't be used any more. Ends it if it has not ended.
  private func failure(of failure: PacketSocket.Failure) -> DecodeFailure {
    isUseless = true
    if failure == .late {
      keeper.kill()
      return DecodeFailure(.died, "could not be decoded in time: the decoder came to no end")
    }
    keeper.awaitEnd(for: .seconds(1))
    guard let end = keeper.end else {
      keeper.kill()
      return DecodeFailure(.died, "could not be decoded: the decoder hung up")
    }
    hasRetired = end == .status(0)
    return DecodeFailure(
      hasRetired ? .noProcess : .died, "could not be decoded: \(end.sentence(of: "decoder"))")
  }
}

/// Starts a process and waits for its end, on a thread of its own. The kernel is told to end the process when the thread that started it ends. A
/// thread of its own ends only with this program, so the process does too. Any thread may use this.
private final class ProcessKeeper: Sendable {
  private struct State {
    var number: Int32 = 0
    var failure: PacketSocket.Failure?
    var end: ProcessEnd?
  }

  private let state = Mutex(State())
  /// An eventfd that is readable once the process has ended.
  private let signal: Int32
  private let started = Wakeup()

  init(_ program: FilePath, _ words: [String], socket: Int32) throws(PacketSocket.Failure) {
    signal = eventfd(0, Int32(EFD_CLOEXEC))
    guard signal >= 0 else { throw .system(errno) }
    guard WorkerThread.begin("decoder-keeper", { [self] in keep(program, words, socket) }) else {
      throw .system(EAGAIN)
    }
    started.sleep()
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  deinit { close(signal) }

  var number: Int32 { state.withLock { $0.number } }
  var end: ProcessEnd? { state.withLock { $0.end } }

  private func keep(_ program: FilePath, _ words: [String], _ socket: Int32) {
    do throws(PacketSocket.Failure) {
      let number = try ReaderProcess.start(program, words, socket: socket)
      state.withLock { $0.number = number }
      started.wake()
      wait(for: number)
    } catch {
      state.withLock { $0.failure = error }
      started.wake()
    }
  }

  private func wait(for number: Int32) {
    // The process's number is not given to another until the process was waited for. That is done with the lock held, so that `kill` can't hit
    // another.
    var info = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(number), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    state.withLock { state in
      var status: Int32 = 0
      _ = unsafe waitpid(number, &status, 0)
      state.end = ProcessEnd(waitStatus: status)
    }
    var one: UInt64 = 1
    _ = unsafe write(signal, &one, MemoryLayout<UInt64>.size)
  }

  func kill() {
    state.withLock { state in
      if state.end == nil, state.number > 0 { _ = Glibc.kill(state.number, SIGKILL) }
    }
  }

  /// Waits for the end of the process, for at most `time`.
  func awaitEnd(for time: Duration) {
    let deadline = Deadline(in: time)
    while end == nil, deadline.millisecondsLeft > 0 {
      var watched = pollfd(fd: signal, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&watched, 1, deadline.millisecondsLeft)
    }
  }
}

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
