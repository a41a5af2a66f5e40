// SPDX-License-Identifier: MIT
import FileIO
import MediaModel

/// Finds the files and folders whose paths begin as somebody has typed.
enum PathOffers {
  /// How many names are kept: more are no help to a person, and a folder may have millions. The shell completes the letters with which all offered
  /// names begin. So a further name is still kept if it shortens these.
  private static let most = 1_000

  /// The paths, written as this one was begun; those of folders end in a slash. Hidden files are found only if the name begins with a dot. Blocks on
  /// the disk.
  static func paths(beginningWith begun: String) -> [String] {
    if begun == "~" { return ["~/"] }
    let cut = begun.lastIndex(of: "/").map(begun.index(after:)) ?? begun.startIndex
    let (folder, name) = (String(begun[..<cut]), String(begun[cut...]))
    return ((try? names(in: folder, beginningWith: name)) ?? []).sorted().map { folder + $0 }
  }

  private static func names(in folder: String, beginningWith start: String) throws -> [String] {
    guard let path = FilePath(folder.isEmpty ? "." : ChildCommand.expanded(folder)) else { return [] }
    var listing = try HeldFile(path).openFolder()
    var found: [String] = []
    var shared = Int.max
    while let (name, hint) = try listing.next() {
      guard let text = String(validating: name.bytes, as: UTF8.self), text.hasPrefix(start),
        text != ".", text != "..", start.hasPrefix(".") || !text.hasPrefix("."),
        text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
      else { continue }
      let same = min(shared, found.first.map { zip($0, text).prefix { $0 == $1 }.count } ?? .max)
      guard found.count < most || same < shared else { continue }
      shared = same
      found.append(text + (isFolder(name, hint, in: listing) ? "/" : ""))
    }
    return found
  }

  private static func isFolder(_ name: FilePath, _ hint: Directory.Hint, in listing: borrowing Directory)
    -> Bool
  {
    switch hint {
    case .folder: true
    case .file, .other: false
    case .unknown: (try? listing.status(of: name))?.kind == .folder
    }
  }
}
