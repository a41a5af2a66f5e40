// SPDX-License-Identifier: MIT
import Glibc
import LibraryIO
import LibraryModel
import MediaModel

// A program for the tests of LibraryIO: adds 50 files at a time to the library in the folder of its first argument, for ever, and
// counts that one of them was heard. Writes a line when both are acknowledged. The second argument makes its paths differ from
// those of other runs. Only a process of its own can be killed.

alarm(20)  // a test that fails must not leave it behind

do {
  let store = try LibraryStore.open(in: CommandLine.arguments[1]).store
  for batch in 0... {
    let changes: [FileChange] = (0..<50).compactMap { number in
      var tags = MediaTags()
      (tags.title, tags.artist, tags.album) = ("Song \(number)", ["Artist \(number % 7)"], "Album \(batch)")
      let stamp = FileStamp(size: 1, modified: 1, inode: UInt64(number), device: 1)
      return FilePath("/m/\(CommandLine.arguments[2])/\(batch)/\(number)").map {
        .add($0, stamp, FileRecord(tags: tags))
      }
    }
    let added = try store.apply(changes, at: Int64(batch)).added
    if let first = added.first { _ = try store.countPlay(first, at: Int64(batch)) }
    var line = UInt8(ascii: "\n")
    guard added.count == 50, write(1, &line, 1) == 1 else { exit(1) }
  }
} catch {
  print("! \(error)")
  exit(1)
}
