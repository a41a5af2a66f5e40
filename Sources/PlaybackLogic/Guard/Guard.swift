// SPDX-License-Identifier: MIT
package import AudioModel

/// Pauses other players in two situations: their private device is gone, such as headphones that were unplugged, or our music begins and the category
/// `solo` wants it to be the only music.
///
/// A value without side effects: events come in with their times, requests come out. `LossWatch` finds the streams that lost their device,
/// `PlayerSearch` the players behind them. Each such player is asked to pause once, and the outcome is reported once. No player is ever told to
/// resume.
package struct Guard: Sendable {
  /// How long another program's player may take to answer.
  package static let patience = Duration.seconds(1)
  /// A player that answered the order to pause in time, but did not become silent, is asked for its status once more. This is how long it may take to
  /// answer that.
  private static let lastWord = Duration.milliseconds(200)

  /// A search for the players behind the streams that have lost their device, or for all players.
  private struct Search {
    let number: Int
    var losses: [LossWatch.Loss] = []
    /// Whether all other players are to be paused, because our music has begun.
    var isForAll = false
    let callers: [StreamProgram]
  }

  /// A player that is being paused.
  private struct Case {
    enum Stage {
      /// The other program's player was asked whether it plays and can pause.
      case asked
      /// The player was told to pause.
      case told
      /// The player has answered the order to pause, which does not tell yet whether it has paused.
      case answered
      /// The player was asked a last time whether it is paused.
      case askedAgain
    }

    let player: BusPlayer
    /// The device that the player has lost; nil if it is paused only because our music has begun.
    var lost: Route?
    /// The player's streams that lost their device.
    var streams: Set<SinkInput.Index> = []
    /// Whether one of `streams` was playing.
    var isRunning = false
    var stage = Stage.asked
    /// Whether the player has said its own name (Identity), so that it is known to be none that the settings except: those are let go of at once.
    var isIdentified = false
    /// Whether the player has become silent since it was told to pause: it says that it is paused, or none of its streams sounds any more.
    var isSilent = false
    var due: Duration

    mutating func add(_ loss: LossWatch.Loss) {
      // A device that is lost while the player is paused for our music is the stronger reason.
      lost = lost ?? loss.route
      streams.insert(loss.stream.index)
      isRunning = isRunning || loss.isRunning
    }
  }

  private var settings = GuardSettings()
  private var watch = LossWatch()
  /// The programs that had a call when the sound server was last read. They are remembered because a call's microphone may disappear together with
  /// the headphones.
  private var callers: [StreamProgram] = []
  private var searches: [Search] = []
  private var lastNumber = 0
  private var cases: [Case] = []
  /// The players, by their connections to the bus, that were paused for the loss of a device. If another stream of theirs loses that device before `until`,
  /// it is the same loss, and they are not paused again.
  private var handled: [(owner: String, device: Route.Device, until: Duration)] = []
  private var now = Duration.zero
  private var effects: [GuardEffect] = []
  /// The time at which the timer fires that was asked for last; nil if it has fired.
  private var timerDue: Duration?

  /// A guard that knows nothing of the sound server yet. It watches for lost devices only once its settings say so.
  package init() {}

  /// Takes an event and returns what has to be done about it, in order. `now` must never go back.
  package mutating func handle(_ event: GuardEvent, at now: Duration) -> [GuardEffect] {
    self.now = now
    take(event)
    askForTimer()
    defer { effects = [] }
    return effects
  }

  private mutating func take(_ event: GuardEvent) {
    switch event {
    case .settings(let settings): apply(settings)
    case .musicBegan: searchForAll()
    case .world(let world, let own): look(at: world, own: own)
    case .serverLost: watch.forget()
    case .found(let number, let players, let processes): found(number, PlayerSearch(players, processes))
    case .identified(let owner, let identity): change(owner) { $0.identified(as: identity, $1) }
    case .answered(let owner, let answer): change(owner) { $0.answered(answer, to: $1) }
    case .obeyed(let owner, let failure): change(owner) { $0.obeyed(failure, $1) }
    case .status(let owner, let status): change(owner) { $0.says(status, $1) }
    case .timer:
      timerDue = nil
      expire()
    }
  }

  private mutating func apply(_ settings: GuardSettings) {
    let wasOn = self.settings.isOn
    self.settings = settings
    // If guarding was off already, the only open cases are those of the category `solo`, and they go on.
    guard wasOn, !settings.isOn else { return }
    effects += cases.map { .leave($0.player) }
    watch.forget()
    (searches, cases, handled, timerDue) = ([], [], [], nil)
  }

  private mutating func askForTimer() {
    guard let due = ([watch.due] + cases.map(\.due)).compactMap(\.self).min(), due != timerDue else { return }
    timerDue = due
    effects.append(.timer(after: max(.zero, due - now)))
  }

  // MARK: Losses

  private mutating func look(at world: AudioWorld, own: SinkInput.Index?) {
    let losses = settings.isOn ? watch.handle(world, own: own, at: now) : []
    let calling = ForeignStreams(in: world, own: own).callers
    if !losses.isEmpty { search(for: losses, callers: callers + calling) }
    callers = calling
    for player in cases where player.stage != .asked && !player.streams.isEmpty {
      let isSounding = player.streams.contains { index in
        // A stream that PipeWire is moving to another device looks corked and has no sink; it still counts as sounding.
        world.sinkInput(index).map { $0.sink == nil || !$0.isCorked } ?? false
      }
      if !isSounding { change(player.player.owner) { $0.fellSilent($1) } }
    }
  }

  private mutating func search(for losses: [LossWatch.Loss], callers: [StreamProgram]) {
    let losses = losses.filter { loss in !callers.contains { $0.isSame(as: loss.program) } }
    guard !losses.isEmpty else { return }
    begin(Search(number: lastNumber + 1, losses: losses, callers: callers))
  }

  /// Our music begins: searches for all players. Players of programs that have a call are left alone.
  private mutating func searchForAll() {
    // Only one such search at a time, so that music that begins again and again does not pile them up when nobody answers.
    searches.removeAll(where: \.isForAll)
    begin(Search(number: lastNumber + 1, isForAll: true, callers: callers))
  }

  private mutating func begin(_ search: Search) {
    lastNumber = search.number
    searches.append(search)
    let processes = Set((search.losses.map(\.program) + search.callers).compactMap(\.process))
    effects.append(.find(search.number, processes: processes.sorted()))
  }

  private mutating func found(_ number: Int, _ search: PlayerSearch) {
    guard let at = searches.firstIndex(where: { $0.number == number }) else { return }
    let asked = searches.remove(at: at)
    let calling = asked.callers.compactMap { search.player(of: $0) }
    if asked.isForAll {
      for player in search.all where !calling.contains(where: player.isSame(as:)) { open(player, nil) }
    }
    var untold: Set<String> = []
    for loss in asked.losses {
      if let player = search.player(of: loss.program) {
        if !calling.contains(where: player.isSame(as:)) { open(player, loss) }
      } else if loss.isRunning, !settings.excepts(loss.program.name),
        untold.insert(loss.program.name).inserted
      {
        tell(loss.program.name, .silent, loss.route)
      }
    }
  }

  /// Begins to pause a player, unless it is being paused already, or was paused for the same loss. `loss` is nil if it is paused because our music
  /// has begun.
  private mutating func open(_ player: BusPlayer, _ loss: LossWatch.Loss?) {
    // Another fermata agent handles a lost device itself.
    guard loss == nil || player.name != "fermata", !settings.excepts(player.name) else { return }
    if let at = cases.firstIndex(where: { $0.player.owner == player.owner }) {
      if let loss { cases[at].add(loss) }
      return
    }
    handled.removeAll { $0.until < now }
    if handled.contains(where: { $0.owner == player.owner && $0.device == loss?.route.device }) { return }
    var new = Case(player: player, due: now + Self.patience)
    if let loss { new.add(loss) }
    cases.append(new)
    effects.append(.ask(player))
  }

  // MARK: A player's answers

  /// Calls `body` with the index of the case in which this player is being paused, if there is one.
  private mutating func change(_ owner: String, _ body: (inout Guard, Int) -> Void) {
    if let at = cases.firstIndex(where: { $0.player.owner == owner }) { body(&self, at) }
  }

  private mutating func identified(as identity: String, _ at: Int) {
    guard cases[at].stage == .asked else { return }
    cases[at].isIdentified = true
    if settings.excepts(identity) { close(at, nil) }
  }

  private mutating func answered(_ answer: PlayerAnswer, to at: Int) {
    guard cases[at].stage == .asked else { return }
    if let identity = answer.identity, settings.excepts(identity) { return close(at, nil) }
    if answer.isGone { return close(at, cases[at].isRunning ? .silent : nil) }
    // Some players report "Playing" only a while after their sound began. So a stream that plays counts as well.
    guard answer.status == "Playing" || cases[at].isRunning else { return close(at, nil) }
    guard answer.canPause != false else { return close(at, .refused) }
    cases[at].stage = .told
    cases[at].due = now + Self.patience
    effects.append(.pause(cases[at].player))
  }

  private mutating func obeyed(_ failure: PlayerFailure?, _ at: Int) {
    guard cases[at].stage == .told else { return }
    switch failure {
    case .refused: close(at, .refused)
    case .gone: close(at, .silent)
    case nil where cases[at].isSilent: close(at, .paused)
    case nil:
      cases[at].stage = .answered
      // Some players never report that they have paused, and others still say "Playing" at this moment; so ask.
      effects.append(.readStatus(cases[at].player))
    }
  }

  private mutating func says(_ status: String?, _ at: Int) {
    if status == "Paused" || status == "Stopped" {
      fellSilent(at)
    } else if cases[at].stage == .askedAgain {
      close(at, .refused)
    }
  }

  private mutating func fellSilent(_ at: Int) {
    switch cases[at].stage {
    case .asked: return
    case .told: cases[at].isSilent = true
    case .answered, .askedAgain: close(at, .paused)
    }
  }

  private mutating func expire() {
    if watch.takeDue(at: now) { effects.append(.readWorld) }
    for player in cases where player.due <= now {
      guard let at = cases.firstIndex(where: { $0.player == player.player }) else { continue }
      switch player.stage {
      case .asked:
        // A player that hangs may recover: then it finds the order to pause. If it has not said its name, it may be one that is never to be paused.
        if player.isRunning, player.isIdentified || settings.exceptions.isEmpty {
          effects.append(.pause(player.player))
        }
        // Where no stream of it runs, there is nothing to report: it is paused, or has lost no device, and nobody knows whether it plays.
        close(at, player.isRunning ? .silent : nil)
      case .told: close(at, player.isSilent ? .paused : .silent)
      case .answered:
        cases[at].stage = .askedAgain
        cases[at].due = now + Self.lastWord
        effects.append(.readStatus(player.player))
      case .askedAgain: close(at, .refused)
      }
    }
  }

  /// Ends the pausing of a player (its case), and reports the outcome; nil reports nothing.
  private mutating func close(_ at: Int, _ outcome: GuardReport.Outcome?) {
    let ended = cases.remove(at: at)
    effects.append(.leave(ended.player))
    guard let outcome else { return }
    if let lost = ended.lost { handled.append((ended.player.owner, lost.device, now + Self.patience)) }
    tell(ended.player.name, outcome, ended.lost)
  }

  private mutating func tell(_ player: String, _ outcome: GuardReport.Outcome, _ lost: Route?) {
    effects.append(.tell(GuardReport(player: player, outcome: outcome, lost: lost)))
  }
}

