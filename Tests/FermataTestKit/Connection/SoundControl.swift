// SPDX-License-Identifier: MIT
package import AudioModel
import CPulse

/// A test's hand on a sound server: what a person does with pavucontrol or pactl, and what they see there.
///
/// Works on both servers, through a connection of its own that shares nothing with the code under test. Any
/// thread may call it; each call waits for the server's answer and throws when it refuses.
package final class SoundControl: Sendable {
  /// What the server calls a loaded module.
  package struct Module: Sendable, Hashable {
    let index: UInt32
  }

  let connection: PulseConnection

  /// Connects to the server at an address such as "unix:/path". Throws when it does not answer.
  package init(address: String) throws {
    connection = try PulseConnection(address: address, name: "a test's control")
  }

  /// Loads a module. Throws when it is unknown or refuses its arguments.
  @discardableResult
  package func load(_ module: String, _ arguments: String = "") throws -> Module {
    let indexes: [UInt32] = try unsafe connection.request("load \(module) \(arguments)") { context, box in
      unsafe pa_context_load_module(context, module, arguments, Self.receiveIndex, box)
    }
    return Module(index: indexes[0])
  }

  /// Unloads a module, with its sinks.
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

  /// Suspends a sink, or wakes it.
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

  /// Silences a playback stream, or lets it sound.
  package func setMute(_ stream: SinkInput.Index, _ mutes: Bool) throws {
    try unsafe act("mute stream \(stream.rawValue)") {
      unsafe pa_context_set_sink_input_mute($0, stream.rawValue, mutes ? 1 : 0, $1, $2)
    }
  }

  /// Silences a whole sink, or lets it sound.
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

  /// What the server says of itself now. Sinks, cards and playback streams only, and no property lists.
  package func world() throws -> AudioWorld {
    AudioWorld(server: try server(), sinks: try sinks(), cards: try cards(), sinkInputs: try sinkInputs())
  }

  /// Waits until the server's world is as the test expects it, looking again after each event. Returns that world.
  /// Throws, with what it saw last, when that does not happen in time.
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
