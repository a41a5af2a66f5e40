// SPDX-License-Identifier: MIT
import AgentLoop
import FileIO
package import MediaModel
package import SettingsModel
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

/// The file in which the settings are kept. Any thread; every call blocks on the disk.
package struct SettingsFile: Sendable {
  /// The path of the file, which need not exist.
  package let path: FilePath

  /// A file with more bytes than this is not a settings file.
  private static let limit = 1 << 20

  package init(_ path: FilePath) { self.path = path }

  /// The user's own settings file, by the desktop's rules for folders; nil if the environment doesn't say where that is.
  package static var standard: SettingsFile? { Surroundings.settingsFile.map(SettingsFile.init) }

  /// The folders to watch for changes: the one of the path, and, if the path is a link, the one of the file that it leads to.
  var folders: [FilePath] {
    let all = [path.parent, path.real?.parent].compactMap(\.self)
    return all.count == 2 && all[0] == all[1] ? [all[0]] : all
  }

  /// What the file says now; empty if it does not exist. Throws if it can't be read, or isn't text.
  package func read() throws(SettingsFileError) -> SettingsText {
    let bytes: [UInt8]
    do {
      let file = try HeldFile(path)
      guard file.kind == .file else {
        throw SettingsFileError(path, "it is \(file.kind.name)", "replace it by a file")
      }
      bytes = try file.openFile().head(Self.limit + 1)
    } catch let error as SystemError {
      if error.isMissing { return SettingsText() }
      throw SettingsFileError(path, String(errno: error.code), "let yourself read it")
    } catch let error as SettingsFileError {
      throw error
    } catch {
      throw SettingsFileError(path, "\(error)", "let yourself read it")
    }
    guard bytes.count <= Self.limit, !bytes.contains(0) else {
      throw SettingsFileError(
        path, "it is no text of settings", "move it away; 'fermata settings set' makes a new one")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let number = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
      throw SettingsFileError(path, "line \(number ?? 1) is not UTF-8", "save it as UTF-8")
    }
    return SettingsText(text)
  }

  /// Reads the file, lets `edit` change the text, and writes it, whole or not at all. A second caller waits meanwhile, so that no change
  /// is lost. Returns the new text. If nothing was changed, nothing is written. A link stays a link: the file that it leads to is
  /// replaced. Throws if the file can't be read or written, or if another program keeps it locked.
  package func change(_ edit: (inout SettingsText) -> Void) throws(SettingsFileError) -> SettingsText {
    let lock = try lock()
    var text = try read()
    let before = text
    edit(&text)
    if text != before { try write(text) }
    _ = consume lock
    return text
  }

  /// Locks the folder of the file, which is made if it does not exist.
  private func lock() throws(SettingsFileError) -> FolderLock {
    do throws(SystemError) {
      let folder = try path.writingPlace().parent ?? path
      try NewFolder.make(folder)
      return try FolderLock(folder)
    } catch {
      let isHeld = error == .held
      throw SettingsFileError(
        path, isHeld ? "another program has been changing it for ten seconds" : String(errno: error.code),
        isHeld ? "end that one; nothing was changed" : "nothing was changed; let yourself write there",
        isBusy: isHeld)
    }
  }

  private func write(_ text: SettingsText) throws(SettingsFileError) {
    do { try NewFile.write(Array(text.text.utf8), at: path) } catch {
      throw SettingsFileError(
        path, String(errno: error.code), "nothing was changed; let yourself write there")
    }
  }
}

/// Why the settings file can't be read or written: the file, the reason, and what to do.
package struct SettingsFileError: Error, Hashable {
  package let path: FilePath
  package let reason: String
  package let remedy: String
  /// Whether another program is changing the file, so that trying again later may succeed.
  package let isBusy: Bool

  init(_ path: FilePath, _ reason: String, _ remedy: String, isBusy: Bool = false) {
    self.isBusy = isBusy
    self.path = path
    self.reason = reason
    self.remedy = remedy
  }
}
