// SPDX-License-Identifier: MIT
import AgentLoop
import FermataAgent
import FermataTestKit
import PlaybackLogic
import Testing

@Suite("What is known of entries", .timeLimit(.minutes(1)))
struct ItemServiceTests {
  @Test(
    "whoever waits for an entry's tags is answered, also where the entry was let go of and asked for again")
  func evicted() async throws {
    let folder = try TemporaryDirectory()
    let path = folder.path("song.wav")
    try await onLoop { @AgentLoop in
      let gate = Gate()
      let thread = BlockingThread("test", yieldsAfter: .seconds(3_600), givesUpAfter: .seconds(3_600))
      AgentLoop.task { try? await thread.run { _ in gate.pass() } }
      let items = ItemService(thread: thread, art: nil, reader: .beside)
      var queue = PlayQueue(seed: 1)
      _ = queue.append([EntrySource(path)] + (0..<2_000).map { EntrySource("/none/\($0)") })
      let entries = queue.entries(at: 0..<queue.count)
      let waiting = AgentLoop.task { await items.itemOnceRead(entries[0]) }
      // By now it waits; then more entries are asked for than are kept, and it once more.
      await AgentLoop.task {}.value
      for entry in entries { _ = items.item(entry) }
      _ = items.item(entries[0])
      gate.open()
      _ = await waiting.value
    }
  }
}
