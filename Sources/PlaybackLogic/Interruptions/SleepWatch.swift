// SPDX-License-Identifier: MIT

/// Delays the machine's sleep until our sound has ended, and no longer.
///
/// A value without side effects: logind's signals and answers go in, requests come out. A delay that logind grants works for one sleep. It is given
/// back when the machine may sleep, and asked for again when the machine has woken up.
package struct SleepWatch: Sendable, Equatable {
  package enum Event: Sendable, Equatable {
    /// logind, which tells when the machine sleeps, is there for the first time or again.
    case logindCame
    /// logind is gone, and with it any delay of the sleep that it had granted.
    case logindWent
    /// logind has answered a request to delay the next sleep.
    case answered(isGranted: Bool)
    /// The machine is about to sleep.
    case prepares
    /// Our stream has become silent, so the machine may sleep.
    case silent
    /// The machine woke up.
    case woke
  }

  /// What the owner of the watch has to do.
  package enum Output: Sendable, Equatable {
    /// Ask logind to delay the next sleep. `answered` tells the outcome.
    case askForDelay
    /// Give back the delay that logind granted, so that the machine may sleep.
    case release
    /// Tell the player that the machine is about to sleep. When nothing sounds any more, pass the input `silent` to this value.
    case fallAsleep
    /// Tell the player that the machine woke up.
    case wakeUp
  }

  private enum Delay { case none, asked, granted }

  private var isThere = false
  private var isAsleep = false
  private var isSilent = false
  private var delay = Delay.none

  /// A watch to which no logind is known yet.
  package init() {}

  /// Takes an event and returns what has to be done about it, in order.
  package mutating func handle(_ event: Event) -> [Output] {
    switch event {
    case .logindCame:
      isThere = true
      return ask()
    case .logindWent:
      isThere = false
      // Without logind nobody would report that the machine woke up.
      return release() + wake()
    case .answered(let isGranted):
      // This answers a request to a logind that has gone since. A delay from there is worthless, so it is given back.
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
