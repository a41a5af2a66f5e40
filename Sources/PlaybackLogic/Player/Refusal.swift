// SPDX-License-Identifier: MIT

/// Why an order was not carried out.
package enum Refusal: String, Sendable, Hashable {
  /// There is nothing to play.
  case emptyQueue = "the queue is empty"
  /// Nothing comes after the current entry.
  case noNext = "nothing comes after this"
  /// Nothing is current.
  case nothingCurrent = "nothing is playing"
  /// The file of the entry is missing.
  case missing = "its file is gone"
  /// The entry is not in the queue.
  case noSuchEntry = "there is no such entry"
}
