// SPDX-License-Identifier: MIT

/// The path of a file as Linux stores it: bytes without a NUL, in no particular encoding. A name that is not UTF-8 survives all conversions except
/// the one to text for a person. One pointer wide; copies share the bytes.
package struct FilePath: Sendable, Hashable {
  /// The path's bytes, at least one and none of them zero.
  package let bytes: [UInt8]

  /// The path of these bytes; nil if there are none or one of them is NUL, which no path can contain.
  package init?(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
    self.bytes = bytes
  }

  /// The path of an array of bytes; nil if it is empty or contains a NUL. A walk through folders makes paths by the thousand, and for arrays this is several
  /// times as fast as the general form.
  package init?(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, !bytes.contains(0) else { return nil }
    self.bytes = bytes
  }

  /// The path of a part of an array; nil if it is empty or contains a NUL.
  package init?(_ bytes: ArraySlice<UInt8>) { self.init(Array(bytes)) }

  /// The path of this text in UTF-8; nil if it is empty or contains a NUL.
  package init?(_ text: some StringProtocol) { self.init(text.utf8) }

  private init(checked bytes: [UInt8]) { self.bytes = bytes }

  /// The path for a person to read: bytes that are not UTF-8 show as U+FFFD, so the text may not lead back to the file.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The path as text from which it can be made again; nil if its bytes are not UTF-8.
  package var exactText: String? { String(validating: bytes, as: UTF8.self) }

  /// Whether the path starts at the root.
  package var isAbsolute: Bool { bytes[0] == .slash }

  /// The bytes after the last slash; a slash at the very end is not counted. Empty for the root.
  package var nameBytes: ArraySlice<UInt8> {
    let end = lastNameEnd
    let start = bytes[..<end].lastIndex(of: .slash).map { $0 + 1 } ?? 0
    return bytes[start..<end]
  }

  /// `nameBytes` as text for a person to read.
  package var name: String { String(decoding: nameBytes, as: UTF8.self) }

  /// The name without its extension: `a.b` of `a.b.mp3`, and all of `.hidden`.
  package var stem: String {
    let name = nameBytes
    guard let dot = name.lastIndex(of: .dot), dot > name.startIndex else { return self.name }
    return String(decoding: name[..<dot], as: UTF8.self)
  }

  /// The text after the name's last dot, in lower case; empty if there is no dot.
  package var pathExtension: String {
    let name = nameBytes
    guard let dot = name.lastIndex(of: .dot), dot > name.startIndex else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  /// The folder in which the path's last name is; nil for the root and for a bare name such as `a.mp3`.
  package var parent: FilePath? {
    guard let slash = bytes[..<lastNameEnd].lastIndex(of: .slash) else { return nil }
    if slash == 0 { return lastNameEnd == 1 ? nil : FilePath(checked: [.slash]) }
    return FilePath(checked: Array(bytes[..<slash]))
  }

  /// Whether the path is inside a folder, at any depth.
  package func isBelow(_ folder: FilePath) -> Bool {
    let start = folder.bytes
    guard bytes.count > start.count, bytes.starts(with: start) else { return false }
    return start.last == .slash || bytes[start.count] == .slash
  }

  /// Whether the path is inside this folder, and a scan of the folder passes it by: a name on the way begins with a dot.
  package func isHidden(in folder: FilePath) -> Bool {
    isBelow(folder)
      && bytes.dropFirst(folder.bytes.count).split(separator: .slash).contains { $0.first == .dot }
  }

  /// Whether the path is this folder or inside it.
  package func isAtOrBelow(_ folder: FilePath) -> Bool { self == folder || isBelow(folder) }

  /// Whether one of the two is the other, or inside it.
  package func shares(branchWith other: FilePath) -> Bool { isAtOrBelow(other) || other.isBelow(self) }

  /// This path, starting at `folder` if it is relative. `.` components and doubled slashes are removed. `..` components stay, because after a
  /// symbolic link only the file system knows where they lead.
  package func resolved(against folder: FilePath) -> FilePath {
    isAbsolute ? tidied : FilePath(checked: folder.bytes + [.slash] + bytes).tidied
  }

  /// The path without `.` components, doubled slashes and a slash at the end.
  package var tidied: FilePath {
    if isTidy { return self }
    let parts = bytes.split(separator: .slash).filter { !$0.elementsEqual([.dot]) }
    let joined = Array(parts.joined(separator: [.slash]))
    if isAbsolute { return FilePath(checked: [.slash] + joined) }
    return FilePath(checked: joined.isEmpty ? [.dot] : joined)
  }

  /// Whether the path is absolute and `tidied` would not change it. Nearly every path is tidy, and checking is faster than making a new one.
  private var isTidy: Bool {
    guard isAbsolute, bytes.count == 1 || bytes[bytes.count - 1] != .slash else { return false }
    var length = -1
    var isDot = false
    for byte in bytes {
      if byte == .slash {
        if length == 0 || length == 1 && isDot { return false }
        (length, isDot) = (0, false)
      } else {
        length += 1
        isDot = length == 1 && byte == .dot
      }
    }
    return !(length == 1 && isDot)
  }

  /// The path that leads from a folder to this one; nil if this path does not begin with the folder's.
  package func relative(to folder: FilePath) -> FilePath? {
    let prefix = folder.bytes.last == .slash ? folder.bytes : folder.bytes + [.slash]
    guard bytes.starts(with: prefix), bytes.count > prefix.count else { return nil }
    return FilePath(checked: Array(bytes[prefix.count...]))
  }

  private var lastNameEnd: Int {
    bytes.count > 1 && bytes.last == .slash ? bytes.count - 1 : bytes.count
  }
}

extension FilePath: CustomStringConvertible {
  package var description: String { text }
}

extension FilePath: ExpressibleByStringLiteral {
  /// A path written in the source code. Traps if the literal is empty or contains a NUL.
  package init(stringLiteral text: String) {
    precondition(!text.isEmpty && !text.utf8.contains(0), "not a path: \(text.debugDescription)")
    self.init(checked: Array(text.utf8))
  }
}

extension UInt8 {
  static let slash = UInt8(ascii: "/")
  static let dot = UInt8(ascii: ".")
}
