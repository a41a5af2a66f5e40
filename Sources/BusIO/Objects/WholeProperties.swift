// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel

/// All properties of an interface at once, for an object that is asked often. The one number that changes all the time,
/// such as a position, is kept apart from the others, so that an answer with those can be used again.
package struct WholeProperties: Sendable {
  let edition: @AgentLoop () -> UInt64
  let entries: @AgentLoop () -> [DictionaryEntry]
  let movingName: MemberName
  let movingValue: @AgentLoop () -> Int64

  /// Properties of the described types. `entries` are all properties but the moving one, as `a{sv}` holds them.
  /// `edition` must return another number whenever one of the entries has changed.
  package init(
    moving name: MemberName, value: @escaping @AgentLoop () -> Int64,
    edition: @escaping @AgentLoop () -> UInt64,
    entries: @escaping @AgentLoop () -> [DictionaryEntry]
  ) {
    movingName = name
    movingValue = value
    self.edition = edition
    self.entries = entries
  }

  @AgentLoop var all: [DictionaryEntry] {
    [DictionaryEntry(.string(movingName.text), .variant(.int64(movingValue())))] + entries()
  }
}
