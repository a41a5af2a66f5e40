// SPDX-License-Identifier: MIT

/// A battery or another power supply, as the kernel describes it in its folder under `/sys/class/power_supply`.
package struct PowerSupply: Sendable, Hashable {
  /// The contents of the files `type`, `online` and `status` of the power supply, without the line feed; empty if there is no such file.
  package var type: String
  package var online: String
  package var status: String

  package init(type: String, online: String = "", status: String = "") {
    (self.type, self.online, self.status) = (type, online, status)
  }

  /// Whether a machine with these power supplies runs on its battery. A machine without one never does. If a plug is in, it does not count as running
  /// on its battery, even if the battery still empties, as with a weak plug.
  package static func areOnBattery(_ supplies: [PowerSupply]) -> Bool {
    let plugs = supplies.filter { $0.type == "Mains" || $0.type.hasPrefix("USB") || $0.type == "Wireless" }
    if plugs.contains(where: { $0.online == "1" }) { return false }
    // Mice and headsets have batteries too; their status is "charged" or empty.
    return supplies.contains { $0.type == "Battery" && $0.status == "Discharging" }
  }
}
