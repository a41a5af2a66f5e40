// SPDX-License-Identifier: MIT

/// A module that a private PulseAudio loads when it starts.
package struct PulseModule: Sendable, Hashable {
  /// The module's name, including `module-`, or its path.
  package var name: String
  /// Its arguments, in the server's syntax.
  package var arguments: String

  /// A module with arguments.
  package init(_ name: String, _ arguments: String = "") {
    self.name = name
    self.arguments = arguments
  }

  /// Adds the sink `auto_null` while there is no other.
  package static let alwaysSink = PulseModule("module-always-sink")
  /// Follows the jack: switches to a port that has just become available.
  package static let switchOnPortAvailable = PulseModule("module-switch-on-port-available")
  /// Makes a new device the default. The devices here are virtual, so it must not ignore those.
  package static let switchOnConnect = PulseModule("module-switch-on-connect", "ignore_virtual=no")
  /// Mutes music during calls, and asks it to pause.
  package static let roleCork = PulseModule("module-role-cork")
  /// Remembers each stream's volume and sink.
  package static let streamRestore = PulseModule("module-stream-restore")
}

extension [PulseModule] {
  /// What a desktop's server does about devices, without the modules that remember settings between runs.
  package static let usual: [PulseModule] = [.alwaysSink, .switchOnPortAvailable]
}
