// SPDX-License-Identifier: MIT
import FermataTestKit

extension Child {
  /// Waits until it has written these words to its standard error.
  func waitForError(_ words: String) throws {
    let deadline = Deadline.patient
    while !standardError.contains(words) {
      // Between two looks the wait is for its end, after which it says nothing more.
      if exit(until: .after(.milliseconds(5))) != nil, !standardError.contains(words) {
        throw KitError("\(name) has ended without '\(words)':\n\(standardError)")
      }
      if deadline.hasPassed { throw KitError("no '\(words)' from \(name):\n\(standardError)") }
    }
  }
}
