// SPDX-License-Identifier: MIT

/// The home of a private server: a temporary directory with its own XDG folders, and an environment that makes
/// programs use only these. The directory is removed when this object is released.
final class ServerHome: Sendable {
  let directory: TemporaryDirectory
  /// The environment, without the addresses of sound servers; those of the buses are disabled.
  let environment: [String: String]

  init() throws {
    directory = try TemporaryDirectory()
    var environment = ["HOME": directory.path, "LC_ALL": "C.UTF-8", "TZ": "UTC"]
    // These are the usual places in the home, because PulseAudio's daemon looks there whatever the variables say.
    let folders = [
      "RUNTIME_DIR": "run", "CONFIG_HOME": ".config", "CACHE_HOME": ".cache",
      "STATE_HOME": ".local/state", "DATA_HOME": ".local/share",
    ]
    for (variable, folder) in folders {
      environment["XDG_\(variable)"] = try directory.makeFolder(folder)
    }
    // No program here may find the machine's buses, neither by their usual addresses nor by starting one.
    environment["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
    environment["DBUS_SYSTEM_BUS_ADDRESS"] = "disabled:"
    self.environment = environment
  }

  /// The path of a file in the runtime folder, which contains the sockets.
  func runtimePath(_ name: String) -> String { directory.path("run/\(name)") }
}
