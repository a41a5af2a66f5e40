// SPDX-License-Identifier: MIT
package import AudioModel
package import BusModel
package import JobLogic
package import PlaybackLogic

/// One report from the agent, as a client reads it from the agent's signals.
package enum AgentNews: Sendable, Hashable {
  /// The state of playback, or why nothing is heard, has changed.
  case state(PlaybackState, why: String?)
  /// Another track is heard, or has become the current one while the music is silent; nil if there is none.
  case nowPlaying(ItemFace?)
  /// The coding of the current track is known, because the track was opened; nil if none is open.
  case coding(SoundCoding?)
  case volume(Double)
  /// The user has muted or unmuted the music.
  case muted(Bool)
  /// The repeat mode, the shuffle mode, and whether played entries leave the queue; at least one of these has changed.
  case modes(RepeatMode, ShuffleMode, consumes: Bool)
  /// The sleep timer was set, and pauses the music after this time; nil if it was cancelled or has ended.
  case sleepTimer(left: Duration?)
  /// Playback stops after the current track, or no longer does.
  case stopsAfterCurrent(Bool)
  /// The session category, which says how our sound behaves beside other programs' sound, has changed.
  case category(SessionCategory)
  /// The music is played at this fraction of its volume, because another program's sound takes precedence; nil if it is no longer.
  case ducked(to: Double?)
  /// The position in the track has jumped: it has changed by more or less than the time that has passed.
  case seeked(Duration)
  /// An entry was skipped because it cannot be played.
  case skipped(EntryID, url: String, why: String)
  /// An entry could not be played to its end, because its data is damaged or its decoder died. It was heard up to this place.
  case endedEarly(EntryID, url: String, why: String, at: Duration)
  case queue(QueueNews)
  /// Whether a crash of the agent would leave the queue as it is. False after a write of the agent's state has failed.
  case stored(Bool)
  /// The known facts about these queue entries have changed: their tags, a length, or that they can't be played.
  case itemsChanged([ItemFace])
  /// Another row is current, counted from 1; nil if none is.
  case row(Int?)
  /// Where the sound goes now; nil if that is nowhere. It is reported with each `routeChange`, and also without one if the change follows from an earlier
  /// one.
  case route(RouteFace?)
  /// The sound goes to another output, or to none. `paused` is true if the music was paused for it.
  case routeChange(RouteChange.Reason, previous: RouteFace?, current: RouteFace?, paused: Bool)
  /// An interruption began. The first value is the source that began it, such as a call; `sources` are all that it has so far. `wasPlaying` says
  /// whether music was heard before.
  case interruptionBegan(String, sources: [String], wasPlaying: Bool)
  /// The interruption is over. If `shouldResume` is true, the music goes on. If `isOverruled` is true, its source is still there, but the user plays
  /// all the same.
  case interruptionEnded(String, sources: [String], shouldResume: Bool, isOverruled: Bool)
  /// The sources that interrupt the music now, such as a call. They may change before the interruption as a whole is over.
  case interruptions([String])
  /// The programs that interrupt or duck the music now, by their names for people.
  case callers([String])
  /// Another source lowers the music's volume now, such as a call; nil if none does any more.
  case duckedFor(String?)
  /// The guard wanted another program's player to pause: for this reason, and with this outcome. `previous` is the device that the player has lost, if
  /// that is the reason.
  case guarded(player: String, GuardReport.Reason, GuardReport.Outcome, previous: RouteFace?)
  /// Items of the library were added, changed and removed: so many of each since the last report of this kind.
  case library(added: Int, changed: Int, removed: Int)
  /// A job was added, has progressed or has ended.
  case job(Job)
  /// Another kit was loaded, a volume of the pads was set, or hits have begun or ceased to be refused.
  case pads(PadsFace)
  /// The agent ends on purpose. An agent that crashes sends nothing.
  case ending

  /// The reports in a signal from the agent's object, in order. There are none in an unknown signal, which a newer agent may send.
  package static func news(
    _ interface: InterfaceName, _ signal: MemberName, _ arguments: [WireValue]
  ) -> [AgentNews] {
    switch interface {
    case AgentDescriptions.player.name: player(signal, arguments).map { [$0] } ?? []
    case AgentDescriptions.queue.name: queue(signal, arguments).map { [$0] } ?? []
    case AgentDescriptions.session.name: session(signal, arguments).map { [$0] } ?? []
    case AgentDescriptions.library.name:
      AgentLibrary.libraryChanged.arguments(of: signal, arguments)
        .map { [.library(added: Int($0), changed: Int($1), removed: Int($2))] } ?? []
    case AgentDescriptions.jobs.name:
      AgentJobs.jobChanged.arguments(of: signal, arguments).flatMap { JobFace(wire: $0.wireValue) }
        .map { [.job($0.job)] } ?? []
    case AgentDescriptions.pads.name:
      AgentPads.padsChanged.arguments(of: signal, arguments).flatMap { PadsFace(wire: $0.wireValue) }
        .map { [.pads($0)] } ?? []
    case StandardInterfaces.properties.name where signal == "PropertiesChanged": properties(arguments)
    default: []
    }
  }

  private static func player(_ signal: MemberName, _ arguments: [WireValue]) -> AgentNews? {
    if let (text, why) = AgentPlayer.stateChanged.arguments(of: signal, arguments) {
      return PlaybackState(rawValue: text).map { .state($0, why: why.isEmpty ? nil : why) }
    }
    if let item = AgentPlayer.nowPlaying.arguments(of: signal, arguments) {
      return .nowPlaying(ItemFace(wire: item.wireValue))
    }
    if let seconds = AgentPlayer.seekedTo.arguments(of: signal, arguments) {
      return WireTime.duration(seconds: seconds).map { .seeked($0) }
    }
    if let (repeats, shuffle, consumes) = AgentPlayer.modesChanged.arguments(of: signal, arguments) {
      guard let repeats = RepeatMode(rawValue: repeats), let shuffle = ShuffleMode(rawValue: shuffle) else {
        return nil
      }
      return .modes(repeats, shuffle, consumes: consumes)
    }
    if let seconds = AgentPlayer.sleepChanged.arguments(of: signal, arguments) {
      return WireTime.duration(seconds: seconds).map { .sleepTimer(left: $0 > .zero ? $0 : nil) }
    }
    if let (entry, url, why, seconds) = AgentPlayer.endedEarly.arguments(of: signal, arguments) {
      return WireTime.duration(seconds: seconds)
        .map { .endedEarly(EntryID(rawValue: entry), url: url, why: why, at: $0) }
    }
    if AgentPlayer.ending.arguments(of: signal, arguments) != nil { return .ending }
    guard let (entry, url, why) = AgentPlayer.skippedEntry.arguments(of: signal, arguments) else {
      return nil
    }
    return .skipped(EntryID(rawValue: entry), url: url, why: why)
  }

  private static func queue(_ signal: MemberName, _ arguments: [WireValue]) -> AgentNews? {
    if let items = AgentQueue.itemsChanged.arguments(of: signal, arguments) {
      return .itemsChanged(items.compactMap { ItemFace(wire: $0.wireValue) })
    }
    return QueueNews(signal: signal, arguments).map { .queue($0) }
  }

  private static func session(_ signal: MemberName, _ arguments: [WireValue]) -> AgentNews? {
    if let (reason, previous, current, paused) = AgentSession.routeChanged.arguments(of: signal, arguments) {
      // A newer agent may know other reasons.
      return .routeChange(
        RouteChange.Reason(rawValue: reason) ?? .unknown, previous: RouteFace(wire: previous.wireValue),
        current: RouteFace(wire: current.wireValue), paused: paused)
    }
    if let (source, sources, flag) = AgentSession.interruptionBegan.arguments(of: signal, arguments) {
      return .interruptionBegan(source, sources: sources, wasPlaying: flag)
    }
    if let (player, reason, outcome, previous) = AgentSession.guarded.arguments(of: signal, arguments) {
      guard let reason = GuardReport.Reason(rawValue: reason),
        let outcome = GuardReport.Outcome(rawValue: outcome)
      else { return nil }
      return .guarded(player: player, reason, outcome, previous: RouteFace(wire: previous.wireValue))
    }
    return AgentSession.interruptionEnded.arguments(of: signal, arguments)
      .map { .interruptionEnded($0, sources: $1, shouldResume: $2, isOverruled: $3) }
  }

  private static func properties(_ arguments: [WireValue]) -> [AgentNews] {
    guard
      let (interface, changed, _) = try? arguments.decoded(
        as: String.self, [String: WireValue].self, [String].self)
    else { return [] }
    return changed.sorted { $0.key < $1.key }.compactMap { property(interface, $0.key, $0.value) }
  }

  private static func property(_ interface: String, _ name: String, _ value: WireValue) -> AgentNews? {
    switch (interface, name) {
    case (AgentDescriptions.player.name.text, "Volume"): Double(wire: value).map { .volume($0) }
    case (AgentDescriptions.player.name.text, "Coding"): .coding(SoundCoding(wire: value))
    case (AgentDescriptions.player.name.text, "Muted"): Bool(wire: value).map { .muted($0) }
    case (AgentDescriptions.player.name.text, "StopsAfterCurrent"):
      Bool(wire: value).map { .stopsAfterCurrent($0) }
    case (AgentDescriptions.session.name.text, "Route"): .route(RouteFace(wire: value))
    case (AgentDescriptions.session.name.text, "Category"):
      String(wire: value).flatMap(SessionCategory.init).map { .category($0) }
    case (AgentDescriptions.session.name.text, "Ducked"):
      Double(wire: value).map { .ducked(to: $0 < 1 ? $0 : nil) }
    case (AgentDescriptions.session.name.text, "Interruptions"):
      [String](wire: value).map { .interruptions($0) }
    case (AgentDescriptions.session.name.text, "Callers"): [String](wire: value).map { .callers($0) }
    case (AgentDescriptions.session.name.text, "DuckedFor"):
      String(wire: value).map { .duckedFor($0.isEmpty ? nil : $0) }
    case (AgentDescriptions.queue.name.text, "Current"):
      UInt32(wire: value).map { .row($0 == 0 ? nil : Int($0)) }
    case (AgentDescriptions.queue.name.text, "NotStored"): String(wire: value).map { .stored($0.isEmpty) }
    default: nil
    }
  }
}
