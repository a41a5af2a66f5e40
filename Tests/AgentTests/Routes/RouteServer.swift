// SPDX-License-Identifier: MIT
import FermataTestKit

/// The servers on which the table is tried.
enum RouteServer: CaseIterable, Hashable {
  case pulseAudio, pipeWire

  /// Starts one. The modules are PulseAudio's alone: on the other one WirePlumber's own rules decide.
  func start(sinks: [NullSink], modules: [PulseModule] = .usual) throws -> any SoundServer {
    switch self {
    case .pulseAudio: try PrivatePulse(sinks: sinks, modules: modules)
    case .pipeWire: try PrivatePipeWire(sinks: sinks)
    }
  }
}
