// SPDX-License-Identifier: MIT

/// Why a URI names no file here.
package struct FileURIError: Error, Equatable, CustomStringConvertible {
  /// What is wrong with it.
  package enum Reason: Sendable, Equatable {
    /// There is no scheme: it is no URI.
    case noScheme
    /// The scheme is not `file`.
    case otherScheme(String)
    /// The file is on another machine.
    case otherHost(String)
    /// The path does not start at the root.
    case notAbsolute
    /// A `%` is not followed by two hexadecimal digits, or stands for a slash or a NUL.
    case badEscape
    /// A character that has a meaning of its own in URIs, and how it has to be written in a file's name.
    case unescaped(String, String)
  }

  /// The URI as it came.
  package let uri: String
  /// What is wrong with it.
  package let reason: Reason

  init(_ uri: String, _ reason: Reason) {
    self.uri = uri
    self.reason = reason
  }

  /// The URI, the reason and what to do.
  package var description: String { "\(uri): \(explanation)" }

  /// The reason and what to do.
  package var explanation: String {
    switch reason {
    case .noScheme: "not a URI; write file:///path"
    case .otherScheme(let scheme): "\(scheme): is not played; only file: is"
    case .otherHost(let host): "the file is on \(host); mount it and name it by its path here"
    case .notAbsolute: "the path must be absolute; write file:///path"
    case .badEscape: "broken percent-encoding; write % as %25"
    case .unescaped(let character, let escape): "a name's \(character) must be written \(escape)"
    }
  }
}
