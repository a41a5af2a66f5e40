// SPDX-License-Identifier: MIT
import FileIO
import Glibc
import MediaModel
package import PlaybackLogic

/// Reads the kernel's records of processes from `/proc`. For another user's processes they say less.
package enum ProcessTable {
  /// At most this many processes are looked at, ancestors included.
  private static let most = 1_024
  /// The most bytes that are read of `/proc/PID/stat`, of a sandbox's `.flatpak-info` and of a program's path; real ones are shorter.
  private static let mostBytes = 4_096

  /// The records of these processes and of their ancestors, which do not say yet whether a process is in a sandbox. A process that has ended is left out.
  package static func records(of processes: some Sequence<Int32>) -> [Int32: ProcessRecord] {
    var records: [Int32: ProcessRecord] = [:]
    for process in processes {
      var next: Int32? = process
      for _ in 0...PlayerSearch.mostAncestors {
        guard let id = next, id > 1, records.count < most else { break }
        guard let record = records[id] ?? record(of: id) else { break }
        records[id] = record
        next = record.parent
      }
    }
    return records
  }

  /// A process's own name, which Linux cuts to 15 bytes, and the words that it was started with; empty if it has ended.
  package static func command(of id: Int32) -> (name: String, arguments: [String]) {
    let name = (bytes(of: "/proc/\(id)/comm") ?? []).prefix { $0 != UInt8(ascii: "\n") }
    let words = (bytes(of: "/proc/\(id)/cmdline") ?? []).split(separator: 0, omittingEmptySubsequences: false)
    return (String(decoding: name, as: UTF8.self), words.map { String(decoding: $0, as: UTF8.self) })
  }

  private static func record(of id: Int32) -> ProcessRecord? {
    guard let line = bytes(of: "/proc/\(id)/stat") else { return nil }
    return ProcessRecord(id: id, parent: parent(inStat: line), program: program(of: id))
  }

  /// The identifiers of the Flatpak applications that these processes belong to. Blocks where a sandbox's file system does not answer; `looking` is called
  /// with each process before it is looked at.
  package static func flatpaks(
    of processes: some Sequence<Int32>, _ looking: (Int32) -> Void
  ) -> [Int32: String] {
    var found: [Int32: String] = [:]
    for process in Set(processes).prefix(most) {
      looking(process)
      let information = bytes(of: "/proc/\(process)/root/.flatpak-info")
      found[process] = information.flatMap { application(inInformation: $0) }
    }
    return found
  }

  private static func bytes(of path: String) -> [UInt8]? {
    guard let path = FilePath(path), let file = try? OpenFile(path) else { return nil }
    return try? file.bytes(at: 0, count: mostBytes)
  }

  /// The parent's process number in a line of `/proc/PID/stat`. Before it is the program's name, in brackets, which may contain anything.
  static func parent(inStat line: [UInt8]) -> Int32? {
    guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = line[line.index(after: end)...].split(separator: UInt8(ascii: " "))
    return fields.count < 2 ? nil : Int32(String(decoding: fields[1], as: UTF8.self))
  }

  /// The application's identifier in a Flatpak's own description.
  static func application(inInformation bytes: [UInt8]) -> String? {
    var isInside = false
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      if line.first == UInt8(ascii: "[") { isInside = line.elementsEqual("[Application]".utf8) }
      if isInside, line.starts(with: "name=".utf8) {
        let name = String(decoding: line.dropFirst(5), as: UTF8.self)
        return name.isEmpty ? nil : name
      }
    }
    return nil
  }

  /// The name of the file that the process runs. If that file was replaced by an update, the kernel adds a mark to its name, which is removed here.
  private static func program(of id: Int32) -> String? {
    let letters = unsafe [CChar](unsafeUninitializedCapacity: mostBytes) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      count = max(0, unsafe readlink("/proc/\(id)/exe", start, buffer.count))
    }
    let path = letters.map { UInt8(bitPattern: $0) }
    let mark = " (deleted)".utf8
    let isMarked = path.suffix(mark.count).elementsEqual(mark)
    let name = path.dropLast(isMarked ? mark.count : 0).split(separator: UInt8(ascii: "/")).last
    return name.map { String(decoding: $0, as: UTF8.self) }
  }
}
