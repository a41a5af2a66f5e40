// SPDX-License-Identifier: MIT
import AgentLoop
@testable import FermataAgent
import FermataTestKit
import FileIO
import MediaModel
import PlaybackLogic
@testable import SourceIO
import Testing

@Suite("Items that are tracks of a CUE sheet")
struct SheetItemTests {
  @Test(
    "a list of 99 of them reads the sheet once, in a short queue and in a long one", arguments: [99, 50_000])
  func list(length: Int) async throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("disc.flac", "no sound")
    let tracks = (1...99).map { "TRACK \($0) AUDIO\nTITLE \"Track \($0)\"\nINDEX 01 \($0):00:00\n" }
    try folder.write("disc.cue", "FILE \"disc.flac\" WAVE\n" + tracks.joined())
    let count = Counter()
    let read = SheetTitles { sheet in
      count.increase()
      return try? sheet.openFile().head(1 << 20)
    }
    let titles = try await onLoop {
      var queue = PlayQueue(seed: 1)
      _ = queue.append((1...99).map { EntrySource(file, span: CueSpan(start: UInt32($0) * 60 * 75)) })
      let items = ItemService(thread: BlockingThread("test"), art: nil, reader: .beside, titles: read)
      // A list is answered after half a second, with what is known by then.
      let deadline = Deadline.patient
      while true {
        let titles = await items.items(queue.entries(at: 0..<99), of: length).map(\.item.tags.title)
        if !titles.contains(nil) || deadline.hasPassed { return titles }
      }
    }
    #expect(titles == (1...99).map { "Track \($0)" })
    #expect(count.count == 1)
  }
}
