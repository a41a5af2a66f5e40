// SPDX-License-Identifier: MIT
import AgentLoop
package import AudioModel
import CPulse

extension PulseServer {
  /// Reads everything that the server has: outputs, cards, streams and connected programs.
  ///
  /// The lists come one after another while the server goes on. If it reported a change meanwhile, all are read again,
  /// at most `readings` times, so that a busy server cannot hold up the answer for ever.
  package func readWorld(readings: Int = 4) async throws(PulseError) -> AudioWorld {
    for _ in 1..<max(1, readings) {
      let before = changes
      let world = try await readWorldOnce()
      if changes == before { return world }
    }
    return try await readWorldOnce()
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
    var world = AudioWorld(server: try await server.get())
    world.sinks = try await sinks.get()
    world.cards = try await cards.get()
    world.sinkInputs = try await sinkInputs.get()
    let hearing = try await monitors.get()
    world.sourceOutputs = try await sourceOutputs.get().map { output, source in
      var output = output
      output.hearsMonitor = hearing.contains(source)
      return output
    }
    world.clients = try await clients.get()
    return world
  }
}

extension PulseContext {
  private static func fill<Value>(
    _ reply: Reply<Value>, _ context: OpaquePointer?, end: Int32, _ take: (inout Value) -> Void
  ) {
    if end < 0 { reply.refusal = PulseError.Code(rawValue: unsafe pa_context_errno(context)) }
    if end == 0 { take(&reply.value) }
  }

  fileprivate func readServer() -> Reply<AudioServer> {
    let unknown = AudioServer(name: "", version: "", defaultSink: "")
    return unsafe request("ask the sound server who it is", collecting: unknown) { context, reply in
      unsafe pa_context_get_server_info(
        context,
        { context, info, reply in
          unsafe AgentLoop.assume((context, info, reply)) { context, info, reply in
            let reply = unsafe Reply<AudioServer>.from(reply)
            unsafe PulseContext.fill(reply, context, end: info == nil ? -1 : 0) {
              if let info = unsafe info { unsafe $0 = AudioServer(info.pointee) }
            }
          }
        }, reply)
    }
  }

  fileprivate func readSinks() -> Reply<[Sink]> {
    unsafe request("list the outputs", collecting: []) { context, reply in
      unsafe pa_context_get_sink_info_list(
        context,
        { context, info, end, reply in
          unsafe AgentLoop.assume((context, info, end, reply)) { context, info, end, reply in
            unsafe PulseContext.fill(Reply<[Sink]>.from(reply), context, end: end) {
              if let info = unsafe info { unsafe $0.append(Sink(info.pointee)) }
            }
          }
        }, reply)
    }
  }

  /// The indices of the monitor sources: those that record what a sink plays.
  fileprivate func readMonitorSources() -> Reply<Set<UInt32>> {
    unsafe request("list the inputs", collecting: []) { context, reply in
      unsafe pa_context_get_source_info_list(
        context,
        { context, info, end, reply in
          unsafe AgentLoop.assume((context, info, end, reply)) { context, info, end, reply in
            unsafe PulseContext.fill(Reply<Set<UInt32>>.from(reply), context, end: end) {
              guard let info = unsafe info, unsafe info.pointee.monitor_of_sink != cpulse_invalid_index else {
                return
              }
              unsafe $0.insert(info.pointee.index)
            }
          }
        }, reply)
    }
  }

  fileprivate func readCards() -> Reply<[Card]> {
    unsafe request("list the cards", collecting: []) { context, reply in
      unsafe pa_context_get_card_info_list(
        context,
        { context, info, end, reply in
          unsafe AgentLoop.assume((context, info, end, reply)) { context, info, end, reply in
            unsafe PulseContext.fill(Reply<[Card]>.from(reply), context, end: end) {
              if let info = unsafe info { unsafe $0.append(Card(info.pointee)) }
            }
          }
        }, reply)
    }
  }

  fileprivate func readSinkInputs() -> Reply<[SinkInput]> {
    unsafe request("list the playback streams", collecting: []) { context, reply in
      unsafe pa_context_get_sink_input_info_list(context, PulseContext.collectSinkInput, reply)
    }
  }

  /// Reads one playback stream as a list. If the stream does not exist, the list is empty or the answer is an error.
  func readSinkInput(_ index: UInt32) -> Reply<[SinkInput]> {
    unsafe request("ask for a playback stream", collecting: []) { context, reply in
      unsafe pa_context_get_sink_input_info(context, index, PulseContext.collectSinkInput, reply)
    }
  }

  private static let collectSinkInput: pa_sink_input_info_cb_t = { context, info, end, reply in
    unsafe AgentLoop.assume((context, info, end, reply)) { context, info, end, reply in
      unsafe PulseContext.fill(Reply<[SinkInput]>.from(reply), context, end: end) {
        if let info = unsafe info { unsafe $0.append(SinkInput(info.pointee)) }
      }
    }
  }

  /// Each recording stream with the number of its source.
  fileprivate func readSourceOutputs() -> Reply<[(SourceOutput, UInt32)]> {
    unsafe request("list the recording streams", collecting: []) { context, reply in
      unsafe pa_context_get_source_output_info_list(
        context,
        { context, info, end, reply in
          unsafe AgentLoop.assume((context, info, end, reply)) { context, info, end, reply in
            unsafe PulseContext.fill(Reply<[(SourceOutput, UInt32)]>.from(reply), context, end: end) {
              if let info = unsafe info {
                unsafe $0.append((SourceOutput(info.pointee), info.pointee.source))
              }
            }
          }
        }, reply)
    }
  }

  fileprivate func readClients() -> Reply<[AudioClient]> {
    unsafe request("list the connected programs", collecting: []) { context, reply in
      unsafe pa_context_get_client_info_list(
        context,
        { context, info, end, reply in
          unsafe AgentLoop.assume((context, info, end, reply)) { context, info, end, reply in
            unsafe PulseContext.fill(Reply<[AudioClient]>.from(reply), context, end: end) {
              if let info = unsafe info { unsafe $0.append(AudioClient(info.pointee)) }
            }
          }
        }, reply)
    }
  }

  fileprivate func readModules() -> Reply<[String]> {
    unsafe request("list the modules", collecting: []) { context, reply in
      unsafe pa_context_get_module_info_list(
        context,
        { context, info, end, reply in
          unsafe AgentLoop.assume((context, info, end, reply)) { context, info, end, reply in
            unsafe PulseContext.fill(Reply<[String]>.from(reply), context, end: end) {
              if let name = unsafe info?.pointee.name { unsafe $0.append(String(cString: name)) }
            }
          }
        }, reply)
    }
  }
}
