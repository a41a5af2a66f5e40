// SPDX-License-Identifier: MIT
internal import FileIO
internal import MediaModel

/// A part of the sources that was left out.
package struct SourceProblem: Sendable, Hashable, CustomStringConvertible {
  /// What went wrong.
  package enum Kind: Sendable, Hashable {
    /// There is nothing at the path.
    case missing
    /// The system's error number.
    case unreadable(Int32)
    /// A pipe, a socket or a device, which are never opened, or a folder cut by a CUE sheet; its name for a
    /// person.
    case notAFile(String)
    /// A file whose name promises no sound, and why its content cannot be played.
    case noSound(String)
    /// A folder or playlist in which nothing plays.
    case empty
    /// A URI that names no file here, and why.
    case badURI(String)
    /// No playlist after all.
    case badPlaylist(String)
    /// A line of a playlist that was not understood, and why.
    case badLine(Int, String)
    /// A playlist that holds itself.
    case loop
    /// Playlists or folders within each other beyond this limit.
    case tooDeep(Int)
    /// A playlist of more bytes than this.
    case tooLarge(Int)
    /// More entries than this.
    case tooMany(Int)
    /// More names and lines than this.
    case tooLong(Int)
  }

  /// The path or URI for a person to read.
  package let subject: String
  /// What went wrong with it.
  package let kind: Kind
  /// The playlist that named it; nil where it was named directly or found in a folder.
  package let playlist: String?

  init(_ subject: String, _ kind: Kind, in playlist: FilePath? = nil) {
    self.subject = subject
    self.kind = kind
    self.playlist = playlist?.text
  }

  /// The thing, the reason and what to do.
  package var description: String {
    "\(subject): \(reason)" + (playlist.map { ", named by \($0)" } ?? "")
      + (remedy.isEmpty ? "" : "; \(remedy)")
  }

  /// Why it was left out. Of a URI, a playlist's line and a format it says what to do as well.
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

  /// What to do about it; empty where the reason says it or there is nothing.
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
