// SPDX-License-Identifier: MIT

/// A battery or another power supply, as the kernel describes it in its folder under `/sys/class/power_supply`.
package struct PowerSupply: Sendable, Hashable {
  /// The contents of the files `type`, `online`, `status` and `scope` of the power supply, without the line feed; empty if there is no such file.
  package var type: String
  package var online: String
  package var status: String
  package var scope: String

  package init(type: String, online: String = "", status: String = "", scope: String = "") {
    (self.type, self.online, self.status, self.scope) = (type, online, status, scope)
  }

  /// Whether a machine with these power supplies runs on its battery. A machine without one never does. If a plug is in, it does not count as running
  /// on its battery, even if the battery still empties, as with a weak plug.
  package static func areOnBattery(_ supplies: [PowerSupply]) -> Bool {
    let plugs = supplies.filter { $0.type == "Mains" || $0.type.hasPrefix("USB") || $0.type == "Wireless" }
    // 1 is a plug with one voltage, 2 one that is told which voltage to give.
    if plugs.contains(where: { $0.scope != "Device" && $0.online != "" && $0.online != "0" }) { return false }
    // Mice and headsets have batteries too, which are always discharging. Those power a device, and not the machine.
    return supplies.contains { $0.type == "Battery" && $0.status == "Discharging" && $0.scope != "Device" }
  }
}
