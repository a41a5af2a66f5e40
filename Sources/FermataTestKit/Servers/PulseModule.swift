// SPDX-License-Identifier: MIT

/// A module that a private PulseAudio loads when it starts.
public struct PulseModule: Sendable, Hashable {
  /// The module's name, with `module-`, or its path.
  public var name: String
  /// Its arguments as the server reads them.
  public var arguments: String

  /// A module with arguments.
  public init(_ name: String, _ arguments: String = "") {
    self.name = name
    self.arguments = arguments
  }

  /// Makes `auto_null` when there is no other sink.
  public static let alwaysSink = PulseModule("module-always-sink")
  /// Follows the jack: chooses a port that has just become available.
  public static let switchOnPortAvailable = PulseModule("module-switch-on-port-available")
  /// Follows a new device: makes it the default. No device here is real, so it must not ask for that.
  public static let switchOnConnect = PulseModule("module-switch-on-connect", "ignore_virtual=no")
  /// Silences music during calls, and asks it to pause.
  public static let roleCork = PulseModule("module-role-cork")
  /// Makes music quiet during calls.
  public static let roleDucking = PulseModule("module-role-ducking")
  /// Remembers each stream's volume and sink.
  public static let streamRestore = PulseModule("module-stream-restore")
  /// Remembers each device's volume and port.
  public static let deviceRestore = PulseModule("module-device-restore")
  /// Remembers the default devices.
  public static let defaultDeviceRestore = PulseModule("module-default-device-restore")
  /// Remembers each card's profile.
  public static let cardRestore = PulseModule("module-card-restore")
  /// Follows the role of a device.
  public static let intendedRoles = PulseModule("module-intended-roles")
  /// Suspends sinks that nobody uses.
  public static let suspendOnIdle = PulseModule("module-suspend-on-idle")
}

extension [PulseModule] {
  /// What a desktop's server does about devices, without its memory between runs.
  public static let usual: [PulseModule] = [.alwaysSink, .switchOnPortAvailable]
}
