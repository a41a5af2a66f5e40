// SPDX-License-Identifier: MIT
public import MediaModel

/// Why the file of settings can't be had: the file, the reason, and what to do.
public struct SettingsFileError: Error, Hashable {
  /// The file.
  public let path: FilePath
  /// Why not.
  public let reason: String
  /// What to do.
  public let remedy: String
  /// Whether somebody else is changing it, and later it can be had.
  public let isBusy: Bool

  init(_ path: FilePath, _ reason: String, _ remedy: String, isBusy: Bool = false) {
    self.isBusy = isBusy
    self.path = path
    self.reason = reason
    self.remedy = remedy
  }
}
