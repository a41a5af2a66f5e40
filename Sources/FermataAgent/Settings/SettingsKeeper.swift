// SPDX-License-Identifier: MIT
import AgentLoop
import SettingsModel
import WatchIO

/// Has the player do as the settings' file says, and follows the file while the agent runs.
///
/// What can't be meant is for the log, and then what was so before stays in force: half of a file that is being written is no
/// reason for other sound.
@AgentLoop
final class SettingsKeeper {
  /// What is in force.
  private(set) var settings: Settings
  private let file: SettingsFile
  private let log: Log
  private let thread: BlockingThread
  private var timer: LoopTimer?
  private var watches: [FolderWatch] = []
  private var handler: @AgentLoop (Settings) -> Void = { _ in }

  private static let settling = Duration.milliseconds(50)

  /// Reads the file. Answers nil where it can't be meant, and has said in the log what is wrong with it. Blocks on the disk,
  /// once, at the agent's start.
  init?(_ file: SettingsFile, on thread: BlockingThread, _ log: Log) {
    guard let settings = Self.read(file, log) else { return nil }
    self.settings = settings
    self.file = file
    self.thread = thread
    self.log = log
  }

  /// Calls `handler` whenever something else is chosen.
  func follow(_ handler: @escaping @AgentLoop (Settings) -> Void) {
    self.handler = handler
    watches = file.folders.map { folder in FolderWatch(folder) { [weak self] in self?.lookSoon() } }
    if let trouble = watches.lazy.compactMap(\.trouble).first {
      log(.warning, "changes of the settings are not noticed: \(trouble)")
    }
  }

  /// An editor empties the file before it fills it; what is in between is not meant.
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
