// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel

extension BusInterface {
  /// An interface of which one hand answers all methods, one reads all properties and one sets those that can be set. No value
  /// means that there is none any more.
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
