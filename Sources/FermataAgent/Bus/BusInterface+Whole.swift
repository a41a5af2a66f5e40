// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel

extension BusInterface {
  /// An interface with one closure that answers all methods, one that reads all properties, and one that sets those that can be set.
  /// If `get` returns nil, the property counts as unknown.
  init(
    _ description: InterfaceDescription, call: @escaping Handler = { _ in .done },
    all: WholeProperties? = nil,
    get: @escaping @AgentLoop (MemberName) throws -> WireValue?,
    set: @escaping @AgentLoop (MemberName, WireValue, MethodCall) throws -> BusReply = { _, _, _ in .done }
  ) {
    self.init(description)
    if let all { provide(all) }
    for method in description.methods { answer(method.name, call) }
    for property in description.properties {
      let name = property.name
      let getter: Getter = {
        guard let value = try get(name) else {
          throw BusError.unknownProperty(name.text, of: description.name.text)
        }
        return value
      }
      let setter: Setter = { try set(name, $0, $1) }
      provide(name, get: getter, set: property.access == .readWrite ? setter : nil)
    }
  }
}
