// SPDX-License-Identifier: MIT
import Glibc

/// What the system says of a process, by its number.
enum ProcessTable {
  /// A file of /proc; empty where it is gone.
  static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer.prefix(count)
    }
  }

  /// The number behind a name at the beginning of a line.
  static func number(_ name: String, in text: String) -> Int {
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.dropFirst(name.count + 1).split { $0 == " " || $0 == "\t" }.first.flatMap { Int($0) } ?? 0
  }

  /// The numbers among the names in a folder.
  static func numbers(in folder: String) -> [Int32] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var numbers: [Int32] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let number = Int32(name) { numbers.append(number) }
    }
    return numbers
  }

  /// The processor time that a process has used, in hundredths of a second, also by threads that have ended.
  static func processor(_ process: Int32) -> Duration {
    // The name, which may have spaces, ends with the last bracket; the times are 12 words behind it.
    let words = text("/proc/\(process)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard words.count > 12, let user = Int(words[11]), let system = Int(words[12]) else { return .zero }
    return .milliseconds((user + system) * 1_000 / sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The processor time of the threads that a process has now, to the nanosecond.
  static func nanoseconds(_ process: Int32) -> Int {
    numbers(in: "/proc/\(process)/task").reduce(0) { sum, thread in
      let spent = text("/proc/\(process)/task/\(thread)/schedstat").split(separator: " ").first
      return sum + (spent.flatMap { Int($0) } ?? 0)
    }
  }

  /// The most memory of the machine's that a process has ever had, shared or not, in megabytes.
  static func peak(_ process: Int32) -> Double {
    Double(number("VmHWM", in: text("/proc/\(process)/status"))) / 1024
  }

  /// The processes of a name that a process has started.
  static func children(of parent: Int32, named name: String) -> [Int32] {
    numbers(in: "/proc").filter { process in
      let status = text("/proc/\(process)/status")
      return number("PPid", in: status) == Int(parent) && status.hasPrefix("Name:\t\(name)\n")
    }
  }
}
