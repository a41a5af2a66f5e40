// SPDX-License-Identifier: MIT
import AgentLoop
import MediaModel
import SettingsModel
import UserFiles
import WatchIO

/// Keeps the settings that are in force, and follows the settings file while the agent runs.
///
/// Errors in the file are logged. At the agent's start, a setting with an error gets its preset: a typo must not silence the music. When the file
/// changes later and has an error, an editor may have written only half of it, so at first all settings stay as they were. If the file then is quiet
/// for a moment, nobody is writing it any more: settings without an error are taken, and the others stay as they were. That is done at once when
/// somebody asks for the file to be read, as the command that sets a setting does. A link whose file is gone changes nothing: a tool that keeps such
/// files may be exchanging it.
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
  /// After so long without a change, a file with an error is no half-written one.
  private static let quiet = Duration.seconds(1)

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

  private func look() {
    AgentLoop.task { [weak self] in
      guard let self, let read = await self.read(), !self.take(read, ifWhole: true) else { return }
      self.takePartWhenQuiet(read)
    }
  }

  /// Takes what can be read of a file with errors, if the file does not change for a moment.
  private func takePartWhenQuiet(_ read: Reading) {
    // It has changed since it was read, and is read again.
    guard timer == nil else { return }
    timer = AgentLoop.after(Self.quiet) { [weak self] in
      self?.timer = nil
      self?.take(read, ifWhole: false)
    }
  }

  /// Reads the file, and returns its path when what it says is in force.
  func readAgain() async -> FilePath {
    timer?.cancel()
    timer = nil
    if let read = await read() { take(read, ifWhole: false) }
    return file.path
  }

  /// Reads the file on a thread that may block; nil if that takes too long.
  private func read() async -> Reading? {
    let found = try? await thread.run { [file, log, settings] job in
      job.looks(at: "\(file.path)")
      return (read: Self.read(file, over: settings, log), places: file.places)
    }
    guard let found else { return nil }
    if !watches.isEmpty, found.places != watched {
      watch(found.places)
      lookSoon()  // for what was written there before the watch began
    }
    return found.read
  }

  /// Puts settings in force, unless they must be whole and are not. Returns whether they are in force.
  @discardableResult
  private func take(_ read: Reading, ifWhole mustBeWhole: Bool) -> Bool {
    guard read.isWhole || !mustBeWhole else { return false }
    if read.settings != settings {
      settings = read.settings
      log(.info, "settings: taken from '\(file.path)'")
      handler(settings)
    }
    return true
  }

  /// The settings in the file, and whether all of them could be read. A setting that could not is as it was before.
  private typealias Reading = (settings: Settings, isWhole: Bool)

  /// Reads the file. A setting that cannot be read stays as in `present`. The errors go to the log.
  private nonisolated static func read(_ file: SettingsFile, over present: Settings, _ log: Log) -> Reading {
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
