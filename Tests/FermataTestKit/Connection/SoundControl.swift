// SPDX-License-Identifier: MIT
package import AudioModel
import CPulse

/// Controls and inspects a sound server for a test, as a person does with pavucontrol or pactl.
///
/// It works with both servers, through a connection of its own that shares nothing with the code under test. Any
/// thread may call it. Each call waits for the server's answer and throws if the server refuses.
package final class SoundControl: Sendable {
  /// Identifies a loaded module.
  package struct Module: Sendable, Hashable {
    let index: UInt32
  }

  let connection: PulseConnection

  /// Connects to the server at an address such as "unix:/path". Throws if it doesn't answer.
  package init(address: String) throws {
    connection = try PulseConnection(address: address, name: "a test's control")
  }

  /// Loads a module. Throws if it is unknown or rejects its arguments.
  @discardableResult
  package func load(_ module: String, _ arguments: String = "") throws -> Module {
    let indexes: [UInt32] = try unsafe connection.request("load \(module) \(arguments)") { context, box in
      unsafe pa_context_load_module(context, module, arguments, Self.receiveIndex, box)
    }
    return Module(index: indexes[0])
  }

  /// Unloads a module, which removes its sinks.
  package func unload(_ module: Module) throws {
    try unsafe act("unload module \(module.index)") {
      unsafe pa_context_unload_module($0, module.index, $1, $2)
    }
  }

  /// Makes a sink the default, as the user would.
  package func setDefaultSink(_ name: String) throws {
    try unsafe act("make \(name) the default") { unsafe pa_context_set_default_sink($0, name, $1, $2) }
  }

  /// Chooses a sink's port, as the user would.
  package func setPort(_ port: String, ofSink sink: String) throws {
    try unsafe act("port \(port) of \(sink)") {
      unsafe pa_context_set_sink_port_by_name($0, sink, port, $1, $2)
    }
  }

  /// Chooses a card's profile, as the user would.
  package func setProfile(_ profile: String, ofCard card: String) throws {
    try unsafe act("profile \(profile) of \(card)") {
      unsafe pa_context_set_card_profile_by_name($0, card, profile, $1, $2)
    }
  }

  /// Suspends or resumes a sink.
  package func suspend(sink: String, _ suspends: Bool) throws {
    try unsafe act("suspend \(sink)") {
      unsafe pa_context_suspend_sink_by_name($0, sink, suspends ? 1 : 0, $1, $2)
    }
  }

  /// Moves a playback stream to another sink, as the user would.
  package func move(_ stream: SinkInput.Index, toSink sink: String) throws {
    try unsafe act("move stream \(stream.rawValue) to \(sink)") {
      unsafe pa_context_move_sink_input_by_name($0, stream.rawValue, sink, $1, $2)
    }
  }

  /// Terminates a playback stream, as the user would.
  package func kill(_ stream: SinkInput.Index) throws {
    try unsafe act("kill stream \(stream.rawValue)") {
      unsafe pa_context_kill_sink_input($0, stream.rawValue, $1, $2)
    }
  }

  /// Mutes or unmutes a playback stream.
  package func setMute(_ stream: SinkInput.Index, _ mutes: Bool) throws {
    try unsafe act("mute stream \(stream.rawValue)") {
      unsafe pa_context_set_sink_input_mute($0, stream.rawValue, mutes ? 1 : 0, $1, $2)
    }
  }

  /// How often the server has told its clients that a playback stream has changed.
  package func changes(of stream: SinkInput.Index) -> Int { connection.changes(ofStream: stream.rawValue) }

  /// Mutes or unmutes a sink.
  package func setMute(sink: String, _ mutes: Bool) throws {
    try unsafe act("mute \(sink)") {
      unsafe pa_context_set_sink_mute_by_name($0, sink, mutes ? 1 : 0, $1, $2)
    }
  }

  /// Sends a message to an object of the server.
  package func send(_ message: String, to object: String, parameters: String) throws {
    let _: [Bool] = try unsafe connection.request("\(message) to \(object)") { context, box in
      unsafe pa_context_send_message_to_object(context, object, message, parameters, Self.receiveReply, box)
    }
  }

  /// The server's current state: only sinks, cards and playback streams, without property lists.
  package func world() throws -> AudioWorld {
    AudioWorld(server: try server(), sinks: try sinks(), cards: try cards(), sinkInputs: try sinkInputs())
  }

  /// Waits until the server's state is as the test expects, and returns it. The state is read again after each event.
  /// If that doesn't happen in time, it throws with the last state that it saw.
  @discardableResult
  package func wait(
    for expectation: String, within patience: Duration = .patience, _ isMet: (AudioWorld) -> Bool
  ) throws -> AudioWorld {
    let deadline = Deadline.after(patience)
    while true {
      let events = connection.events
      let world = try world()
      if isMet(world) { return world }
      do {
        try connection.waitForEvent(after: events, expectation, until: deadline)
      } catch {
        throw KitError("\(error); last seen: \(world)")
      }
    }
  }

  private typealias Act = (OpaquePointer, pa_context_success_cb_t, UnsafeMutableRawPointer) -> OpaquePointer?

  private func act(_ what: String, _ start: Act) throws {
    let _: [Bool] = try unsafe connection.request(what) { context, box in
      unsafe start(context, Self.receiveSuccess, box)
    }
  }

  private static let receiveSuccess: pa_context_success_cb_t = { _, success, box in
    unsafe Answer<Bool>.from(box)?.finish(isRefused: success == 0)
  }

  private static let receiveReply: pa_context_string_cb_t = { _, success, _, box in
    unsafe Answer<Bool>.from(box)?.finish(isRefused: success == 0)
  }

  private static let receiveIndex: pa_context_index_cb_t = { _, index, box in
    let answer = unsafe Answer<UInt32>.from(box)
    answer?.add(index)
    answer?.finish(isRefused: index == cpulse_invalid_index)
  }
}
