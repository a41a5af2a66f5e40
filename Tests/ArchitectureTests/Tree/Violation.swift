// SPDX-License-Identifier: MIT

/// One breach of a rule of the house: where it stands, and what to do about it.
struct Violation: Hashable, CustomStringConvertible {
  var path: String
  var line: Int
  var message: String

  var description: String { "\(path):\(line): \(message)" }
}
