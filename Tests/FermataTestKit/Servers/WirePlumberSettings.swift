// SPDX-License-Identifier: MIT

/// Settings that keep a private WirePlumber away from the machine: no sound cards, cameras, Bluetooth, seats or
/// portals.
enum WirePlumberSettings {
  /// Writes them for every supported version. Version 0.4 reads the Lua files and ignores the others; 0.5 does the
  /// opposite. The number 60 puts them after the distribution's files, which have 50.
  static func write(to directory: TemporaryDirectory) throws {
    try directory.makeFolder(".config/wireplumber/main.lua.d")
    try directory.makeFolder(".config/wireplumber/bluetooth.lua.d")
    try directory.makeFolder(".config/wireplumber/wireplumber.conf.d")
    try directory.write(".config/wireplumber/main.lua.d/60-private.lua", main)
    try directory.write(
      ".config/wireplumber/bluetooth.lua.d/60-private.lua", "bluez_monitor.enabled = false\n")
    try directory.write(".config/wireplumber/wireplumber.conf.d/60-private.conf", profile)
  }

  // A table is missing if its script is not installed.
  private static let main = """
    if alsa_monitor then alsa_monitor.enabled = false end
    if v4l2_monitor then v4l2_monitor.enabled = false end
    if libcamera_monitor then libcamera_monitor.enabled = false end
    if default_access then default_access.properties["enable-flatpak-portal"] = false end

    """

  private static let profile = """
    wireplumber.profiles = {
      main = {
        hardware.audio = disabled
        hardware.bluetooth = disabled
        hardware.video-capture = disabled
        support.logind = disabled
        support.reserve-device = disabled
        support.portal-permissionstore = disabled
      }
    }

    """
}
