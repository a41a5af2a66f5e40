// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import PlaybackLogic

// Says how many bytes of the heap a queue takes, or the undo step after it was sorted:
// `PlaybackLogicProbe MODE at-once|one-by-one|sorted ENTRIES`. Only in a process of its own does nobody else allocate meanwhile.

/// Sources with paths of 60 bytes, ten an album.
func sources(_ count: Int) -> [EntrySource] {
  (0..<count).map { number in
    let digits = String(10_000_000 + number)
    let path = "/srv/music/Artist \(digits.dropLast(3))/Album \(digits)/My Song \(digits).flac"
    precondition(path.utf8.count == 60)
    return EntrySource(path, album: AlbumKey(rawValue: UInt64(number / 10 + 1)))
  }
}

func allocated() -> Int {
  let usage = mallinfo2()
  return usage.uordblks + usage.hblkhd
}

func measure(_ shuffle: ShuffleMode, _ sources: [EntrySource], atOnce: Bool) -> Int {
  let before = allocated()
  var queue = PlayQueue(seed: 1, shuffle: shuffle)
  if atOnce { _ = queue.append(sources) } else { for source in sources { _ = queue.append([source]) } }
  let after = allocated()
  return withExtendedLifetime(queue) { after - before }
}

// Not inlined, so that all it needs meanwhile is freed when it returns.
@inline(never)
func turnRound(_ queue: inout PlayQueue) {
  _ = queue.arrange(queue.entries(at: 0..<queue.count).map(\.id).reversed())
}

/// Sorts twice, so that only one step more is held after the second time.
func measureSorting(_ shuffle: ShuffleMode, _ sources: [EntrySource]) -> Int {
  var queue = PlayQueue(seed: 1, shuffle: shuffle)
  _ = queue.append(sources)
  turnRound(&queue)
  let before = allocated()
  turnRound(&queue)
  let after = allocated()
  return withExtendedLifetime(queue) { after - before }
}

let words = CommandLine.arguments.dropFirst()
guard words.count == 3, let shuffle = ShuffleMode.allCases.first(where: { "\($0)" == words[1] }),
  let count = Int(words[3])
else { exit(64) }
print(
  words[2] == "sorted"
    ? measureSorting(shuffle, sources(count))
    : measure(shuffle, sources(count), atOnce: words[2] == "at-once"))
