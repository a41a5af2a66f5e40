// SPDX-License-Identifier: MIT
import AudioModel
import CPulse

// Converts libpulse's records to values. A record is valid only during its callback, so everything is copied out of it.

private func text(_ pointer: UnsafePointer<CChar>?) -> String {
  guard let pointer = unsafe pointer else { return "" }
  return unsafe String(cString: pointer)
}

/// The number, or nil if it is the one that means "none" in the protocol.
private func number(_ index: UInt32) -> UInt32? { index == cpulse_invalid_index ? nil : index }

extension AudioServer {
  init(_ info: pa_server_info) {
    unsafe self.init(
      name: text(info.server_name), version: text(info.server_version),
      defaultSink: text(info.default_sink_name),
      defaultSource: text(info.default_source_name))
  }
}

extension Port.Availability {
  init(_ value: Int32) {
    switch UInt32(bitPattern: value) {
    case PA_PORT_AVAILABLE_NO.rawValue: self = .no
    case PA_PORT_AVAILABLE_YES.rawValue: self = .yes
    default: self = .unknown
    }
  }
}

extension Port.Kind {
  // In the order of the protocol's numbers, from 0.
  private static let inProtocolOrder: [Port.Kind] = [
    .unknown, .aux, .speaker, .headphones, .line, .mic, .headset, .handset, .earpiece, .spdif, .hdmi, .tv,
    .radio, .video,
    .usb, .bluetooth, .portable, .handsfree, .car, .hifi, .phone, .network, .analog,
  ]

  init(_ value: UInt32) {
    self =
      Int(exactly: value).flatMap {
        Self.inProtocolOrder.indices.contains($0) ? Self.inProtocolOrder[$0] : nil
      } ?? .unknown
  }
}

extension Port {
  init(_ info: pa_sink_port_info) {
    unsafe self.init(
      name: text(info.name), description: text(info.description), kind: Kind(info.type),
      availability: Availability(info.available), priority: Int(info.priority),
      availabilityGroup: text(info.availability_group))
  }

  init(_ info: pa_card_port_info) {
    unsafe self.init(
      name: text(info.name), description: text(info.description), kind: Kind(info.type),
      availability: Availability(info.available), priority: Int(info.priority),
      availabilityGroup: text(info.availability_group))
  }
}

extension Sink {
  init(_ info: pa_sink_info) {
    unsafe self.init(
      index: Index(rawValue: info.index), name: text(info.name), description: text(info.description),
      card: number(info.card).map(Card.Index.init(rawValue:)),
      ports: (0..<Int(info.n_ports)).compactMap { unsafe info.ports?[$0].map { unsafe Port($0.pointee) } },
      activePort: info.active_port.map { unsafe text($0.pointee.name) },
      monitorSource: text(info.monitor_source_name),
      isMuted: info.mute != 0, volume: Volume.known(info.volume),
      isSuspended: info.state == PA_SINK_SUSPENDED,
      hasFlatVolume: info.flags.contains(.PA_SINK_FLAT_VOLUME),
      isRemote: info.flags.contains(.PA_SINK_NETWORK), module: number(info.owner_module),
      properties: Dictionary(info.proplist))
  }
}

extension Card {
  init(_ info: pa_card_info) {
    unsafe self.init(
      index: Index(rawValue: info.index), name: text(info.name),
      profiles: (0..<Int(info.n_profiles)).compactMap {
        unsafe info.profiles2?[$0].map { unsafe Profile($0.pointee) }
      },
      activeProfile: info.active_profile2.map { unsafe text($0.pointee.name) },
      ports: (0..<Int(info.n_ports)).compactMap { unsafe info.ports?[$0].map { unsafe Port($0.pointee) } },
      properties: Dictionary(info.proplist))
  }
}

extension Card.Profile {
  init(_ info: pa_card_profile_info2) {
    unsafe self.init(
      name: text(info.name), description: text(info.description), isAvailable: info.available != 0,
      priority: Int(info.priority))
  }
}

extension SinkInput {
  init(_ info: pa_sink_input_info) {
    unsafe self.init(
      index: Index(rawValue: info.index), name: text(info.name),
      client: number(info.client).map(AudioClient.Index.init(rawValue:)),
      sink: number(info.sink).map(Sink.Index.init(rawValue:)), isCorked: info.corked != 0,
      isMuted: info.mute != 0,
      volume: info.has_volume != 0 ? Volume.fraction(info.volume) : nil,
      balance: info.has_volume != 0 ? Volume.balance(info.volume) : [], module: number(info.owner_module),
      properties: Dictionary(info.proplist))
  }
}

extension SourceOutput {
  init(_ info: pa_source_output_info) {
    unsafe self.init(
      index: Index(rawValue: info.index), name: text(info.name),
      client: number(info.client).map(AudioClient.Index.init(rawValue:)), isCorked: info.corked != 0,
      module: number(info.owner_module), resampleMethod: text(info.resample_method),
      properties: Dictionary(info.proplist))
  }
}

extension AudioClient {
  init(_ info: pa_client_info) {
    unsafe self.init(
      index: Index(rawValue: info.index), name: text(info.name), properties: Dictionary(info.proplist))
  }
}
