// SPDX-License-Identifier: MIT
internal import MediaModel

/// The usable names of one folder, without their path. After `sort` they are in natural order.
struct FolderListing {
  var sounds: [FilePath] = []
  var folders: [FilePath] = []
  var sheets: [FilePath] = []

  var count: Int { sounds.count + folders.count + sheets.count }

  mutating func sort() {
    sounds.sort { NaturalOrder.precedes($0, $1) }
    folders.sort { NaturalOrder.precedes($0, $1) }
    sheets.sort { NaturalOrder.precedes($0, $1) }
  }
}
