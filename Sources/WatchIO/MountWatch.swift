// SPDX-License-Identifier: MIT
package import AgentLoop
import Glibc
package import MediaModel

/// Watches which file systems are mounted, and calls a handler with the folders where one was mounted or unmounted.
///
/// A watch on a folder is not told when a disk is mounted there. While nothing is mounted or unmounted, this costs nothing.
@AgentLoop
package final class MountWatch {
  /// The number of each mount, which the kernel gives to no other one at the same time, and its folder.
  typealias Table = [UInt64: FilePath]

  private let handler: @AgentLoop (Set<FilePath>) -> Void
  private let descriptor: Int32
  private var table: Table = [:]
  private var watch: LoopWatch?

  /// So much of the kernel's list is read at most, which is enough for some ten thousand mounts.
  private static let longest = 1 << 20

  /// Watches the mounts that this program sees. If the system does not list them, the handler is never called.
  package init(handler: @escaping @AgentLoop (Set<FilePath>) -> Void) {
    self.handler = handler
    descriptor = unsafe open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    table = readTable()
    // The kernel tells of a change by an error on this file. Each change is told once.
    watch = LoopWatch(descriptor: descriptor, events: .error) { [weak self] _ in self?.look() }
  }

  isolated deinit {
    // The loop must stop watching the descriptor before it is closed.
    watch = nil
    if descriptor >= 0 { close(descriptor) }
  }

  /// The folder where the file system of this path is mounted, by its name; nil if that is not known. Asks no disk.
  package func mountPoint(of path: FilePath) -> FilePath? {
    table.values.filter(path.isAtOrBelow).max { $0.bytes.count < $1.bytes.count }
  }

  private func look() {
    let old = table
    table = readTable()
    let changed = Self.difference(old, table)
    if !changed.isEmpty { handler(changed) }
  }

  /// The folders of the mounts that are in one of the tables only.
  nonisolated static func difference(_ old: Table, _ new: Table) -> Set<FilePath> {
    let gone = old.filter { new[$0.key] != $0.value }.values
    let come = new.filter { old[$0.key] != $0.value }.values
    return Set(gone).union(come)
  }

  private func readTable() -> Table {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { return [:] }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while text.count < Self.longest {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      text += buffer[..<count]
    }
    return Self.table(text)
  }

  /// Reads the kernel's list: a line for each mount, whose first word is its number and whose fifth is its folder.
  nonisolated static func table(_ text: [UInt8]) -> Table {
    var table: Table = [:]
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard words.count > 4, let number = UInt64(String(decoding: words[0], as: UTF8.self)),
        let folder = FilePath(unescaped(words[4]))
      else { continue }
      table[number] = folder
    }
    return table
  }

  /// A path as the list writes it, where a backslash and three octal digits stand for a space, a tab, a line's end and the backslash.
  private nonisolated static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var path: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        path.append(value)
        rest = rest.dropFirst(3)
      } else {
        path.append(byte)
      }
    }
    return path
  }
}