/// The user's settings for the guard, which pauses other programs' players when their device is gone.
package struct GuardSettings: Sendable, Equatable {
  /// Whether other programs' players are paused when their device is gone.
  package var isOn: Bool
  /// The names of other programs' players that are never paused.
  package var exceptions: [String]

  package init(isOn: Bool = false, exceptions: [String] = []) {
    self.isOn = isOn
    self.exceptions = exceptions
  }

  /// Whether a player of this name is never paused.
  package func excepts(_ name: String) -> Bool {
    let name = name.lowercased()
    return exceptions.contains { $0.lowercased() == name }
  }
}

/// What came of pausing another program's player, and why it was to be paused.
package struct GuardReport: Sendable, Hashable {
  /// Whether the player is silent now. The raw values are those on D-Bus.
  package enum Outcome: String, Sendable, CaseIterable {
    /// The player answered, and is paused.
    case paused
    /// The player says that it can't or won't pause, or it plays on.
    case refused
    /// The player did not answer, has left, or can't be asked because it has no name on the bus.
    case silent
  }

  /// The player's name on the bus without the prefix that all players share; the name of its program if it has no name on the bus.
  package let player: String
  package let outcome: Outcome
  /// The device that the player used and that is gone; nil if it was paused for another reason.
  package let lost: Route?

  /// Why a player was to be paused. The raw values are those on D-Bus.
  package enum Reason: String, Sendable, CaseIterable {
    /// The private device that the player played on is gone.
    case oldDeviceUnavailable
    /// Our music has begun, and is to be alone.
    case solo
  }

  /// Why the player was to be paused: its device was lost, or our own music was to sound alone.
  package var reason: Reason { lost == nil ? .solo : .oldDeviceUnavailable }

  package init(player: String, outcome: Outcome, lost: Route?) {
    self.player = player
    self.outcome = outcome
    self.lost = lost
  }
}

