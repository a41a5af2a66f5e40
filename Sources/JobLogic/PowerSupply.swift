// SPDX-License-Identifier: MIT

/// A source of power as the kernel describes it in its folder below `/sys/class/power_supply`.
package struct PowerSupply: Sendable, Hashable {
  /// The content of its files `type`, `online` and `status`, without the line feed; empty where there is no such file.
  package var type: String
  package var online: String
  package var status: String

  package init(type: String, online: String = "", status: String = "") {
    (self.type, self.online, self.status) = (type, online, status)
  }

  /// Whether a machine with these runs on its battery. One without a battery never does. A plug that is in counts even if the battery
  /// empties nevertheless, as it does with weak ones.
  package static func areOnBattery(_ supplies: [PowerSupply]) -> Bool {
    let plugs = supplies.filter { $0.type == "Mains" || $0.type.hasPrefix("USB") || $0.type == "Wireless" }
    if plugs.contains(where: { $0.online == "1" }) { return false }
    // Mice and headsets have batteries too, and say of themselves that they are charged or nothing at all.
    return supplies.contains { $0.type == "Battery" && $0.status == "Discharging" }
  }
}
