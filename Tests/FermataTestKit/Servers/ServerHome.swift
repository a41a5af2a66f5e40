// SPDX-License-Identifier: MIT

/// Where a private server lives: a directory with a home and XDG folders of its own, and the environment that
/// makes a program look nowhere else. The directory goes when this object does.
final class ServerHome: Sendable {
  let directory: TemporaryDirectory
  /// Without the addresses of servers.
  let environment: [String: String]

  init() throws {
    directory = try TemporaryDirectory()
    var environment = ["HOME": directory.path, "LC_ALL": "C.UTF-8", "TZ": "UTC"]
    // At their usual places in the home: PulseAudio's daemon looks there whatever the variables say.
    let folders = [
      "RUNTIME_DIR": "run", "CONFIG_HOME": ".config", "CACHE_HOME": ".cache",
      "STATE_HOME": ".local/state", "DATA_HOME": ".local/share",
    ]
    for (variable, folder) in folders {
      environment["XDG_\(variable)"] = try directory.makeFolder(folder)
    }
    // Nobody here may find the machine's buses: neither by their usual addresses nor by starting one.
    environment["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = "disabled:"
    self.environment = environment
  }

  /// The path of something in the runtime folder, where sockets are.
  func runtimePath(_ name: String) -> String { directory.path("run/\(name)") }
}
