// SPDX-License-Identifier: MIT
package import AudioModel

/// Everything that was found out about the surroundings of the agent. `Health` says what it means.
package struct HealthEvidence: Sendable {
  /// An answer, or the reason why there is none.
  package enum Answer<Value: Sendable>: Sendable {
    /// The answer.
    case found(Value)
    /// There is no answer, for this reason.
    case missing(String)
  }

  /// What the sound server says of itself.
  package struct Sound: Sendable {
    /// One reading of all its lists.
    package var world: AudioWorld
    /// The names of the modules that it has loaded.
    package var modules: [String]
    /// The version of WirePlumber's library; nil if WirePlumber does not run or its process cannot be examined.
    package var wirePlumber: WirePlumberVersion?
    /// The sink that the agent's own stream is on, by name.
    package var ownSink: String?

    /// The answers of one server.
    package init(
      world: AudioWorld, modules: [String] = [], wirePlumber: WirePlumberVersion? = nil,
      ownSink: String? = nil
    ) {
      self.world = world
      self.modules = modules
      self.wirePlumber = wirePlumber
      self.ownSink = ownSink
    }
  }

  /// What the session bus says.
  package struct Bus: Sendable {
    /// The number of the agent's process; nil if the agent does not run.
    package var agent: UInt32?
    /// What the agent says it is doing and why, in words.
    package var state: String?
    /// Why a crash would lose the agent's queue, in words; nil if the queue is stored.
    package var notStored: String?
    /// Whether the agent owns its MPRIS name. Another program may have taken it.
    package var hasPlayerName: Bool
    /// Whether the bus knows how to start the agent.
    package var canStartAgent: Bool
    /// The other players.
    package var players: [OtherPlayer]

    /// The answers of one bus.
    package init(
      agent: UInt32? = nil, state: String? = nil, notStored: String? = nil, hasPlayerName: Bool = false,
      canStartAgent: Bool = false, players: [OtherPlayer] = []
    ) {
      self.notStored = notStored
      self.agent = agent
      self.state = state
      self.hasPlayerName = hasPlayerName
      self.canStartAgent = canStartAgent
      self.players = players
    }
  }

  /// Another program that media keys may reach.
  package struct OtherPlayer: Sendable, Hashable {
    /// The name it gives itself.
    package var name: String
    /// Whether it says that it plays.
    package var isPlaying: Bool

    /// A player.
    package init(name: String, isPlaying: Bool) {
      self.name = name
      self.isPlaying = isPlaying
    }
  }

  /// A folder that the agent writes to.
  package struct Folder: Sendable, Hashable {
    /// What is kept there, in a word: "state", "pictures".
    package var purpose: String
    /// Its path; nil if the environment does not say.
    package var path: String?
    /// Why it can't be written to; nil if it can.
    package var trouble: String?

    /// A folder.
    package init(purpose: String, path: String?, trouble: String? = nil) {
      self.purpose = purpose
      self.path = path
      self.trouble = trouble
    }
  }

  /// The sound server.
  package var sound: Answer<Sound>
  /// The session bus.
  package var bus: Answer<Bus>
  /// The folders.
  package var folders: [Folder]
  /// The path of the settings file, or what is wrong in it.
  package var settings: Answer<String>

  /// Evidence made of these answers.
  package init(sound: Answer<Sound>, bus: Answer<Bus>, folders: [Folder] = [], settings: Answer<String>) {
    self.sound = sound
    self.bus = bus
    self.folders = folders
    self.settings = settings
  }
}
