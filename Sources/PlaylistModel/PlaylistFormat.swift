// SPDX-License-Identifier: MIT
package import MediaModel

/// The formats of playlist files. The raw value is the file name extension.
package enum PlaylistFormat: String, Sendable, Hashable, CaseIterable {
  /// One path or URI per line. Text that isn't valid UTF-8 is taken for Latin-1.
  case m3u
  /// M3U in UTF-8. `m3u` and `m3u8` are read and written in the same way.
  case m3u8
  /// A PLS file: numbered keys, as in an INI file.
  case pls
  case xspf
  /// A CUE sheet: the tracks of a disc and where they begin.
  case cue

  /// The playlist format that a file name's extension stands for; nil for any other extension.
  package init?(name: FilePath) { self.init(rawValue: name.pathExtension) }

  /// The playlist format of a file, judged by its first bytes, or else by its name; nil if neither shows one.
  package init?(bytes: [UInt8], name: FilePath) {
    let head = PlaylistText.decode(PlaylistText.normalized(Array(bytes.prefix(4_096)))[...])
    guard let format = Self(head: head) ?? Self(name: name) else {
      return nil
    }
    self = format
  }

  private init?(head: String) {
    let lines = head.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace).lowercased() }
      .filter { !$0.isEmpty }
    guard let first = lines.first else { return nil }
    if first.hasPrefix("#extm3u") {
      self = .m3u8
    } else if first.hasPrefix("[playlist]") {
      self = .pls
    } else if first.hasPrefix("<") && head.split(whereSeparator: { !$0.isLetter }).contains("xspf") {
      self = .xspf
    } else if Self.isCue(lines) {
      self = .cue
    } else {
      return nil
    }
  }

  private static func isCue(_ lines: [String]) -> Bool {
    func begins(_ line: String, _ words: [String]) -> Bool { words.contains { line.hasPrefix($0 + " ") } }
    return begins(lines[0], ["rem", "file", "title", "performer", "catalog", "cdtextfile", "songwriter"])
      && lines.contains { begins($0, ["file"]) && $0.contains("\"") || isTrack($0) }
  }

  /// Whether a line begins a track of a CUE sheet: `TRACK 01 AUDIO`. A list of file names may have a line `Track 01.mp3`.
  private static func isTrack(_ line: String) -> Bool {
    let words = line.split(separator: " ")
    return words.count == 3 && words[0] == "track" && Int(words[1]) != nil && !words[2].contains(".")
  }
}

/// Why a playlist can't be read or written at all.
package struct PlaylistError: Error, Equatable, CustomStringConvertible {
  package enum Reason: Sendable, Equatable {
    case unrecognized
    case tooLarge
    case partsUnsupported(PlaylistFormat)
    case pathUnsupported(PlaylistFormat)
    case tooManyTracks
    case tooManyEntries
    /// A part of the file can't be read, for this reason.
    case damaged(String)
  }

  /// The playlist, or the entry that can't be written.
  package let subject: String
  package let reason: Reason

  init(_ subject: String, _ reason: Reason) {
    (self.subject, self.reason) = (subject, reason)
  }

  /// The subject, the reason and what to do.
  package var description: String { "\(subject): \(explanation)" }

  package var explanation: String {
    switch reason {
    case .unrecognized: "not a playlist; M3U, PLS, XSPF and CUE are read"
    case .tooLarge:
      "more than \(PlaylistReader.largestFile >> 20) MiB, which is too large for a playlist; split it"
    case .partsUnsupported(let format): "part of a file, which \(format) can't say; save as m3u8 or xspf"
    case .pathUnsupported(let format): "a path that \(format) can't hold; save as xspf"
    case .tooManyEntries:
      "more than \(PlaylistReader.mostEntries), and no more would be read; save them in parts"
    case .damaged(let problem):
      "\(problem), so a part of it would be lost; mend it, or delete it and save the queue in its place"
    case .tooManyTracks: "more than 99 tracks, which cue can't number; save as m3u8 or xspf"
    }
  }
}

/// Converts between the names of kept playlists and the names of their files.
///
/// A playlist's name may be any text. Characters that a file name can't or should not contain are written as `%XX`:
/// slashes, control characters, a dot at the beginning, and a `%` that would be taken for such an escape.
package enum PlaylistName {
  /// The most bytes that a file name may have.
  package static let longest = 255
  /// The extensions of files that count as kept playlists. Ours have the first one; files with the others were put there by somebody.
  package static let endings: [PlaylistFormat] = [.m3u8, .m3u, .pls, .xspf]

  /// The file name for a playlist; nil if the playlist's name is empty or too long.
  package static func file(named name: String, as format: PlaylistFormat = .m3u8) -> FilePath? {
    guard !name.isEmpty else { return nil }
    let ending = Array(".\(format.rawValue)".utf8)
    let bytes = Array(name.utf8)
    var file: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if isEscaped(byte, at: index, of: bytes) {
        file += PercentEncoding.encode([byte]) { _ in false }.utf8
      } else {
        file.append(byte)
      }
    }
    return file.count + ending.count <= longest ? FilePath(file + ending) : nil
  }

  /// The playlist's name for a file; nil if the file is hidden or doesn't have a playlist's extension.
  package static func name(of file: FilePath) -> String? {
    let bytes = Array(file.nameBytes)
    guard bytes.first != dot, let format = PlaylistFormat(name: file), endings.contains(format) else {
      return nil
    }
    let stem = Array(bytes.dropLast(1 + format.rawValue.utf8.count))
    guard !stem.isEmpty else { return nil }
    return String(validating: unescaped(stem), as: UTF8.self) ?? String(decoding: stem, as: UTF8.self)
  }

  private static let dot = UInt8(ascii: ".")
  private static let percent = UInt8(ascii: "%")

  private static func isEscaped(_ byte: UInt8, at index: Int, of bytes: [UInt8]) -> Bool {
    switch byte {
    case 0..<0x20, 0x7F, UInt8(ascii: "/"): true
    case dot: index == 0
    case percent: escape(in: bytes[index...]) != nil
    // The control characters beyond ASCII (C1) have two bytes in UTF-8.
    case 0xC2: bytes[index + 1] < 0xA0
    case 0x80..<0xA0: bytes[index - 1] == 0xC2
    default: false
    }
  }

  /// The byte that an escape at the beginning stands for; nil if there is no escape.
  private static func escape(in bytes: ArraySlice<UInt8>) -> UInt8? {
    guard bytes.count >= 3, bytes.first == percent else { return nil }
    return PercentEncoding.decode(bytes.prefix(3))?.first
  }

  private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var (out, rest) = ([UInt8](), bytes[...])
    while let first = rest.first {
      let escape = escape(in: rest)
      out.append(escape ?? first)
      rest = rest.dropFirst(escape == nil ? 1 : 3)
    }
    return out
  }
}
