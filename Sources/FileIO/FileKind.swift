// SPDX-License-Identifier: MIT
package import Glibc

/// What a file is.
package enum FileKind: Sendable, Equatable {
  case file, folder, pipe, socket, device

  /// The kind that the mode bits of a `stat` result give.
  package init(mode: mode_t) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFIFO: .pipe
      case S_IFSOCK: .socket
      default: .device
      }
  }

  /// The kind with an article, for a person to read.
  package var name: String {
    switch self {
    case .file: "a file"
    case .folder: "a folder"
    case .pipe: "a pipe"
    case .socket: "a socket"
    case .device: "a device"
    }
  }
}
