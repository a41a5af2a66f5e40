// SPDX-License-Identifier: MIT

/// A module that a private PulseAudio loads when it starts.
package struct PulseModule: Sendable, Hashable {
  /// The module's name, with `module-`, or its path.
  package var name: String
  /// Its arguments as the server reads them.
  package var arguments: String

  /// A module with arguments.
  package init(_ name: String, _ arguments: String = "") {
    self.name = name
    self.arguments = arguments
  }

  /// Makes `auto_null` when there is no other sink.
  package static let alwaysSink = PulseModule("module-always-sink")
  /// Follows the jack: chooses a port that has just become available.
  package static let switchOnPortAvailable = PulseModule("module-switch-on-port-available")
  /// Follows a new device: makes it the default. No device here is real, so it must not ask for that.
  package static let switchOnConnect = PulseModule("module-switch-on-connect", "ignore_virtual=no")
  /// Silences music during calls, and asks it to pause.
  package static let roleCork = PulseModule("module-role-cork")
  /// Makes music quiet during calls.
  package static let roleDucking = PulseModule("module-role-ducking")
  /// Remembers each stream's volume and sink.
  package static let streamRestore = PulseModule("module-stream-restore")
  /// Remembers each device's volume and port.
  package static let deviceRestore = PulseModule("module-device-restore")
  /// Remembers the default devices.
  package static let defaultDeviceRestore = PulseModule("module-default-device-restore")
  /// Remembers each card's profile.
  package static let cardRestore = PulseModule("module-card-restore")
  /// Follows the role of a device.
  package static let intendedRoles = PulseModule("module-intended-roles")
  /// Suspends sinks that nobody uses.
  package static let suspendOnIdle = PulseModule("module-suspend-on-idle")
}

extension [PulseModule] {
  /// What a desktop's server does about devices, without its memory between runs.
  package static let usual: [PulseModule] = [.alwaysSink, .switchOnPortAvailable]
}
