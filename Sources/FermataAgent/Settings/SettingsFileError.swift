// SPDX-License-Identifier: MIT
package import MediaModel

/// Why the settings file can't be read or written: the file, the reason, and what to do.
package struct SettingsFileError: Error, Hashable {
  /// The file.
  package let path: FilePath
  /// What is wrong.
  package let reason: String
  /// What to do.
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
