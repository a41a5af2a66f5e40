// SPDX-License-Identifier: MIT
import AgentLoop
import CommandModel
import FileIO
import Glibc
import MediaModel

/// A file in a new folder that nobody else can read. The agent reads and writes files only, so standard input and output reach it through one.
struct BorrowedFile: Sendable {
  let path: FilePath
  private let folder: FilePath

  /// Runs `body` with a file, which is removed at its end, and also where a signal ends the process before that. Until then, signals act only while
  /// `body` waits for something on the loop.
  @AgentLoop
  static func lend<Result>(
    _ body: (BorrowedFile) async throws(CommandError) -> Result
  ) async throws(CommandError) -> Result {
    // Before there is a file, so that no signal finds one that nobody would remove.
    setBlocked(true, SignalWatch.ending)
    defer { setBlocked(false, SignalWatch.ending) }
    let file = try BorrowedFile()
    let signals = SignalWatch(SignalWatch.ending) { signal in
      file.remove()
      _ = die(of: signal)
    }
    defer {
      file.remove()
      withExtendedLifetime(signals) {}
    }
    return try await body(file)
  }

  /// Runs an order to which the file was given. Its errors call the file by this name, because nobody has heard of the file.
  @AgentLoop
  func calledInErrors<Result>(
    _ name: String, _ order: () async throws(CommandError) -> Result
  ) async throws(CommandError) -> Result {
    do throws(CommandError) { return try await order() } catch {
      throw CommandError(
        error.code, renamed(error.subject, name), renamed(error.reason, name), error.remedy)
    }
  }

  /// The text with `name` in the file's place. By hand, as the standard library's own way brings its regular expressions along: a megabyte of memory.
  private func renamed(_ text: String, _ name: String) -> String {
    let (bytes, own) = (Array(text.utf8), Array("'\(path)'".utf8))
    guard bytes.count >= own.count,
      let place = (0...bytes.count - own.count).first(where: { bytes[$0...].starts(with: own) })
    else { return text }
    let parts = bytes[..<place] + Array(name.utf8) + bytes[(place + own.count)...]
    return String(decoding: parts, as: UTF8.self)
  }

  /// Makes the folder; the file does not exist yet.
  private init() throws(CommandError) {
    let named = ["XDG_RUNTIME_DIR", "TMPDIR"].compactMap { (name: String) -> String? in
      getenv(name).map { String(cString: $0) }
    }
    // Where neither variable is set, /tmp is the place that every system has. The folder in it is closed to others either way.
    let place = named.first { $0.hasPrefix("/") }
    var name = Array("\(place ?? "/tmp")/fermata-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil, let folder = FilePath(name.dropLast().map { UInt8(bitPattern: $0) }) else {
      throw CommandError(
        .cannotWrite, "'\(place ?? "/tmp")'", "can't be written: \(String(errno: errno))", "make room there")
    }
    self.folder = folder
    path = folder.entry("content")
  }

  /// Removes the file and its folder.
  private func remove() {
    path.withCString { _ = unlink($0) }
    folder.withCString { _ = rmdir($0) }
  }

  func write(_ bytes: [UInt8]) throws(CommandError) {
    do throws(SystemError) { try NewFile.write(bytes, at: path) } catch {
      throw CommandError(
        .cannotWrite, "'\(path)'", "can't be written: \(String(errno: error.code))", "make room there")
    }
  }

  func read() throws(CommandError) -> [UInt8] {
    do throws(SystemError) {
      let held = try HeldFile(path)
      return try held.openFile().head(Int(held.stamp.size))
    } catch {
      throw CommandError(.refused, "'\(path)'", "can't be read: \(String(errno: error.code))")
    }
  }
}
