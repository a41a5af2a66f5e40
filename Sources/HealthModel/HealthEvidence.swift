// SPDX-License-Identifier: MIT
public import AudioModel

/// Everything that was found out about the surroundings of the agent, before anyone says what it means.
public struct HealthEvidence: Sendable {
  /// What was asked for, or why there is no answer.
  public enum Answer<Value: Sendable>: Sendable {
    /// It was answered.
    case found(Value)
    /// It was not, for this reason.
    case missing(String)
  }

  /// What the sound server says of itself.
  public struct Sound: Sendable {
    /// Its world.
    public var world: AudioWorld
    /// The names of the modules that it has loaded.
    public var modules: [String]
    /// The version of WirePlumber's library, where that runs and lets itself be looked at.
    public var wirePlumber: WirePlumberVersion?
    /// The sink that the agent's own stream is on, by name.
    public var ownSink: String?

    /// What one server said.
    public init(
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
  public struct Bus: Sendable {
    /// The agent's process, where it runs.
    public var agent: UInt32?
    /// What the agent says that it does, and why, in words.
    public var state: String?
    /// Why a crash would lose the agent's queue, in words; nothing where it is stored.
    public var notStored: String?
    /// Whether the agent has its name among the players.
    public var hasPlayerName: Bool
    /// Whether the bus knows how to start the agent.
    public var canStartAgent: Bool
    /// The other players.
    public var players: [OtherPlayer]

    /// What one bus said.
    public init(
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
  public struct OtherPlayer: Sendable, Hashable {
    /// What it calls itself.
    public var name: String
    /// Whether it says that it plays.
    public var isPlaying: Bool

    /// A player.
    public init(name: String, isPlaying: Bool) {
      self.name = name
      self.isPlaying = isPlaying
    }
  }

  /// A folder that the agent writes to.
  public struct Folder: Sendable, Hashable {
    /// What is kept there: "state", "pictures".
    public var purpose: String
    /// Where it is; nothing where the environment does not say.
    public var path: String?
    /// Why it can't be written to; nothing where it can.
    public var trouble: String?

    /// A folder.
    public init(purpose: String, path: String?, trouble: String? = nil) {
      self.purpose = purpose
      self.path = path
      self.trouble = trouble
    }
  }

  /// The sound server.
  public var sound: Answer<Sound>
  /// The session bus.
  public var bus: Answer<Bus>
  /// The folders.
  public var folders: [Folder]
  /// The file of settings, or what in it can't be meant.
  public var settings: Answer<String>

  /// All of it.
  public init(sound: Answer<Sound>, bus: Answer<Bus>, folders: [Folder] = [], settings: Answer<String>) {
    self.sound = sound
    self.bus = bus
    self.folders = folders
    self.settings = settings
  }
}
