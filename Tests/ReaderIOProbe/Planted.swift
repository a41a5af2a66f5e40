// SPDX-License-Identifier: MIT
import CLinux
import FermataReader
import FileIO
import Glibc
import MediaModel
import ReaderModel

/// Files that make a reader misbehave, as one does whose parser was taken over. They say what is to be done in their
/// first line.
enum Planted: String {
  case crash, hang, bomb, nonsense
  /// Crashes when its picture is read, and only then.
  case cover
  /// Computes for a while and then answers; waits for ever without computing.
  case burn, wait
  /// Attempts to get out. The answer has what came of them as its title: `done`, or the system's error number.
  case open, socket, fork, thread, program, ptrace, memory, look, signal, status, emptyStatus

  static func act(
    on file: consuming OpenFile, _ facts: ReaderRequest.File, _ wanted: ReaderRequest.Wanted,
    orElse read: ReaderLoop.Reading
  ) -> ReaderAnswer {
    guard let planted = Planted(in: file) else { return read(file, facts, wanted) }
    var tags = FileTags()
    tags.tags.title = planted == .cover && wanted == .tags ? "done" : planted.run()
    return .tags(tags)
  }

  /// The same for a process that has no way to say what came of it: one that gets out crashes.
  static func act(on file: borrowing OpenFile) {
    guard let planted = Planted(in: file) else { return }
    if planted.run() == "done", planted != .burn { fatalError("it got out: \(planted)") }
  }

  private init?(in file: borrowing OpenFile) {
    let head = (try? file.head(16)) ?? []
    guard head.starts(with: "do ".utf8) else { return nil }
    self.init(rawValue: String(decoding: head.dropFirst(3).prefix { $0 > 0x20 }, as: UTF8.self))
  }

  private func run() -> String {
    switch self {
    case .crash, .cover: fatalError("as planted")
    case .hang: while Self.isForEver {}
    case .bomb: Self.explode()
    case .nonsense: Self.answerNonsense()
    case .burn:
      let end = ContinuousClock.now + .milliseconds(400)
      while ContinuousClock.now < end {}
    case .wait: Self.waitForEver()
    case .open: return Self.outcome(Glibc.open("/etc/passwd", O_RDONLY))
    case .socket: return Self.outcome(Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    case .fork: return Self.spawn()
    case .thread: return Self.thread()
    case .program: return Self.outcome(execve("/bin/true", [nil], [nil]))
    case .ptrace: return Self.outcome(clinux_seize_thread(getppid()))
    case .memory: return Self.executableMemory()
    case .look: return Self.outcome(Int32(access("/", F_OK)))
    case .signal: return Self.outcome(kill(getppid(), 0))
    case .status: return Self.statusOfPath(flags: 0)
    // Made for open files, but it looks at a path as well.
    case .emptyStatus: return Self.statusOfPath(flags: 0x1000)  // AT_EMPTY_PATH
    }
    return "done"
  }

  /// The optimizer is not to see through it.
  private nonisolated(unsafe) static var isForEver = true  // one thread uses it

  private static func outcome(_ result: Int32) -> String { result >= 0 ? "done" : "\(errno)" }

  private static func explode() {
    var hoard: [[UInt8]] = []
    while isForEver { hoard.append([UInt8](repeating: 1, count: 16 << 20)) }
    _ = hoard.count
  }

  private static func waitForEver() {
    var never = sem_t()
    sem_init(&never, 0, 0)
    while isForEver { sem_wait(&never) }
  }

  private static func statusOfPath(flags: Int32) -> String {
    var status = stat()
    return outcome(fstatat(AT_FDCWD, "/etc/passwd", &status, flags))
  }

  private static func answerNonsense() {
    let words: [UInt8] = [0, 0, 0, 1, 1, 0xff, 0xff, 0xff, 0xff, 7]
    _ = send(0, words, words.count, 0)
    _ = clinux_send_packet(0, words, words.count, nil, 0, 0)
  }

  private static func spawn() -> String {
    var process: pid_t = 0
    let failure = posix_spawn(&process, "/bin/true", nil, nil, [nil], [nil])
    return failure == 0 ? "done" : "\(failure)"
  }

  private static func thread() -> String {
    var thread = pthread_t()
    let failure = pthread_create(&thread, nil, { _ in nil }, nil)
    return failure == 0 ? "done" : "\(failure)"
  }

  private static func executableMemory() -> String {
    let memory = mmap(nil, 4_096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    return memory == MAP_FAILED ? "\(errno)" : "done"
  }
}
