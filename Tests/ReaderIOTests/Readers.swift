// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// The readers for tests that this process has started. Other suites may have readers of the usual kind meanwhile.
enum Readers {
  private static let name = "ReaderIOProbe"

  /// Their numbers, with a letter for what each does: Z is a process that nobody has waited for.
  static func all() -> [(number: pid_t, state: Character)] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var found: [(pid_t, Character)] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let number = pid_t(name), let state = state(of: number) else { continue }
      found.append((number, state))
    }
    return found
  }

  /// What a process does; nil if it is no reader of ours.
  private static func state(of number: pid_t) -> Character? {
    let file = open("/proc/\(number)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 512)
    let text = String(decoding: buffer[..<max(0, read(file, &buffer, buffer.count))], as: UTF8.self)
    guard let open = text.firstIndex(of: "("), let end = text.lastIndex(of: ")") else { return nil }
    let words = text[end...].dropFirst(2).split(separator: " ")
    guard text[open...].dropFirst().hasPrefix(name), words.count > 1,
      words[1] == "\(getpid())"
    else { return nil }
    return words[0].first
  }

  /// Waits until none is a zombie; false if one stays one.
  static func haveNoZombie() -> Bool {
    let deadline = Deadline.patient
    while all().contains(where: { $0.state == "Z" }) {
      if deadline.hasPassed { return false }
      poll(nil, 0, 1)
    }
    return true
  }
}
