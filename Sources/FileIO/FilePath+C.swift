// SPDX-License-Identifier: MIT
internal import Glibc
package import MediaModel

extension FilePath {
  /// The path as the C library wants it, for the length of the call.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe (bytes + [0]).withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        // A path has at least one byte, so the buffer is not empty and has an address.
        unsafe body(text.baseAddress!)
      }
    }
  }

  /// An entry of this folder.
  package func entry(_ name: FilePath) -> FilePath { name.resolved(against: self) }

  /// This folder, as one that has to be entered to get there.
  var inside: FilePath { FilePath(bytes + Array("/.".utf8)) ?? self }

  /// What follows the last slash, as a path of its own; nil for the root.
  package var lastComponent: FilePath? { FilePath(nameBytes) }

  /// Whether there is nothing at the path; what may not be looked at is there. Asks the file system and opens nothing. Blocks.
  package var isMissing: Bool {
    unsafe withCString { unsafe access($0, F_OK) } != 0 && SystemError.last.isMissing
  }

  /// The path with its `..` taken out as the file system understands them, past links too. Where they lead
  /// nowhere the path stays as it is, for opening it to say so.
  package var withoutParents: FilePath {
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

  /// Where a file of this name is written: at the end of its links, also of one that leads to nothing yet. Throws where
  /// the links go round in a circle. Blocks.
  package func writingPlace() throws(SystemError) -> FilePath {
    if let real { return real }
    var place = self
    for _ in 0..<Self.mostLinks {
      guard let target = place.linkTarget else { return place }
      place = (place.parent.map { target.resolved(against: $0) } ?? target).withoutParents
    }
    throw SystemError(code: ELOOP)
  }

  /// As many as the kernel follows.
  private static let mostLinks = 40

  /// What a link says; nil where there is no link.
  private var linkTarget: FilePath? {
    unsafe withCString { text in
      unsafe withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
        let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        let count = unsafe start.map { unsafe readlink(text, $0, buffer.count) } ?? -1
        return count > 0 ? unsafe FilePath(UnsafeRawBufferPointer(rebasing: buffer[..<count])) : nil
      }
    }
  }

  /// Where the path leads when every link is followed; nil where that is nowhere.
  package var real: FilePath? {
    unsafe withCString { text in
      guard let found = unsafe realpath(text, nil) else { return nil }
      defer { unsafe free(found) }
      return unsafe FilePath(UnsafeRawBufferPointer(start: found, count: strlen(found)))
    }
  }
}
