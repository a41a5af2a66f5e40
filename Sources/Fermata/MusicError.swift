// SPDX-License-Identifier: MIT
import CommandModel

/// Why an order was not carried out, or a question not answered: the subject, the reason and the remedy.
public struct MusicError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure, for programs that react to some of them.
  public enum Code: String, Sendable, Hashable {
    /// The order cannot be carried out in the present state: "next" after the last track, for example.
    case refused
    /// A value is outside its limits, such as a volume of 2, or names no property. The program has to be mended.
    case invalidArgument
    /// A row of the queue, an item of the library, an output or a pad is not there, or not any more. Read the list anew.
    case noSuchItem
    /// None of the sources can be played.
    case nothingPlayable
    /// A file or folder does not exist.
    case noSuchFile
    /// There is no session bus, no agent, or no sound server.
    case unavailable
    /// A file cannot be written.
    case cannotWrite
    /// Something is busy now. The same order may succeed later.
    case tryAgain
    /// The agent's settings file has an error.
    case badSettings
    /// The task that called was cancelled, and nobody waits any more. An order may have been carried out all the same.
    case cancelled
  }

  /// The kind of failure.
  public let code: Code
  /// The subject of the error, such as a file or "agent".
  public let subject: String
  /// Why the order or question failed.
  public let reason: String
  /// The remedy: what the user can do; empty if nothing can be done.
  public let remedy: String

  /// The error as one line: `subject: reason; remedy`.
  public var description: String { "\(subject): \(reason)" + (remedy.isEmpty ? "" : "; \(remedy)") }

  package init(_ code: Code, _ subject: String, _ reason: String, _ remedy: String = "") {
    (self.code, self.subject, self.reason, self.remedy) = (code, subject, reason, remedy)
  }

  init(_ error: CommandError) {
    self.init(
      error.isOfMissingItem ? .noSuchItem : Code(error.code), error.subject, error.reason, error.remedy)
  }
}

extension MusicError {
  static let cancelled = MusicError(.cancelled, "call", "the task that called was cancelled")

  /// Throws for a size that no picture can have.
  static func check(artworkSize size: Int?) throws(MusicError) {
    guard let size, size < 1 else { return }
    throw MusicError(.invalidArgument, "size \(size)", "it is a number of pixels, 1 or more")
  }
}

extension MusicError.Code {
  fileprivate init(_ code: ExitCode) {
    self =
      switch code {
      case .done, .refused: .refused
      case .usage: .invalidArgument
      case .nothingPlayable: .nothingPlayable
      case .noSuchFile: .noSuchFile
      case .unavailable: .unavailable
      case .cannotWrite: .cannotWrite
      case .tryAgain: .tryAgain
      case .badSettings: .badSettings
      }
  }
}