/// Something that happens, for `Guard.handle`. Other programs' players are named by their connections to the bus (`BusPlayer.owner`).
package enum GuardEvent: Sendable, Equatable {
  /// The user's settings for the guard, for the first time or after a change. Before that, the guard watches for no lost devices.
  case settings(GuardSettings)
  /// All that the sound server says of itself was read. `own` is our stream that is heard, if there is one.
  case world(AudioWorld, own: SinkInput.Index?)
  /// The sound server is gone.
  case serverLost
  /// Our music begins, and is to be alone.
  case musicBegan
  /// The answer to `GuardEffect.find`: the players on the bus, none if there is no bus, and the processes by their numbers.
  case found(Int, [BusPlayer], [Int32: ProcessRecord])
  /// A part of the answer to `GuardEffect.ask` that came before the rest: the name by which the player calls itself.
  case identified(String, String)
  /// The answer to `GuardEffect.ask`.
  case answered(String, PlayerAnswer)
  /// The answer to `GuardEffect.pause`; nil if the player answered that it has paused.
  case obeyed(String, PlayerFailure?)
  /// What the player says of itself, asked or unasked: "Playing", "Paused" or "Stopped"; nil if it did not answer.
  case status(String, String?)
  /// The time of `GuardEffect.timer` is over.
  case timer
}

