// SPDX-License-Identifier: MIT
import Glibc
import PlaybackLogic
import StoreIO

// A program for the tests of StoreIO: opens the store in the folder of its first argument and edits the queue for ever, by the
// chance of its second. Says `+ command` in hexadecimal digits before an edit, `=` when that is acknowledged and `! reason` when
// it is refused. With a third argument it does so until an edit is refused because no file may grow beyond so many bytes,
// lifts the limit and does one edit more. Only a process of its own can be killed.

alarm(20)  // a test that fails must not leave it behind

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  var done = 0
  while done < bytes.count {
    let count = bytes[done...].withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    if count <= 0 { exit(2) }
    done += count
  }
}

func limitFiles(to bytes: UInt64) {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: .max)
  setrlimit(__rlimit_resource_t(1), &limit)
}

let arguments = CommandLine.arguments
do {
  let folder = try StateFolder(arguments[1], program: "probe")
  let (store, stored) = try await Store.open(in: folder, leastWork: 100) { say("? \($0)") }
  var queue = stored.queue ?? PlayQueue(seed: 7)
  var edits = Edits(seed: UInt64(arguments[2]) ?? 0)
  let limit = arguments.count > 3 ? UInt64(arguments[3]) : nil
  if let limit { limitFiles(to: limit) }
  var hasFailed = false
  var refused: [StoreChange] = []
  for number in 0... {
    var command = edits.next(for: queue)
    if limit != nil, !hasFailed {
      command = .insert([EntrySource(String(repeating: "x", count: 4_000))], at: 0)
    }
    guard queue.replay(command) else { continue }
    say("+ " + command.encoded.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined())
    store.keep(.init(EntryID(rawValue: 1), .seconds(number), isWanted: true)) { _ in }
    // Most wait for their commit, some are posted in a bunch.
    if limit == nil, edits.below(3) == 0 {
      store.post([.queue(command), .volume(Double(number))], to: queue) { say($0.map { "! \($0)" } ?? "=") }
      continue
    }
    if hasFailed {
      let (changes, now) = (refused + [.queue(command)], queue)
      let error = await withCheckedContinuation { continuation in
        store.resume(changes, to: now) { continuation.resume(returning: $0) }
      }
      say(error.map { "! \($0)" } ?? "=")
      _exit(0)
    }
    do {
      try await store.commit([.queue(command)], to: queue)
      say("=")
    } catch {
      refused.append(.queue(command))
      say("! \(error)")
      hasFailed = true
      limitFiles(to: .max)
    }
  }
} catch {
  say("! \(error)")
  exit(1)
}
