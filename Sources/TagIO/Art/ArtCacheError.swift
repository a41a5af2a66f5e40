// SPDX-License-Identifier: MIT
internal import FileIO
package import MediaModel

/// Why a picture isn't in the cache. Whoever asked goes on without it.
package struct ArtCacheError: Error, Equatable, CustomStringConvertible {
  /// What was being done.
  package enum Operation: String, Sendable {
    /// Making the cache's folder.
    case makeFolder = "can't make the folder"
    /// Making the new file in it.
    case create = "can't create a file"
    /// Filling it.
    case write = "can't write"
    /// Giving it its name.
    case rename = "can't rename"
    /// Nothing was tried: the picture alone is larger than the cache may be.
    case fit = "too large a picture"
  }

  /// The file or folder it happened to.
  package let path: FilePath
  /// What was being done.
  package let operation: Operation
  /// The system's error number; zero where the system was not asked.
  package let code: Int32

  /// The place, the reason and what to do.
  package var description: String {
    if operation == .fit { return "\(path): \(operation.rawValue); raise the cache's limit" }
    return
      "\(path): \(operation.rawValue): \(String(errno: code)); free space there or choose another cache folder"
  }
}
