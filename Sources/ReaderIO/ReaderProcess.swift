// SPDX-License-Identifier: MIT
internal import CLinux
internal import FileIO
import Glibc
package import MediaModel
internal import ReaderModel
internal import Synchronization

/// Where the programs are that read files and measure their loudness.
package enum ReaderProgram {
  /// The name of the program that reads tags and pictures.
  package static let name: FilePath = "fermata-reader"
  /// The name of the program that measures loudness. It is another one, because it needs the decoders.
  package static let loudnessName: FilePath = "fermata-loudness"

  /// The path of the program that reads files. It is searched for beside this program, as after a build; where it is installed with this program;
  /// and, for other people's programs, where the system has it. Nil if it is in none of these places.
  package static var installed: FilePath? { installed(name) }

  /// The path of the program that measures loudness; nil if it is not there.
  package static var installedLoudness: FilePath? { installed(loudnessName) }

  private static func installed(_ name: FilePath) -> FilePath? {
    guard let folder = FilePath.thisProgram?.parent else { return nil }
    let folders = [
      folder, folder.parent?.entry("libexec/fermata"), "/usr/local/libexec/fermata", "/usr/libexec/fermata",
    ]
    return folders.compactMap { $0?.entry(name) }.first { !$0.isMissing }
  }
}

/// One process that reads files, and the connection to it. Owns both; `deinit` ends the process. Used by one thread at a
/// time.
final class ReaderProcess {
  /// Why a process can't be started; the reason is worded as the end of a sentence.
  struct Refusal: Error {
    /// Why, and what to do about it.
    let reason: String
    /// Whether somebody killed the process before it was ready; then another try may succeed.
    var wasKilled = false
  }

  /// The character set with which the process was started.
  let charset: String?
  /// The process's protections, as it reports them.
  private(set) var fence: ReaderFence = []
  let socket: PacketSocket
  /// The process's number in the system.
  let number: Int32
  private var isOver = false
  /// When the process was last used.
  private(set) var lastUse = Deadline.now
  /// Where the priority of the process's session is to be written; empty if that is done, or if it has the usual one.
  private var session: [Int32] = []
  /// How long a process may take to become ready.
  private static let patience = Duration.seconds(10)

  /// Starts the program, and waits until it says that it is ready. Blocks for some milliseconds.
  convenience init(_ program: FilePath, charset: String?) throws(Refusal) {
    try self.init(program, words: ["tags"] + (charset.map { [$0] } ?? []), charset: charset)
  }

  /// Starts the program with these words as its arguments.
  init(_ program: FilePath, words: [String], charset: String? = nil) throws(Refusal) {
    self.charset = charset
    do throws(PacketSocket.Failure) {
      let pair = try PacketSocket.pair()
      number = try Self.start(program, words, socket: pair.far.descriptor)
      socket = pair.near
    } catch {
      guard case .system(let code) = error else {
        throw Refusal(reason: "\(program) does not start; try again")
      }
      let isBroken = [ENOENT, EACCES, ENOEXEC, ENOTDIR].contains(code)
      throw Refusal(
        reason: "\(program) can't be started: \(String(errno: code)); "
          + (isBroken ? "install fermata again" : "try again"))
    }
    try greet(program)
  }

  deinit {
    forgetSession()
    if !isOver { _ = end(isClosed: false) }
  }

  /// Starts the program with a fixed environment, so that nothing in ours changes what it does. Its connection takes the place of standard input.
  /// `words` are its role, and the role's arguments.
  static func start(
    _ program: FilePath, _ words: [String], socket: Int32
  ) throws(PacketSocket.Failure) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
    unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    // A session of its own, so that a Ctrl-C at the terminal reaches only the player, and the system gives the processor to this process as one of
    // its own, see `tellSession`.
    let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | clinux_spawn_setsid
    unsafe posix_spawnattr_setflags(&attributes, flags)

