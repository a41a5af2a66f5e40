// SPDX-License-Identifier: MIT
import FileIO
package import MediaModel
package import SettingsModel

/// The file with the user's settings. Any thread; every call blocks on the disk.
package struct SettingsFile: Sendable {
  /// The path of the file, which need not exist.
  package let path: FilePath

  /// A file with more bytes than this is not a settings file.
  private static let limit = 1 << 20

  package init(_ path: FilePath) { self.path = path }

  /// The user's own settings file, by the desktop's rules for folders; nil if the environment doesn't say where that is.
  package static var standard: SettingsFile? { UserFolders.settingsFile.map(SettingsFile.init) }

  /// A folder to watch for changes. If there is a `name`, only what has that name matters.
  package struct Place: Sendable, Hashable {
    package var folder: FilePath
    package var name: FilePath?
  }

  /// The folders to watch for changes: the one of the path; if the path is a link, the one of the file that it leads to, even if no file is there at
  /// the moment; and if that folder is a link, the one in which the link stands.
  package var places: [Place] {
    guard let folder = path.parent else { return [] }
    var places = [Place(folder: folder)]
    if let real = (try? path.writingPlace())?.parent, real != folder { places.append(Place(folder: real)) }
    if folder.isLink, let above = folder.parent {
      places.append(Place(folder: above, name: folder.lastComponent))
    }
    return places
  }

  /// Whether the path is a link to a file that does not exist.
  package var leadsNowhere: Bool { path.isLink && path.real == nil }

  /// The present text of the file; empty if the file does not exist. Throws if it can't be read, or isn't text.
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
      throw SettingsFileError(path, String(errno: error.code), error.remedy(to: "read it"))
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

  /// Reads the file, calls `edit` with its text, and writes the file, completely or not at all. A second caller waits meanwhile, so that no change is
  /// lost. Returns the new text. If nothing was changed, nothing is written. A link stays a link: the file that it leads to is replaced. Throws if
  /// the file can't be read or written, or if another program keeps it locked.
  package func change(_ edit: (inout SettingsText) -> Void) throws(SettingsFileError) -> SettingsText {
    let lock = try lock()
    var text = try read()
    let before = text
    edit(&text)
    if text != before { try write(text) }
    _ = consume lock
    return text
  }

  /// Locks the folder of the file, which is created if it does not exist.
  private func lock() throws(SettingsFileError) -> FolderLock {
    do throws(SystemError) {
      let folder = try path.writingPlace().parent ?? path
      try NewFolder.make(folder)
      return try FolderLock(folder)
    } catch {
      let isHeld = error == .held
      throw SettingsFileError(
        path, isHeld ? "another program has been changing it for ten seconds" : String(errno: error.code),
        isHeld ? "end that one; nothing was changed" : Self.refusal(error),
        isBusy: isHeld)
    }
  }

  private func write(_ text: SettingsText) throws(SettingsFileError) {
    do { try NewFile.write(Array(text.text.utf8), at: path) } catch {
      throw SettingsFileError(
        path, String(errno: error.code), Self.refusal(error))
    }
  }

  private static func refusal(_ error: SystemError) -> String {
    "nothing was changed; \(error.remedy(to: "write there"))"
  }
}

/// Why the settings file can't be read or written: the file, the reason and the remedy.
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
