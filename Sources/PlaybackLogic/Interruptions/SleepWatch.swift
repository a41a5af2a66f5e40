// SPDX-License-Identifier: MIT

/// Keeps the machine awake for as long as the sound needs to end, and no longer.
///
/// A value: what logind says goes in, and what has to be done comes out. logind grants a delay once: it is given back when the
/// machine may sleep, and asked for anew when it woke up.
package struct SleepWatch: Sendable, Equatable {
  /// What happens.
  package enum Event: Sendable, Equatable {
    /// logind is there, or there anew.
    case logindCame
    /// It is gone, and with it what it granted.
    case logindWent
    /// It granted the delay, or did not.
    case answered(isGranted: Bool)
    /// The machine is about to sleep.
    case prepares
    /// Our stream is silent.
    case silent
    /// The machine woke up.
    case woke
  }

  /// What has to be done.
  package enum Output: Sendable, Equatable {
    /// Ask logind for a delay.
    case askForDelay
    /// Give it back.
    case release
    /// Tell the player that the machine goes to sleep, and answer `silent` when nothing sounds any more.
    case fallAsleep
    /// Tell the player that it woke up.
    case wakeUp
  }

  private enum Delay { case none, asked, granted }

  private var isThere = false
  private var isAsleep = false
  private var isSilent = false
  private var delay = Delay.none

  /// A watch that knows of no logind.
  package init() {}

  /// Takes an event and answers what has to be done about it, in order.
  package mutating func handle(_ event: Event) -> [Output] {
    switch event {
    case .logindCame:
      isThere = true
      return ask()
    case .logindWent:
      isThere = false
      // Nobody is left to say that it woke up.
      return release() + wake()
    case .answered(let isGranted):
      // An answer of a logind that is gone grants nothing.
      guard delay == .asked else { return isGranted ? [.release] : [] }
      delay = isGranted ? .granted : .none
      return isSilent ? release() : []
    case .prepares: return fallAsleep()
    case .silent:
      guard isAsleep else { return [] }
      isSilent = true
      return release()
    case .woke: return wake() + ask()
    }
  }

  private mutating func fallAsleep() -> [Output] {
    guard !isAsleep else { return [] }
    isAsleep = true
    return [.fallAsleep]
  }

  private mutating func wake() -> [Output] {
    guard isAsleep else { return [] }
    isAsleep = false
    isSilent = false
    return [.wakeUp]
  }

  private mutating func ask() -> [Output] {
    guard isThere, delay == .none else { return [] }
    delay = .asked
    return [.askForDelay]
  }

  private mutating func release() -> [Output] {
    defer { if delay == .granted || !isThere { delay = .none } }
    return delay == .granted ? [.release] : []
  }
}
