// SPDX-License-Identifier: MIT
package import MediaModel

/// Why the file of settings can't be had: the file, the reason, and what to do.
package struct SettingsFileError: Error, Hashable {
  /// The file.
  package let path: FilePath
  /// Why not.
  package let reason: String
  /// What to do.
  package let remedy: String
  /// Whether somebody else is changing it, and later it can be had.
  package let isBusy: Bool

  init(_ path: FilePath, _ reason: String, _ remedy: String, isBusy: Bool = false) {
    self.isBusy = isBusy
    self.path = path
    self.reason = reason
    self.remedy = remedy
  }
}
