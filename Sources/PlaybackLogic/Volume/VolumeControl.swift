// SPDX-License-Identifier: MIT
import AudioModel

/// What the volume's control wants done, in this order.
enum VolumeEffect: Sendable, Equatable {
  /// Give our stream, and those made later, this volume.
  case set(BalancedVolume)
  /// Our stream has this volume already: make later ones with it.
  case keep(BalancedVolume)
  /// The listener's choice is another one now: tell those who listen.
  case tell(Double)
  /// Call `goOnSleeping` after this time, instead of at any time asked for before.
  case timer(after: Duration)
  case cancelTimer
  /// The sleep timer's time is over: pause the music, and then call `fadeIsOver`.
  case pause
  /// The reading was of no use: read our stream once more.
  case readAgain
}

/// Decides the volume of our stream, and fades it out for the sleep timer.
///
/// A value. `StreamVolume` tells what a volume that the server reports means; this one decides what follows from it, from the
/// listener's orders, from ducks and from the sleep timer.
struct VolumeControl: Sendable {
  /// The volume of our stream, and of those to come.
  private(set) var stream: StreamVolume
  /// The timer after which the music pauses; nil if the listener set none.
  private(set) var sleepTimer: SleepTimer?
  /// The volume with which the sound engine makes streams; nil if the server gives them the one that it remembers for us.
  private var engineVolume: BalancedVolume?
  /// The stream that carried our sound when the server was last read; nil if there was none until now.
  private var knownStream: SinkInput.Index?
  /// Whether the listener has chosen a volume through us that no reading of our stream has shown yet.
  private var isChoiceOpen = false
  private var effects: [VolumeEffect] = []

  /// Without `volume`, the volume is the one that the server remembers for us.
  init(_ volume: Double?) {
    stream = StreamVolume(user: volume ?? 1)
    engineVolume = volume.map { BalancedVolume($0) }
  }

  private mutating func inOneStep(_ step: (inout VolumeControl) -> Void) -> [VolumeEffect] {
    step(&self)
    defer { effects = [] }
    return effects
  }

  // MARK: What the listener wants

  /// Sets the volume that the listener chose, within 0...1.
  mutating func choose(_ fraction: Double) -> [VolumeEffect] {
    change { $0.choose(min(max(fraction, 0), 1)) }
  }

  /// Changes the volume by this fraction of the full one, down if negative.
  mutating func change(by difference: Double) -> [VolumeEffect] { change { $0.change(by: difference) } }

  private mutating func change(_ change: (inout StreamVolume) -> Void) -> [VolumeEffect] {
    inOneStep { control in
      let before = control.stream.user
      change(&control.stream)
      // A fade goes on for somebody who falls asleep and wants it quieter. To end it here would be louder than before.
      if control.stream.isFading, control.stream.user > before {
        control.endSleep()
        _ = control.stream.fade(to: 1)
      }
      control.order()
      control.isChoiceOpen = true
      control.effects.append(.tell(control.stream.user))
    }
  }

  /// Ducks to this fraction of the listener's choice; nil ends that.
  mutating func duck(to level: Double?) -> [VolumeEffect] {
    inOneStep { control in
      if let level { control.stream.duck(to: level) } else { control.stream.unduck() }
      control.orderLowered()
    }
  }

  /// Ducks to another fraction if the music is ducked now, because the settings have changed.
  mutating func duckOn(to level: Double) -> [VolumeEffect] {
    inOneStep { if $0.stream.duckOn(to: level) { $0.orderLowered() } }
  }

  // MARK: The sleep timer

  /// Pauses the music after this time; nil cancels that, and plays on at full volume.
  mutating func pause(after time: Duration?, at now: Duration) -> [VolumeEffect] {
    sleepTimer = time.map { SleepTimer(after: $0, at: now) }
    return goOnSleeping(at: now)
  }

