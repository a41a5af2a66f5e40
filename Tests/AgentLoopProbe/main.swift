// SPDX-License-Identifier: MIT
import AgentLoop
import Glibc

// A program for the tests of AgentLoop: asks for a job when the system has no room for a new thread, and again when it has. Writes
// what became of both. A limit counts for the whole process, so this is one of its own.

/// Sets how many bytes of addresses this process may have, and returns what the limit was.
func bound(to bytes: rlim_t) -> rlim_t {
  let memory = __rlimit_resource_t(RLIMIT_AS.rawValue)
  var limit = rlimit()
  unsafe getrlimit(memory, &limit)
  let before = limit.rlim_cur
  limit.rlim_cur = bytes
  unsafe setrlimit(memory, &limit)
  return before
}

/// How many bytes of addresses this process has now.
func addresses() -> rlim_t {
  var text = [UInt8](repeating: 0, count: 128)
  let file = open("/proc/self/statm", O_RDONLY)
  let count = unsafe read(file, &text, text.count)
  close(file)
  let pages = text[..<max(0, count)].prefix { $0 != UInt8(ascii: " ") }
  return (rlim_t(String(decoding: pages, as: UTF8.self)) ?? 0) * rlim_t(sysconf(Int32(_SC_PAGESIZE)))
}

/// What the job says, or why it was not done.
@AgentLoop
func ask(_ thread: BlockingThread, _ word: String) async -> String {
  do { return try await thread.run { _ in word } } catch { return error.description }
}

alarm(20)  // a test that fails must not leave it behind
AgentLoop.task {
  let thread = BlockingThread("probe")
  // Room for what this program does meanwhile, but for no stack: that takes 2 MiB at least.
  let before = bound(to: addresses() + (1 << 20))
  let refused = await ask(thread, "done without a thread")
  _ = bound(to: before)
  print(refused)
  print(await ask(thread, "done"))
  AgentLoop.stop(0)
}
exit(AgentLoop.run())
