// SPDX-License-Identifier: MIT
internal import Glibc
package import MediaModel

extension FilePath {
  /// Calls `body` with the path as a C string, which is valid only during the call.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe (bytes + [0]).withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        // A path has at least one byte, so the buffer is not empty and has an address.
        unsafe body(text.baseAddress!)
      }
    }
  }

  /// The path of the entry with this name in this folder.
  package func entry(_ name: FilePath) -> FilePath { name.resolved(against: self) }

  /// This folder's path with `/.` at the end, so that opening it enters the folder.
  var inside: FilePath { FilePath(bytes + Array("/.".utf8)) ?? self }

  /// The part after the last slash, as a path of its own; nil for the root.
  package var lastComponent: FilePath? { FilePath(nameBytes) }

  /// Whether nothing exists at the path. If access is denied, something may be there, so this is false. Asks the file
  /// system, but opens nothing. Blocks.
  package var isMissing: Bool {
    unsafe withCString { unsafe access($0, F_OK) } != 0 && SystemError.last.isMissing
  }

  /// Whether there is a regular file at the path that may be read. Asks the file system, but opens nothing. Blocks.
  package var isReadableFile: Bool {
    unsafe withCString { path in
      var status = stat()
      guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
      // Most files are the user's own; for these the kernel need not be asked again.
      if status.st_mode & S_IRUSR != 0, status.st_uid == geteuid() { return true }
      return unsafe faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0
    }
  }

  /// Whether there are two dots in a row anywhere.
  package var hasDoubleDot: Bool {
    let dot = UInt8(ascii: ".")
    var former: UInt8 = 0
    for byte in bytes {
      if byte == dot, former == dot { return true }
      former = byte
    }
    return false
  }

  /// The path without its `..` parts, resolved as the file system does it: after following links. If the `..` parts
  /// can't be resolved, the path stays as it is, and opening it gives the error. Blocks.
  package var withoutParents: FilePath {
    guard hasDoubleDot else { return self }
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let last = parts.lastIndex(where: { $0.elementsEqual("..".utf8) }),
      let head = FilePath(parts[...last].joined(separator: [UInt8(ascii: "/")])),
      let real = head.real
    else { return self }
    guard let tail = FilePath(parts[(last + 1)...].joined(separator: [UInt8(ascii: "/")])) else {
      return real
    }
    return tail.resolved(against: real)
  }

  /// The path that is written when somebody saves to this path: the end of its chain of links, even if nothing exists there yet. Throws if the links
  /// form a circle. Blocks.
  package func writingPlace() throws(SystemError) -> FilePath {
    if let real { return real }
    var place = self
    for _ in 0..<Self.mostLinks {
      guard let target = place.linkTarget else { return place }
      place = (place.parent.map { target.resolved(against: $0) } ?? target).withoutParents
    }
    throw SystemError(code: ELOOP)
  }

  /// The most links that are followed, as many as the kernel follows.
  private static let mostLinks = 40

  /// Whether there is a symbolic link at this path. Blocks.
  package var isLink: Bool { linkTarget != nil }

  /// The target of the symbolic link at this path; nil if there is no link.
  private var linkTarget: FilePath? {
    unsafe withCString { text in
      unsafe withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
        let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        let count = unsafe start.map { unsafe readlink(text, $0, buffer.count) } ?? -1
        return count > 0 ? unsafe FilePath(UnsafeRawBufferPointer(rebasing: buffer[..<count])) : nil
      }
    }
  }

  /// The path of the program that runs; nil if the system does not tell. If its file was replaced since, as by an upgrade, the new one has this path.
  package static var thisProgram: FilePath? {
    guard let path = ("/proc/self/exe" as FilePath).linkTarget else { return nil }
    let mark = Array(" (deleted)".utf8)
    guard path.bytes.suffix(mark.count).elementsEqual(mark) else { return path }
    return FilePath(path.bytes.dropLast(mark.count))
  }

  /// The path after following every link; nil if it leads to nothing. Blocks.
  package var real: FilePath? {
    unsafe withCString { text in
      guard let found = unsafe realpath(text, nil) else { return nil }
      defer { unsafe free(found) }
      return unsafe FilePath(UnsafeRawBufferPointer(start: found, count: strlen(found)))
    }
  }
}

// `file:` URIs may name the machine that the file is on.
extension FilePath {
  /// The name that the kernel has for this machine; nil if it has none. Terminals and `ls --hyperlink` write it into `file:` URIs.
  package static var thisHost: String? {
    // The longest name that Linux allows, with the NUL that ends it.
    var name = [CChar](repeating: 0, count: 65)
    guard unsafe gethostname(&name, name.count) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}

/// An error number (`errno`) of a failed system call.
package struct SystemError: Error, Equatable {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The error of the system call just made; read it before any other call.
  package static var last: SystemError { SystemError(code: errno) }

  /// `EWOULDBLOCK`: another process holds the lock that was asked for.
  package static let held = SystemError(code: EWOULDBLOCK)

  /// Whether nothing exists at the path, as opposed to something that can't be accessed.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether the disk, or the user's share of it, is full.
  package var isOfFullDisk: Bool { code == ENOSPC || code == EDQUOT }

  /// Advice for a person whose file could not be used because of this error. `act` says what was tried, such as "read it" or "write there".
  package func remedy(to act: String) -> String {
    switch code {
    case _ where isOfFullDisk: "make room on that disk"
    case ELOOP: "mend its links, which form a circle"
    default: "let yourself \(act)"
    }
  }
}

extension String {
  /// The system's text for an error number.
  package init(errno code: Int32) {
    var buffer = [CChar](repeating: 0, count: 128)
    let failed = unsafe strerror_r(code, &buffer, buffer.count) != 0
    let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    self = failed ? "error \(code)" : String(decoding: text, as: UTF8.self)
  }
}
