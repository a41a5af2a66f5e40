// SPDX-License-Identifier: MIT
import FileIO
public import MediaModel
public import SettingsModel

/// Where the settings are kept. Any thread; every call blocks on the disk.
public struct SettingsFile: Sendable {
  /// The file. It need not be there.
  public let path: FilePath

  /// More than this is no file of settings.
  private static let limit = 1 << 20

  /// The settings in this file.
  public init(_ path: FilePath) { self.path = path }

  /// The user's own, by the desktop's rules for folders; nil where the environment doesn't say where that is.
  public static var standard: SettingsFile? { Surroundings.settingsFile.map(SettingsFile.init) }

  /// The folders in which a change of it shows: its own, and that of the file that a link leads to.
  var folders: [FilePath] {
    let all = [path.parent, path.real?.parent].compactMap(\.self)
    return all.count == 2 && all[0] == all[1] ? [all[0]] : all
  }

  /// What it says now; nothing where there is no such file. Throws where it can't be read, or isn't text.
  public func read() throws(SettingsFileError) -> SettingsText {
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

  /// Replaces it, whole or not at all. A link stays one: what it leads to is replaced. Throws where it can't be written.
  public func write(_ text: SettingsText) throws(SettingsFileError) {
    let target = path.real ?? path
    do {
      if let folder = target.parent { try NewFolder.make(folder) }
      let before = try? HeldFile(target)
      let file = try NewFile(besides: target)
      try file.write(Array(text.text.utf8))
      if let before { try file.setPermissions(before.permissions) }
      try file.publish(as: target)
    } catch {
      throw SettingsFileError(
        path, String(errno: error.code), "nothing was changed; let yourself write there")
    }
  }
}
