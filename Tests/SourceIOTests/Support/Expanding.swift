// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
import PlaybackLogic
import SourceIO

/// Expands names in a temporary folder and shows the outcome as seen from there.
struct Expanding {
  let folder: TemporaryDirectory
  var expander: SourceExpander

  init() throws {
    folder = try TemporaryDirectory()
    expander = SourceExpander(base: folder.location)
  }

  func callAsFunction(_ names: String...) throws(SourceError) -> Outcome {
    try self(names.map { .path(FilePath($0)!) })  // no test names nothing
  }

  func callAsFunction(_ requests: [SourceRequest]) throws(SourceError) -> Outcome {
    Outcome(expansion: try expander.expand(requests), root: folder.location.text + "/")
  }

  func error(_ names: String...) -> SourceError? {
    do {
      _ = try self(names.map { .path(FilePath($0)!) })  // no test names nothing
      return nil
    } catch {
      return error
    }
  }
}

struct Outcome {
  let expansion: SourceExpansion
  let root: String

  /// The places of the entries, without the folder that they all are in.
  var names: [String] { expansion.entries.map { relative($0.location) } }

  var spans: [CueSpan?] { expansion.entries.map(\.span) }

  var kinds: [SourceProblem.Kind] { expansion.problems.map(\.kind) }

  var subjects: [String] { expansion.problems.map { relative($0.subject) } }

  private func relative(_ text: String) -> String {
    text.hasPrefix(root) ? String(text.dropFirst(root.count)) : text
  }
}
