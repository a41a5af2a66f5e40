// SPDX-License-Identifier: MIT
package import AudioModel

/// Everything that was found out about the surroundings of the agent, before anyone says what it means.
package struct HealthEvidence: Sendable {
  /// What was asked for, or why there is no answer.
  package enum Answer<Value: Sendable>: Sendable {
    /// It was answered.
    case found(Value)
    /// It was not, for this reason.
    case missing(String)
  }

  /// What the sound server says of itself.
  package struct Sound: Sendable {
    /// Its world.
    package var world: AudioWorld
    /// The names of the modules that it has loaded.
    package var modules: [String]
    /// The version of WirePlumber's library, where that runs and lets itself be looked at.
    package var wirePlumber: WirePlumberVersion?
    /// The sink that the agent's own stream is on, by name.
    package var ownSink: String?

    /// What one server said.
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
    /// The agent's process, where it runs.
    package var agent: UInt32?
    /// What the agent says that it does, and why, in words.
    package var state: String?
    /// Why a crash would lose the agent's queue, in words; nothing where it is stored.
    package var notStored: String?
    /// Whether the agent has its name among the players.
    package var hasPlayerName: Bool
    /// Whether the bus knows how to start the agent.
    package var canStartAgent: Bool
    /// The other players.
    package var players: [OtherPlayer]

    /// What one bus said.
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
    /// What it calls itself.
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
    /// What is kept there: "state", "pictures".
    package var purpose: String
    /// Where it is; nothing where the environment does not say.
    package var path: String?
    /// Why it can't be written to; nothing where it can.
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
  /// The file of settings, or what in it can't be meant.
  package var settings: Answer<String>

  /// All of it.
  package init(sound: Answer<Sound>, bus: Answer<Bus>, folders: [Folder] = [], settings: Answer<String>) {
    self.sound = sound
    self.bus = bus
    self.folders = folders
    self.settings = settings
  }
}
