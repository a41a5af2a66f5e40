// SPDX-License-Identifier: MIT
import AgentLoop
import SettingsModel
import UserFiles
import WatchIO

/// Keeps the settings that are in force, and follows the settings file while the agent runs. Loop only.
///
/// If the file has an error, the log says so. At the start, what cannot be read has its preset: a typo must not silence the music.
/// Later the settings stay as they were: a file that is half written must not change the sound.
@AgentLoop
final class SettingsKeeper {
  /// The settings that are in force.
  private(set) var settings: Settings
  private let file: SettingsFile
  private let log: Log
  private let thread: BlockingThread
  private var timer: LoopTimer?
  private var watches: [FolderWatch] = []
  private var handler: @AgentLoop (Settings) -> Void = { _ in }

  private static let settling = Duration.milliseconds(50)

  /// Reads the file. Blocks on the disk, once, at the agent's start.
  init(_ file: SettingsFile, on thread: BlockingThread, _ log: Log) {
    settings = Self.read(file, log).settings
    self.file = file
    self.thread = thread
    self.log = log
  }

  /// Begins to follow the file, and calls `handler` whenever the settings have changed.
  func follow(_ handler: @escaping @AgentLoop (Settings) -> Void) {
    self.handler = handler
    watches = file.folders.map { folder in FolderWatch(folder) { [weak self] in self?.lookSoon() } }
    if let trouble = watches.lazy.compactMap(\.trouble).first {
      log(.warning, "changes of the settings are not noticed: \(trouble)")
    }
  }

  /// Reads the file a little later: an editor may empty the file before it fills it, and the empty file must not count.
  private func lookSoon() {
    timer?.cancel()
    timer = AgentLoop.after(Self.settling) { [weak self] in
      self?.timer = nil
      self?.look()
    }
  }

  private func look() { AgentLoop.task { [weak self] in await self?.readAgain() } }

  /// Reads the file, and returns when what it says is in force.
  func readAgain() async {
    let read = try? await thread.run { [file, log] job in
      job.looks(at: "\(file.path)")
      return Self.read(file, log)
    }
    if let read, read.isWhole { take(read.settings) }
  }

  private func take(_ new: Settings) {
    guard new != settings else { return }
    settings = new
    log(.info, "settings: taken from '\(file.path)'")
    handler(new)
  }

  /// What the file says, and whether all of it could be read. The errors go to the log.
  private nonisolated static func read(
    _ file: SettingsFile, _ log: Log
  ) -> (settings: Settings, isWhole: Bool) {
    do throws(SettingsFileError) {
      let (settings, errors) = try file.read().read()
      for error in errors {
        log(
          .warning,
          "'\(file.path)', line \(error.line ?? 0): \(error.subject): \(error.reason); \(error.remedy)")
      }
      return (settings, errors.isEmpty)
    } catch {
      log(.warning, "'\(error.path)': \(error.reason); \(error.remedy)")
      return (Settings(), false)
    }
  }
}
