// SPDX-License-Identifier: MIT
package import BusModel
package import PlaybackLogic

/// `org.fermata.Session1`: where the sound goes, what interrupts it, and how it behaves beside other programs' sound.
package enum AgentSession {
  package static let description = InterfaceDescription(
    "org.fermata.Session1", methods: Method.descriptions,
    signals: [
      routeChanged.description, interruptionBegan.description, interruptionEnded.description,
      guarded.description,
    ],
    properties: properties.descriptions)

  // MARK: Methods

  /// A call of one of this D-Bus interface's methods, once its arguments are read.
  package enum Call: Sendable, Hashable {
    case outputs
    /// Move the sound to the output with this name.
    case setOutput(String)
  }

  /// The methods of this D-Bus interface, in the order in which it lists them.
  package enum Method: String, AgentMethod {
    package static var interface: InterfaceName { AgentSession.description.name }

    case outputs = "Outputs"
    case setOutput = "SetOutput"

    package var row: MethodRow<Call> {
      switch self {
      case .outputs: .init(out: ["Outputs": "aa{sv}"]) { .outputs }
      // The output's name, its description, or a part of either that no other has.
      case .setOutput: .init("Output") { .setOutput($0) }
      }
    }
  }

  /// The answer to `Outputs`.
  package static func reply(_ outputs: Outputs) -> WireValue {
    outputs.routes.map { route in
      OutputFace(route: RouteFace(route), isCurrent: route.sinkName == outputs.current).fields
    }.wireValue
  }

  /// The properties. What a change of the route means is reported by a signal of its own. `Route` may also change without one, as when the server links
  /// our stream a moment after a loss was reported.
  package static let properties = FaceProperties<PlayerFace>(
    of: "org.fermata.Session1",
    [
      .init("Route", mayDiffer: { $0.route != $1.route }) { RouteFace.fields(of: $0.route) },
      .init("Interruptions", mayDiffer: { $0.interruptions != $1.interruptions }) { texts($0.interruptions) },
      .init("Callers", mayDiffer: { $0.callers != $1.callers }) { $0.callers.map(WireText.clean) },
      .init("Category") { $0.category.rawValue },
      // The fraction of the volume that is left while another program's sound takes precedence; 1 while none does.
      .init("Ducked") { $0.duckLevel ?? 1 },
      .init("DuckedFor") { WireText.clean($0.duckLevel == nil ? "" : $0.duckedFor?.text ?? "") },
      .init("OtherAudioPlaying", changes: .silently) { $0.isOtherAudioPlaying },
    ])

  static let routeChanged = SignalRow<String, Fields, Fields, Bool>(
    "RouteChanged", "Reason", "Previous", "Current", "Paused")
  static let interruptionBegan = SignalRow<String, [String], Bool>(
    "InterruptionBegan", "Source", "Sources", "WasPlaying")
  static let interruptionEnded = SignalRow<String, [String], Bool, Bool>(
    "InterruptionEnded", "Source", "Sources", "ShouldResume", "Overruled")

  static let guarded = SignalRow<String, String, String, Fields>(
    "Guarded", "Player", "Reason", "Outcome", "Previous")

  /// The signal with the outcome of pausing another program's player.
  package static func signal(_ report: GuardReport) -> (MemberName, [WireValue]) {
    guarded(
      WireText.clean(report.player), report.reason.rawValue, report.outcome.rawValue,
      RouteFace.fields(of: report.lost))
  }

  /// The signal that the sound goes to another output; `paused` says whether playback was paused because of that.
  package static func signal(_ change: RouteChange, paused: Bool) -> (MemberName, [WireValue]) {
    routeChanged(
      change.reason.rawValue, RouteFace.fields(of: change.previous), RouteFace.fields(of: change.current),
      paused)
  }

  /// The signal that an interruption began.
  package static func began(_ told: ToldInterruption) -> (MemberName, [WireValue]) {
    interruptionBegan(WireText.clean(told.source.text), texts(told.sources), told.wasPlaying)
  }

  /// The signal that an interruption has ended, or that the user plays in spite of it.
  package static func ended(_ told: ToldInterruption, _ end: InterruptionEnd) -> (MemberName, [WireValue]) {
    interruptionEnded(
      WireText.clean(told.source.text), texts(told.sources), end == .resumes, end == .overruled)
  }

  private static func texts(_ sources: [Interruption.Source]) -> [String] {
    sources.map { WireText.clean($0.text) }
  }
}

// The calls that a client makes.
extension AgentCall {
  package static let outputs = AgentCall(AgentSession.Method.outputs)
  /// Moves the sound to the output with this name.
  package static func set(output: String) -> AgentCall { AgentCall(AgentSession.Method.setOutput, output) }

  /// Asks for the category, which says how our sound behaves beside other programs' sound.
  package static let category = AgentCall("Get", "Category", of: AgentSession.description)
  /// Sets how our sound behaves beside other programs' sound. Only a player inside the program that asks accepts this; for the agent's own player,
  /// only the user's settings say it.
  package static func set(category: SessionCategory) -> AgentCall {
    AgentCall("Set", "Category", of: AgentSession.description, category.rawValue.wireValue)
  }

  /// The category that this call sets; nil if it is another call, or if the word is not a category.
  package var wantedCategory: SessionCategory? {
    guard interface == StandardInterfaces.properties.name, member == "Set",
      let (owner, name, value) = try? arguments.decoded(as: String.self, String.self, WireValue.self),
      owner == AgentSession.description.name.text, name == "Category"
    else { return nil }
    return String(wire: value).flatMap(SessionCategory.init)
  }

  /// Asks whether another program's stream plays: one that is neither corked nor muted, by the last reading of the sound server. One that runs without
  /// sound counts.
  package static let isOtherAudioPlaying = AgentCall("Get", "OtherAudioPlaying", of: AgentSession.description)
}

/// An output that the sound can go to, as our own interfaces show it.
package struct OutputFace: Sendable, Hashable {
  package var route: RouteFace
  /// Whether our sound goes there, or would go there.
  package var isCurrent: Bool

  package init(route: RouteFace, isCurrent: Bool) {
    self.route = route
    self.isCurrent = isCurrent
  }

  /// Reads an output from a dictionary; nil if that names none.
  package init?(wire: WireValue) {
    guard let route = RouteFace(wire: wire), let fields = FieldReader(wire) else { return nil }
    self.init(route: route, isCurrent: fields("current") ?? false)
  }

  var fields: Fields {
    var fields = route.fields
    if isCurrent { fields.add("current", true) }
    return fields
  }

  package var wireValue: WireValue { fields.wireValue }
}
