// SPDX-License-Identifier: MIT
import BusModel
import Glibc

/// The bus to connect to.
package enum BusEndpoint: Sendable, Hashable {
  /// The user's session bus: `$DBUS_SESSION_BUS_ADDRESS`, or else the socket `bus` in `$XDG_RUNTIME_DIR`. A bus is never started.
  case session
  /// The system bus: `$DBUS_SYSTEM_BUS_ADDRESS`, or else the socket at its usual place.
  case system
  /// The bus at an address, such as `unix:path=/run/user/1000/bus`.
  case address(String)

  /// The address; throws if the environment names no session bus.
  func resolved() throws(BusError) -> String {
    switch self {
    case .address(let address): return address
    case .system:
      return Self.environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/var/run/dbus/system_bus_socket"
    case .session:
      if let address = Self.environment("DBUS_SESSION_BUS_ADDRESS") { return address }
      if let directory = Self.environment("XDG_RUNTIME_DIR") {
        return "unix:path=" + Self.escaped(directory + "/bus")
      }
      throw BusError(
        .noServer,
        "no session bus is known: set DBUS_SESSION_BUS_ADDRESS, or XDG_RUNTIME_DIR where one listens at bus")
    }
  }

  private static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// A path escaped for a D-Bus address: every byte that is not a plain one is written as `%` and two hex digits.
  static func escaped(_ path: String) -> String {
    let plain = Set("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz/.".utf8)
    return path.utf8.map { byte in
      if plain.contains(byte) { return String(UnicodeScalar(byte)) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
