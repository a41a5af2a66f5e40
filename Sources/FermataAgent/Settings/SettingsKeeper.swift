// SPDX-License-Identifier: MIT
import AgentLoop
import SettingsModel
import WatchIO

/// Keeps the settings that are in force, and follows the settings file while the agent runs. Loop only.
///
/// If the file has an error, the log says so and the settings stay as they were: a file that is half written must not change the
/// sound.
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

  /// Reads the file. Nil if it has an error, which the log has by then. Blocks on the disk, once, at the agent's start.
  init?(_ file: SettingsFile, on thread: BlockingThread, _ log: Log) {
    guard let settings = Self.read(file, log) else { return nil }
    self.settings = settings
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

  /// Reads the file a little later: an editor may empty it before it fills it, and what is in between is not meant.
  private func lookSoon() {
    guard timer == nil else { return }
    timer = AgentLoop.after(Self.settling) { [weak self] in
      self?.timer = nil
      self?.look()
    }
  }

  private func look() {
    AgentLoop.task { [weak self, thread, file, log] in
      let new = try? await thread.run { job in
        job.looks(at: "\(file.path)")
        return Self.read(file, log)
      }
      if let new { self?.take(new) }
    }
  }

  private func take(_ new: Settings) {
    guard new != settings else { return }
    settings = new
    log(.info, "settings: taken from '\(file.path)'")
    handler(new)
  }

  private nonisolated static func read(_ file: SettingsFile, _ log: Log) -> Settings? {
    do throws(SettingsFileError) {
      let (settings, errors) = try file.read().read()
      for error in errors {
        log(
          .error,
          "'\(file.path)', line \(error.line ?? 0): \(error.subject): \(error.reason); \(error.remedy)")
      }
      return errors.isEmpty ? settings : nil
    } catch {
      log(.error, "'\(error.path)': \(error.reason); \(error.remedy)")
      return nil
    }
  }
}