  /// Takes the sleep timer's next step. Without a timer, ends its fade.
  mutating func goOnSleeping(at now: Duration) -> [VolumeEffect] {
    inOneStep { control in
      switch control.sleepTimer?.step(at: now) {
      case .play(let fraction, let again)?:
        control.effects.append(.timer(after: again))
        control.fade(to: fraction)
      case .pause?:
        control.sleepTimer = nil
        control.effects.append(.pause)
      case nil:
        control.effects.append(.cancelTimer)
        control.fade(to: 1)
      }
    }
  }

  /// The sleep timer has paused the music. Its stream is corked by now, so nobody hears that it has the full volume again.
  mutating func fadeIsOver() -> [VolumeEffect] { inOneStep { $0.fade(to: 1) } }

  /// Ends the sleep timer, because a listener who turns the volume up while the music fades out, or moves it in a mixer, is awake.
  private mutating func endSleep() {
    sleepTimer = nil
    effects.append(.cancelTimer)
  }

  private mutating func fade(to fraction: Double) { if stream.fade(to: fraction) { orderLowered() } }

  // MARK: What the server says

  /// The server has answered an order of a volume, or will not answer it. Returns true if our stream has to be read again.
  mutating func ordered() -> Bool { stream.ordered() }

  /// Looks at our stream in a reading of the sound server: somebody may have changed its volume in a mixer. `mark` is `stream.mark` of the time when
  /// the reading began.
  ///
  /// With flat volumes the volume of a stream is that of its output. To order the one that the listener chose yesterday would turn the output up or down,
  /// so a new stream's volume is taken over, unless the listener has chosen one since the stream before.
  mutating func look(
    at input: SinkInput, _ mark: Int?, isFlat: Bool = false, at now: Duration
  ) -> [VolumeEffect] {
    inOneStep { control in
      guard let fraction = input.volume else { return }
      defer { control.knownStream = input.index }
      let isNew = input.index != control.knownStream
      guard control.engineVolume != nil else { return control.adopt(fraction, input.balance) }
      if isFlat, isNew {
        return control.isChoiceOpen ? control.order() : control.adopt(fraction, input.balance)
      }
      if isNew { control.stream.streamMade(at: now) }
      control.observe(fraction, input.balance, mark, at: now)
    }
  }

  /// The server is gone. The next one counts its streams anew, so its number for our stream may be the same.
  mutating func serverLost() { knownStream = nil }

  private mutating func observe(_ fraction: Double, _ balance: [Double], _ mark: Int?, at now: Duration) {
    let (before, wasFading) = (stream.user, stream.isFading)
    switch stream.observe(fraction, balance: balance, mark, at: now) {
    case .asTold:
      isChoiceOpen = false
      keep()
    case .moved:
      isChoiceOpen = false
      keep()
      if wasFading { endSleep() }
      // If somebody turned up a ducked stream in a mixer, the volume that the listener wants may still be the same.
      tellChange(from: before)
    case .foreign: order()
    case .doubtful(let again): if again { effects.append(.readAgain) }
    }
  }

  /// Takes over the volume that the server gave our first stream, because it remembers it for us. If the music is to be quieter, that is ordered now.
  private mutating func adopt(_ fraction: Double, _ balance: [Double]) {
    let before = stream.user
    stream.adopt(fraction, balance: balance)
    if stream.isLowered { order() } else { keep() }
    tellChange(from: before)
  }

  // MARK: Orders

  /// Orders the volume after a duck or a fade has changed. As long as the volume that the server remembers for us is not known, nothing can be ordered:
  /// that is done when our first stream has been read.
  private mutating func orderLowered() { if engineVolume != nil { order() } }

  private mutating func order() {
    stream.order()
    engineVolume = stream.balanced
    effects.append(.set(stream.balanced))
  }

  private mutating func keep() {
    guard engineVolume != stream.balanced else { return }
    engineVolume = stream.balanced
    effects.append(.keep(stream.balanced))
  }

  private mutating func tellChange(from before: Double) {
    if stream.user != before { effects.append(.tell(stream.user)) }
  }
}
