// SPDX-License-Identifier: MIT
import FermataTestKit

extension Child {
  /// Waits until it has written these words to its standard error.
  func waitForError(_ words: String) throws { try wait(for: words, in: \.standardError) }

  /// Waits until these words are in what it has written.
  func wait(for words: String, in text: KeyPath<Child, String>) throws {
    let deadline = Deadline.patient
    while !self[keyPath: text].contains(words) {
      // Between two looks the wait is for its end, after which it says nothing more.
      if exit(until: .after(.milliseconds(5))) != nil, !self[keyPath: text].contains(words) {
        throw KitError("\(name) has ended without '\(words)':\n\(self[keyPath: text])")
      }
      if deadline.hasPassed { throw KitError("no '\(words)' from \(name):\n\(self[keyPath: text])") }
    }
  }
}
