// SPDX-License-Identifier: MIT
import FermataAgent
import Glibc
import HealthModel
import MediaModel

/// Looks at the folders that the agent writes to, without making them.
enum FolderLook {
  static func evidence() -> [HealthEvidence.Folder] {
    [
      look("state", Surroundings.stateFolder),
      look("pictures", Surroundings.artFolder.map { $0.location }),
    ]
  }

  private static func look(_ purpose: String, _ path: String?) -> HealthEvidence.Folder {
    guard let path else { return HealthEvidence.Folder(purpose: purpose, path: nil) }
    return HealthEvidence.Folder(purpose: purpose, path: path, trouble: trouble(at: path))
  }

  /// Where the folder isn't there yet, the nearest above it has to let one be made.
  private static func trouble(at path: String) -> String? {
    if access(path, R_OK | W_OK | X_OK) == 0 { return nil }
    let code = errno
    guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      return String(cString: strerror(code))
    }
    return trouble(at: String(path[..<slash]))
  }
}
