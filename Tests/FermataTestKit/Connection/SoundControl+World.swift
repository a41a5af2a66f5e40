// SPDX-License-Identifier: MIT
import AudioModel
import CPulse

// Converts libpulse's structures to values.
extension SoundControl {
  func server() throws -> AudioServer {
    let servers: [AudioServer] = try unsafe connection.request("the server's name") { context, box in
      unsafe pa_context_get_server_info(
        context,
        { _, info, box in
          let answer = unsafe Answer<AudioServer>.from(box)
          if let info = unsafe info?.pointee { unsafe answer?.add(AudioServer(info)) }
          unsafe answer?.finish(isRefused: info == nil)
        }, box)
    }
    return servers[0]
  }

  func sinks() throws -> [Sink] {
    try unsafe connection.request("the sinks") { context, box in
      unsafe pa_context_get_sink_info_list(
        context,
        { _, info, end, box in
          let answer = unsafe Answer<Sink>.from(box)
          guard let info = unsafe info?.pointee else { return answer.map { $0.end(end) } ?? () }
          unsafe answer?.add(Sink(info))
        }, box)
    }
  }

  /// The module that made a sink.
  func ownerModule(ofSink name: String) throws -> Module? {
    let owners: [Module] = try unsafe connection.request("the owner of \(name)") { context, box in
      unsafe pa_context_get_sink_info_by_name(
        context, name,
        { _, info, end, box in
          let answer = unsafe Answer<Module>.from(box)
          guard let info = unsafe info?.pointee else { return answer.map { $0.end(end) } ?? () }
          unsafe answer?.add(Module(index: info.owner_module))
        }, box)
    }
    return owners.first
  }

  func cards() throws -> [Card] {
    try unsafe connection.request("the cards") { context, box in
      unsafe pa_context_get_card_info_list(
        context,
        { _, info, end, box in
          let answer = unsafe Answer<Card>.from(box)
          guard let info = unsafe info?.pointee else { return answer.map { $0.end(end) } ?? () }
          unsafe answer?.add(Card(info))
        }, box)
    }
  }

  func sinkInputs() throws -> [SinkInput] {
    try unsafe connection.request("the playback streams") { context, box in
      unsafe pa_context_get_sink_input_info_list(
        context,
        { _, info, end, box in
          let answer = unsafe Answer<SinkInput>.from(box)
          guard let info = unsafe info?.pointee else { return answer.map { $0.end(end) } ?? () }
          unsafe answer?.add(SinkInput(info))
        }, box)
    }
  }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String {
  unsafe pointer.map { unsafe String(cString: $0) } ?? ""
}

private func index(_ number: UInt32) -> UInt32? { number == cpulse_invalid_index ? nil : number }

extension AudioServer {
  fileprivate init(_ info: pa_server_info) {
    unsafe self.init(
      name: text(info.server_name), version: text(info.server_version),
      defaultSink: text(info.default_sink_name),
      defaultSource: text(info.default_source_name))
  }
}

extension Port.Availability {
  fileprivate init(_ available: Int32) {
    self =
      switch UInt32(bitPattern: available) {
      case PA_PORT_AVAILABLE_NO.rawValue: .no
      case PA_PORT_AVAILABLE_YES.rawValue: .yes
      default: .unknown
      }
  }
}

extension Sink {
  fileprivate init(_ info: pa_sink_info) {
    unsafe self.init(
      index: Index(rawValue: info.index), name: text(info.name), description: text(info.description),
      card: FermataTestKit.index(info.card).map(Card.Index.init(rawValue:)),
      // The array has as many non-null entries as libpulse counts.
      ports: (0..<Int(info.n_ports)).map { unsafe Port(info.ports[$0]!.pointee) },
      activePort: unsafe info.active_port.map { unsafe text($0.pointee.name) },
      monitorSource: text(info.monitor_source_name), isMuted: info.mute != 0,
      volume: Double(info.volume.values.0) / Double(PA_VOLUME_NORM),
      isSuspended: info.state == PA_SINK_SUSPENDED)
  }
}

extension Port {
  fileprivate init(_ info: pa_sink_port_info) {
    unsafe self.init(
      name: text(info.name), description: text(info.description), kind: Kind(info.type),
      availability: Availability(info.available), priority: Int(info.priority))
  }

  fileprivate init(_ info: pa_card_port_info) {
    unsafe self.init(
      name: text(info.name), description: text(info.description), kind: Kind(info.type),
      availability: Availability(info.available), priority: Int(info.priority))
  }
}

extension Port.Kind {
  // Only the kinds that the cards of this kit have.
  fileprivate init(_ type: UInt32) {
    let kinds: [(pa_device_port_type, Port.Kind)] = [
      (PA_DEVICE_PORT_TYPE_SPEAKER, .speaker), (PA_DEVICE_PORT_TYPE_HEADPHONES, .headphones),
      (PA_DEVICE_PORT_TYPE_HEADSET, .headset), (PA_DEVICE_PORT_TYPE_LINE, .line),
      (PA_DEVICE_PORT_TYPE_HDMI, .hdmi), (PA_DEVICE_PORT_TYPE_USB, .usb),
      (PA_DEVICE_PORT_TYPE_BLUETOOTH, .bluetooth), (PA_DEVICE_PORT_TYPE_ANALOG, .analog),
    ]
    self = kinds.first { $0.0.rawValue == type }?.1 ?? .unknown
  }
}

extension Card {
  fileprivate init(_ info: pa_card_info) {
    unsafe self.init(
      index: Index(rawValue: info.index), name: text(info.name),
      // Both arrays have as many non-null entries as libpulse counts.
      profiles: (0..<Int(info.n_profiles)).map { unsafe Profile(info.profiles2[$0]!.pointee) },
      activeProfile: unsafe info.active_profile2.map { unsafe text($0.pointee.name) },
      ports: (0..<Int(info.n_ports)).map { unsafe Port(info.ports[$0]!.pointee) })
  }
}

extension Card.Profile {
  fileprivate init(_ info: pa_card_profile_info2) {
    unsafe self.init(
      name: text(info.name), description: text(info.description), isAvailable: info.available != 0,
      priority: Int(info.priority))
  }
}

extension SinkInput {
  fileprivate init(_ info: pa_sink_input_info) {
    unsafe self.init(
      index: Index(rawValue: info.index), name: text(info.name),
      client: FermataTestKit.index(info.client).map(AudioClient.Index.init(rawValue:)),
      sink: FermataTestKit.index(info.sink).map(Sink.Index.init(rawValue:)), isCorked: info.corked != 0,
      isMuted: info.mute != 0)
  }
}
