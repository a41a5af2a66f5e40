// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel

/// All properties of an interface at once, for an object that is asked often: what changes together is given together, and the one
/// number that moves by itself apart.
package struct WholeProperties: Sendable {
  let edition: @AgentLoop () -> UInt64
  let entries: @AgentLoop () -> [DictionaryEntry]
  let movingName: MemberName
  let movingValue: @AgentLoop () -> Int64

  /// Properties of the described types. `edition` is another number whenever one of the entries is another; all but the moving one
  /// are among the entries, as `a{sv}` has them.
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
