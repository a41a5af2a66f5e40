// SPDX-License-Identifier: MIT

/// What is wanted, whether or not it can be had at the moment.
package enum Intent: Sendable, Hashable {
  /// Who or what turned playing into pausing, for good.
  package enum Pauser: Sendable, Hashable {
    /// A person.
    case user
    /// The listener's device went.
    case route
    /// The machine went to sleep.
    case sleep
    /// Somebody ended our stream in a mixer.
    case terminated
    /// It was so when the agent started.
    case restored
    /// A program, when too many had paused to keep them apart.
    case tool(String)
  }

  /// Nothing.
  case stopped
  /// Music.
  case playing
  /// A rest.
  case paused(by: Pauser)
}
