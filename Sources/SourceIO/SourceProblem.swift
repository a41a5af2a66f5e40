// SPDX-License-Identifier: MIT
internal import FileIO
internal import MediaModel

/// Something that was left out when sources (files, folders, playlists) were turned into queue entries, and why.
package struct SourceProblem: Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    case missing
    /// The file or folder can't be opened or read; the system's error number.
    case unreadable(Int32)
    /// A pipe, a socket or a device, which are never opened; or a folder where a CUE sheet names a sound file. The
    /// text says which, for a person.
    case notAFile(String)
    /// A file whose extension is not that of a sound file, and the reason why its content cannot be played.
    case noSound(String)
    case empty
    /// A URI that names no local file, and the reason.
    case badURI(String)
    /// The file's name is that of a playlist, but its content is not one; the text says why.
    case badPlaylist(String)
    /// The number of a playlist line that was not understood, and the reason.
    case badLine(Int, String)
    case loop
    /// Playlists or folders are nested deeper than this limit.
    case tooDeep(Int)
    /// The playlist has more bytes than this limit.
    case tooLarge(Int)
    /// There are more entries than this limit.
    case tooMany(Int)
    /// There are more names and lines to look at than this limit.
    case tooLong(Int)
  }

  /// The path or URI that was left out, for a person to read.
  package let subject: String
  package let kind: Kind
  /// The playlist that named the subject; nil if the user named it or it was found in a folder.
  package let playlist: String?

  init(_ subject: String, _ kind: Kind, in playlist: FilePath? = nil) {
    (self.subject, self.kind) = (subject, kind)
    self.playlist = playlist?.text
  }

  /// The subject, the reason and what to do about it.
  package var description: String {
    "\(subject): \(reason)" + (playlist.map { ", named by \($0)" } ?? "")
      + (remedy.isEmpty ? "" : "; \(remedy)")
  }

  /// Why the subject was left out. For a bad URI, playlist line or format it also says what to do, so `remedy` is empty
  /// there.
  package var reason: String {
    switch kind {
    case .missing: "no such file or folder"
    case .unreadable(let code): "can't be read: \(String(errno: code))"
    case .notAFile(let what): "is \(what), not a file that can play"
    case .empty: "nothing in it plays"
    case .noSound(let why), .badURI(let why), .badPlaylist(let why): why
    case .badLine(let line, let why): "line \(line): \(why)"
    case .loop: "left out, because it is inside itself"
    case .tooDeep(let limit): "left out, because it lies more than \(limit) deep"
    case .tooLarge(let limit): "more than \(limit >> 20) MiB, which no playlist has"
    case .tooMany(let limit): "more than \(limit) entries; the rest is left out"
    case .tooLong(let limit): "more than \(limit) names and lines to look at; the rest is left out"
    }
  }

  /// What to do about the problem; empty if `reason` already says it or nothing can be done.
  package var remedy: String {
    switch kind {
    case .missing: "check the name"
    case .unreadable: "check the path and its permissions"
    case .notAFile: "name a sound file, a folder or a playlist"
    case .empty: "name sound files, or what holds some"
    case .loop: "take it out"
    case .tooDeep: "name it directly"
    case .tooLarge: "split it"
    case .tooMany, .tooLong: "name less at once"
    case .noSound, .badURI, .badPlaylist, .badLine: ""
    }
  }
}

/// Why no source could be turned into a queue entry.
package struct SourceError: Error, Hashable, CustomStringConvertible {
  package enum Reason: Sendable, Hashable {
    case cancelled
    case noSuchFile
    case nothingPlayable
  }

  package let reason: Reason
  /// The problem of each source that was left out; empty after a cancellation.
  package let problems: [SourceProblem]

  init(_ reason: Reason, problems: [SourceProblem] = []) {
    (self.reason, self.problems) = (reason, problems)
  }

  /// The problems, with the one that decided which error this is moved to the end: a file that is there and doesn't play, or else the last one.
  package var decisiveLast: [SourceProblem] {
    guard let index = problems.lastIndex(where: { $0.kind != .missing }) else { return problems }
    var problems = problems
    problems.append(problems.remove(at: index))
    return problems
  }

  /// The first problem, and the number of further ones.
  package var description: String {
    guard let first = problems.first else {
      return reason == .cancelled
        ? "sources: called off" : "sources: none named; name files, folders or playlists"
    }
    return first.description + (problems.count > 1 ? " (and \(problems.count - 1) more)" : "")
  }
}
