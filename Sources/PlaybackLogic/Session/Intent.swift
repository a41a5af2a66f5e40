// SPDX-License-Identifier: MIT

/// What is wanted, whether or not it is possible at the moment.
package enum Intent: Sendable, Hashable {
  /// Who or what turned playing into a lasting pause.
  package enum Pauser: Sendable, Hashable {
    /// A person.
    case user
    /// The listener's device was lost.
    case route
    /// The machine went to sleep.
    case sleep
    /// Somebody terminated our stream in a mixer.
    case terminated
    /// The agent restored its state when it started, and it starts paused.
    case restored
    /// A program of this name. Used only when more programs have paused than are tracked separately.
    case tool(String)
  }

  /// Nothing is to be played.
  case stopped
  /// Music is to be played.
  case playing
  /// The music is to be paused; `by` is who or what paused it.
  case paused(by: Pauser)
}