/// What another program's player answered about itself; nil where it gave no answer.
package struct PlayerAnswer: Sendable, Equatable {
  package var status: String?
  package var canPause: Bool?
  /// The name by which the player calls itself, for people.
  package var identity: String?
  /// Whether the player has left the bus.
  package var isGone: Bool

  package init(status: String? = nil, canPause: Bool? = nil, identity: String? = nil, isGone: Bool = false) {
    self.status = status
    self.canPause = canPause
    self.identity = identity
    self.isGone = isGone
  }
}

/// Why another program's player did not obey an order to pause.
package enum PlayerFailure: Sendable, Equatable {
  /// The other program answered the order with an error.
  case refused
  /// The other program gave no answer: it has left the bus, it hangs, or our own connection is cut.
  case gone
}

/// What the guard, which pauses other programs' players, wants done. The requests of one event have to be carried out in their order.
package enum GuardEffect: Sendable, Equatable {
  /// Read all that the sound server says of itself, and hand it in as `GuardEvent.world`.
  case readWorld
  /// Find all players on the bus, and the kernel's records of `processes`, of the players' processes and of all their ancestors. The answer is
  /// `GuardEvent.found` with the same number.
  case find(Int, processes: [Int32])
  /// Ask another program's player whether it plays, whether it can pause, and for its name. The answer is `GuardEvent.answered`. From now on until
  /// `leave`, `GuardEvent.status` reports its changes.
  case ask(BusPlayer)
  /// Tell another program's player to pause. The answer is `GuardEvent.obeyed`.
  case pause(BusPlayer)
  /// Ask another program's player whether it plays. The answer is `GuardEvent.status`.
  case readStatus(BusPlayer)
  /// Stop reporting when this player begins, pauses or stops.
  case leave(BusPlayer)
  /// Send `GuardEvent.timer` after this time. A later request replaces an earlier one.
  case timer(after: Duration)
  /// Report what came of pausing another program's player.
  case tell(GuardReport)
}
