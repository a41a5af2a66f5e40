// SPDX-License-Identifier: MIT
import AgentLoop
package import AudioModel
import CPulse

extension PulseServer {
  /// Reads everything that the server has: outputs, cards, streams and connected programs.
  ///
  /// The server may change while its lists are read. If it reported a change meanwhile, all lists are read again, at most `readings` times, so that a
  /// busy server cannot hold up the answer for ever.
  package func readWorld(readings: Int = 4) async throws(PulseError) -> AudioWorld {
    for _ in 1..<max(1, readings) {
      let before = changes
      let world = try await readWorldOnce()
      if changes == before { return world }
    }
    return try await readWorldOnce()
  }

  /// The server's description of itself.
  package func readServer() async throws(PulseError) -> AudioServer {
    let context = try connected(to: "ask the sound server who it is")
    return try await server(of: context, context.readServer())
  }

  /// Waits for the server's description of itself, and notes in its connection which program it is.
  private func server(of context: PulseContext, _ reply: Reply<[AudioServer]>) async throws(PulseError)
    -> AudioServer
  {
    guard let server = try await reply.get().first else {
      throw PulseError(.noSuchEntity, in: "ask the sound server who it is")
    }
    context.serverKind = server.kind
    return server
  }

  /// The names of the modules that the server has loaded.
  package func readModules() async throws(PulseError) -> [String] {
    try await connected(to: "list the sound server's modules").readModules().get()
  }

  private func readWorldOnce() async throws(PulseError) -> AudioWorld {
    let context = try connected(to: "read the sound server's state")
    // All requests are sent before the first answer is awaited: one round trip, and the least time for changes in
    // between.
    let server = context.readServer()
    let sinks = context.readSinks()
    let monitors = context.readMonitorSources()
    let cards = context.readCards()
    let sinkInputs = context.readSinkInputs()
    let sourceOutputs = context.readSourceOutputs()
    let clients = context.readClients()
    var world = AudioWorld(server: try await self.server(of: context, server))
    world.sinks = try await sinks.get()
    world.cards = try await cards.get()
    world.sinkInputs = try await sinkInputs.get()
    let monitored = Dictionary(try await monitors.get().compactMap(\.self)) { first, _ in first }
    world.sourceOutputs = try await sourceOutputs.get().map { recording in
      var output = recording.output
      output.monitors = monitored[recording.source]
      output.hasSource = recording.source != cpulse_invalid_index
      return output
    }
    world.clients = try await clients.get()
    world.ownClient = context.clientIndex
    return world
  }
}

// Each list is a request of its own. libpulse calls back once for each record, and once more at the end.
extension PulseContext {
  /// Takes one call of a list's callback: adds what `make` copies out of the record to the reply, or notes there why the server
  /// refused. `end` is positive at the end, and negative after an error.
  private static func collect<Record, Value: Sendable>(
    _ context: OpaquePointer?, _ record: UnsafePointer<Record>?, _ end: Int32,
    _ reply: UnsafeMutableRawPointer?,
    _ make: (Record) -> Value
  ) {
    let value = unsafe end == 0 ? record.map { unsafe make($0.pointee) } : nil
    unsafe AgentLoop.assume((context, end, value, reply)) { context, end, value, reply in
      let reply = unsafe Reply<[Value]>.from(reply)
      if end < 0 { reply.refusal = PulseError.Code(rawValue: unsafe pa_context_errno(context)) }
      if let value { reply.value.append(value) }
    }
  }

  fileprivate func readServer() -> Reply<[AudioServer]> {
    unsafe request("ask the sound server who it is", collecting: []) {
      unsafe pa_context_get_server_info(
        $0, { unsafe PulseContext.collect($0, $1, $1 == nil ? -1 : 0, $2) { unsafe AudioServer($0) } }, $1)
    }
  }

  fileprivate func readSinks() -> Reply<[Sink]> {
    unsafe request("list the outputs", collecting: []) {
      unsafe pa_context_get_sink_info_list(
        $0, { unsafe PulseContext.collect($0, $1, $2, $3) { unsafe Sink($0) } }, $1)
    }
  }

  /// The indices of the monitor sources, each with the sink that it records; nil for each other source.
  fileprivate func readMonitorSources() -> Reply<[(source: UInt32, sink: Sink.Index)?]> {
    unsafe request("list the inputs", collecting: []) {
      unsafe pa_context_get_source_info_list(
        $0,
        {
          unsafe PulseContext.collect($0, $1, $2, $3) {
            unsafe $0.monitor_of_sink == cpulse_invalid_index
              ? nil : ($0.index, Sink.Index(rawValue: $0.monitor_of_sink))
          }
        }, $1)
    }
  }

  fileprivate func readCards() -> Reply<[Card]> {
    unsafe request("list the cards", collecting: []) {
      unsafe pa_context_get_card_info_list(
        $0, { unsafe PulseContext.collect($0, $1, $2, $3) { unsafe Card($0) } }, $1)
    }
  }

  fileprivate func readSinkInputs() -> Reply<[SinkInput]> {
    unsafe request("list the playback streams", collecting: []) {
      unsafe pa_context_get_sink_input_info_list(
        $0, { unsafe PulseContext.collect($0, $1, $2, $3) { unsafe SinkInput($0) } }, $1)
    }
  }

  /// Reads one playback stream as a list. If the stream does not exist, the list is empty or the answer is an error.
  func readSinkInput(_ index: UInt32) -> Reply<[SinkInput]> {
    unsafe request("ask for a playback stream", collecting: []) {
      unsafe pa_context_get_sink_input_info(
        $0, index, { unsafe PulseContext.collect($0, $1, $2, $3) { unsafe SinkInput($0) } }, $1)
    }
  }

  fileprivate func readSourceOutputs() -> Reply<[Recording]> {
    unsafe request("list the recording streams", collecting: []) {
      unsafe pa_context_get_source_output_info_list(
        $0,
        {
          unsafe PulseContext.collect($0, $1, $2, $3) {
            unsafe Recording(output: SourceOutput($0), source: $0.source)
          }
        }, $1)
    }
  }

  fileprivate func readClients() -> Reply<[AudioClient]> {
    unsafe request("list the connected programs", collecting: []) {
      unsafe pa_context_get_client_info_list(
        $0, { unsafe PulseContext.collect($0, $1, $2, $3) { unsafe AudioClient($0) } }, $1)
    }
  }

  fileprivate func readModules() -> Reply<[String]> {
    unsafe request("list the modules", collecting: []) {
      unsafe pa_context_get_module_info_list(
        $0,
        {
          unsafe PulseContext.collect($0, $1, $2, $3) {
            unsafe $0.name.map { unsafe String(cString: $0) } ?? ""
          }
        }, $1)
    }
  }
}

/// A recording stream, and the number of the source that it records.
private struct Recording {
  let output: SourceOutput
  let source: UInt32
}
