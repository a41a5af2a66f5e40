// SPDX-License-Identifier: MIT
import FermataAgent
import FileIO
import Glibc
import HealthModel
import MediaModel

/// Collects the doctor's evidence about the folders that the agent writes to, without creating them.
enum FolderLook {
  static func evidence() -> [HealthEvidence.Folder] {
    [
      look("state", Surroundings.stateFolder),
      look("pictures", Surroundings.artFolder),
    ]
  }

  private static func look(_ purpose: String, _ path: FilePath?) -> HealthEvidence.Folder {
    guard let path else { return HealthEvidence.Folder(purpose: purpose, path: nil) }
    return HealthEvidence.Folder(purpose: purpose, path: path.location, trouble: trouble(at: path))
  }

  /// Why the folder can't be used; nil if it can. If it doesn't exist yet, the nearest existing folder above it has
  /// to be writable.
  private static func trouble(at path: FilePath) -> String? {
    var status = stat()
    let isThere = path.withCString { stat($0, &status) } == 0
    if isThere, status.st_mode & S_IFMT != S_IFDIR { return String(errno: ENOTDIR) }
    if path.withCString({ access($0, R_OK | W_OK | X_OK) }) == 0 { return nil }
    let code = errno
    guard code == ENOENT, let above = path.parent else { return String(errno: code) }
    return trouble(at: above)
  }
}