    var arguments: [UnsafeMutablePointer<CChar>?] =
      unsafe ([program.lastComponent?.text ?? program.text] + words).map {
        unsafe strdup($0)
      }
    defer { unsafe arguments.forEach { unsafe free($0) } }
    unsafe arguments.append(nil)
    var environment: [UnsafeMutablePointer<CChar>?] = unsafe [nil]
    var process: Int32 = 0
    let failure = unsafe program.withCString { path in
      unsafe posix_spawn(&process, path, &actions, &attributes, &arguments, &environment)
    }
    guard failure == 0 else { throw .system(failure) }
    return process
  }

  private func greet(_ program: FilePath) throws(Refusal) {
    var packet: PacketSocket.Packet
    do throws(PacketSocket.Failure) {
      packet = try socket.receive(atMost: ReaderProtocol.largestPacket, until: Deadline(in: Self.patience))
    } catch {
      guard error == .ended else {
        _ = end(isClosed: false)
        throw Refusal(reason: "\(program) was not ready in \(Self.patience); try again when less is going on")
      }
      let how = end(isClosed: true)
      throw Refusal(
        reason: "\(program) did not start: \(how.sentence(of: "process")); "
          + (how.isFromOutside ? "try again" : "install fermata again"),
        wasKilled: how.isFromOutside)
    }
    guard let greeting = ReaderGreeting(packet.bytes), greeting.version == ReaderProtocol.version else {
      _ = end(isClosed: false)
      throw Refusal(reason: "\(program) is of another version; install fermata again, and restart what runs")
    }
    fence = greeting.fence
    session = packet.takeFiles()
  }

  /// Whether the process has ended by itself. If so, its exit status is collected, and this object can't be used any more.
  func hasEnded() -> Bool {
    if !isOver { isOver = waitpid(number, nil, WNOHANG) != 0 }
    return isOver
  }

  /// Notes that the process is being used now.
  func use() {
    lastUse = Deadline.now
    tellSession()
  }

  /// Gives the process's session the low priority of the process itself. Linux shares the processor among sessions first, and in each among its
  /// processes, so that a low priority alone would make this process wait for nobody else. The system takes only ten such orders a second from everybody
  /// together; one that is refused is given again at the next use.
  private func tellSession() {
    guard let session = session.first else { return }
    let text = Array("\(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(number)))".utf8)
    if unsafe write(session, text, text.count) < 0, errno == EAGAIN { return }
    forgetSession()
  }

  private func forgetSession() {
    for descriptor in session { close(descriptor) }
    session = []
  }

  /// Kills a process that should have ended and has not, for instance because it was stopped. Does not block: a process that hangs in the kernel is
  /// checked again later. This object can't be used afterwards.
  func abandon() {
    kill(number, SIGKILL)
    isOver = true
    Leftovers.add(number)
    Leftovers.reap()
  }

  /// The processor time that the process has used so far; nil if the system does not say.
  var used: Duration? {
    var (clock, time) = (clockid_t(), timespec())
    guard unsafe clock_getcpuclockid(number, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else {
      return nil
    }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// How long a process may take to end by itself after its socket was closed, and how long to wait for one that was killed and hangs in the kernel.
  private static let endTakes = Duration.seconds(1)

  /// Waits for the end of a process whose socket is closed, or kills it. Afterwards the process has ended, or it hangs in the kernel and ends when
  /// its disk answers.
  func end(isClosed: Bool) -> ProcessEnd {
    isOver = true
    defer { Leftovers.reap() }
    if isClosed, let end = awaitEnd() { return end }
    kill(number, SIGKILL)
    if let end = awaitEnd() { return end }
    Leftovers.add(number)
    return .signal(SIGKILL)
  }

  private func awaitEnd() -> ProcessEnd? {
    let deadline = Deadline(in: Self.endTakes)
    let handle = clinux_pidfd_open(number)
    defer { if handle >= 0 { close(handle) } }
    var status: Int32 = 0
    while unsafe waitpid(number, &status, WNOHANG) == 0 {
      guard deadline.millisecondsLeft > 0 else { return nil }
      var watched = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
      // On a kernel without process handles, the process is polled.
      _ = unsafe poll(&watched, handle >= 0 ? 1 : 0, handle >= 0 ? deadline.millisecondsLeft : 5)
    }
    return ProcessEnd(waitStatus: status)
  }
}

/// Holds one process, or none. A thread that has the lock uses the process.
final class Seat: Sendable {
  let process = Mutex<ReaderProcess?>(nil)
}

extension [Seat] {
  /// The numbers of the processes that nobody uses at present.
  var idleProcesses: [Int32] {
    compactMap { seat in seat.process.withLockIfAvailable { $0?.number } ?? nil }
  }
}

/// Processes that were killed and still hang in the kernel, on a disk that does not answer. They are checked whenever another process ends or readers
/// are tidied up, so that none stays as a zombie. Safe on any thread.
enum Leftovers {
  private static let processes = Mutex<[Int32]>([])

  static func add(_ process: Int32) { processes.withLock { $0.append(process) } }

  /// Collects the exit status of leftover processes that have ended. Returns whether any is left.
  @discardableResult
  static func reap() -> Bool {
    processes.withLock { left in
      left.removeAll { waitpid($0, nil, WNOHANG) != 0 }
      return !left.isEmpty
    }
  }
}

/// How another process ended.
enum ProcessEnd: Equatable {
  /// This signal ended it.
  case signal(Int32)
  /// It ended by itself, with this exit status.
  case status(Int32)

  /// The end that `waitpid` reports.
  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .status(waitStatus >> 8 & 0xff) : .signal(signal)
  }

  /// Whether somebody else ended the process: no file makes a reader send itself these signals, nor end in order.
  var isFromOutside: Bool {
    switch self {
    case .signal(let number): [SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT].contains(number)
    case .status(let status): status == 0
    }
  }

  /// How it ended, as a clause of a sentence. `process` is a word for what the process is: "reader", "decoder".
  func sentence(of process: String) -> String {
    switch self {
    case .signal(let number): "signal \(number) ended the \(process)"
    case .status(let status): "the \(process) ended with status \(status)"
    }
  }
}
