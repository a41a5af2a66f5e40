// SPDX-License-Identifier: MIT
import AgentLoop
import MediaModel
import SettingsModel
import UserFiles
import WatchIO

/// Keeps the settings that are in force, and follows the settings file while the agent runs.
///
/// Errors in the file are logged. At the agent's start, a setting with an error gets its preset: a typo must not silence the music. When the file
/// changes later and has an error, all settings stay as they were, because an editor may have written only half of the file. The same goes for a link
/// whose file is gone: a tool that keeps such files may be exchanging it. When somebody asks for
/// the file to be read, as the command that sets a setting does, the file is complete: then settings without an error are taken, and the others stay
/// as they were.
@AgentLoop
final class SettingsKeeper {
  /// The settings that are in force.
  private(set) var settings: Settings
  private let file: SettingsFile
  private let log: Log
  // Of its own, because what else is read for an order may take minutes.
  private let thread = BlockingThread("settings")
  private var timer: LoopTimer?
  private var watches: [FolderWatch] = []
  private var watched: [SettingsFile.Place] = []
  private var handler: @AgentLoop (Settings) -> Void = { _ in }

  private static let settling = Duration.milliseconds(50)

  /// A keeper that has not read the file yet: until `follow` is called, the presets are in force.
  init(_ file: SettingsFile, _ log: Log) {
    settings = Settings()
    self.file = file
    self.log = log
  }

  /// Reads the file and follows it from then on, and calls `handler` whenever the settings have changed. Blocks on the disk, once, at the agent's
  /// start.
  func follow(_ handler: @escaping @AgentLoop (Settings) -> Void) {
    self.handler = handler
    // Before the file is read, so that no change between the two is overlooked.
    watch(file.places)
    settings = Self.read(file, over: Settings(), log).settings
  }

  /// Watches these folders, and no others any more. Where the file is a link, they change when the link is made to lead elsewhere.
  private func watch(_ places: [SettingsFile.Place]) {
    watched = places
    watches = places.map { place in
      FolderWatch(place.folder, only: place.name) { [weak self] in self?.lookSoon() }
    }
    if let trouble = watches.lazy.compactMap(\.trouble).first {
      log(.warning, "changes of the settings are not noticed: \(trouble)")
    }
  }

  /// Reads the file a little later: an editor may empty the file before it writes it, and the empty file must not count.
  private func lookSoon() {
    timer?.cancel()
    timer = AgentLoop.after(Self.settling) { [weak self] in
      self?.timer = nil
      self?.look()
    }
  }

  private func look() { AgentLoop.task { [weak self] in await self?.readAgain(ifWhole: true) } }

  /// Reads the file, and returns its path when what it says is in force.
  func readAgain() async -> FilePath {
    await readAgain(ifWhole: false)
    return file.path
  }

  private func readAgain(ifWhole mustBeWhole: Bool) async {
    let found = try? await thread.run { [file, log, settings] job in
      job.looks(at: "\(file.path)")
      return (read: Self.read(file, over: settings, log), places: file.places)
    }
    guard let found else { return }
    if !watches.isEmpty, found.places != watched {
      watch(found.places)
      lookSoon()  // for what was written there before the watch began
    }
    if found.read.isWhole || !mustBeWhole { take(found.read.settings) }
  }

  private func take(_ new: Settings) {
    guard new != settings else { return }
    settings = new
    log(.info, "settings: taken from '\(file.path)'")
    handler(new)
  }

  /// The settings in the file, and whether all of them could be read. A setting that cannot be read stays as in `present`. The errors go to the log.
  private nonisolated static func read(
    _ file: SettingsFile, over present: Settings, _ log: Log
  ) -> (settings: Settings, isWhole: Bool) {
    if file.leadsNowhere { return (present, false) }
    do throws(SettingsFileError) {
      let (settings, errors) = try file.read().read(over: present)
      for error in errors {
        log(
          .warning,
          "'\(file.path)', line \(error.line ?? 0): \(error.subject): \(error.reason); \(error.remedy)")
      }
      return (settings, errors.isEmpty)
    } catch {
      log(.warning, "'\(error.path)': \(error.reason); \(error.remedy)")
      return (present, false)
    }
  }
}
