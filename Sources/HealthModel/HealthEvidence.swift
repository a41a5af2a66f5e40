// SPDX-License-Identifier: MIT
package import AudioModel
package import PlaybackLogic
package import ReaderModel

/// The evidence about the agent's surroundings. `Health` makes findings from it.
package struct HealthEvidence: Sendable {
  /// An answer, or the reason why there is none.
  package enum Answer<Value: Sendable>: Sendable {
    case found(Value)
    /// There is no answer. The text is the reason.
    case missing(String)
  }

  /// The sound server's answers.
  package struct Sound: Sendable {
    /// One reading of all the server's lists.
    package var world: AudioWorld
    /// The names of the modules that the sound server has loaded.
    package var modules: [String]
    /// The version of WirePlumber's library; nil if WirePlumber does not run or its process cannot be examined.
    package var wirePlumber: WirePlumberVersion?
    /// The name of the sink that the agent's sound goes to; nil if it has none or its status is not known.
    package var ownSink: String?

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

  package struct Bus: Sendable {
    /// The number of the agent's process; nil if the agent does not run.
    package var agent: UInt32?
    /// Whether the agent answers, if it runs. One that is halted does not.
    package var agentAnswers: Bool
    /// What the agent says it is doing and why, in words; nil if it did not say.
    package var state: String?
    /// Whether the agent has a sound server.
    package var agentServer: ServerContact
    /// Whether the agent's program file was replaced since it started, as an upgrade does.
    package var isAgentReplaced: Bool
    /// The environments with which the agent was started and the doctor was; nil if the agent's cannot be read.
    package var variables: (agent: [String: String], own: [String: String])?
    /// Why a crash would lose the agent's queue, in words; nil if the queue is stored.
    package var notStored: String?
    /// Whether the agent owns its MPRIS name. Another program may have taken it.
    package var hasPlayerName: Bool
    /// Whether the agent only guards other players. Such an agent owns no MPRIS name.
    package var onlyGuards: Bool
    /// Whether the bus knows how to start the agent.
    package var canStartAgent: Bool
    package var players: [OtherPlayer]

    package init(
      agent: UInt32? = nil, agentAnswers: Bool = true, state: String? = nil,
      agentServer: ServerContact = .unknown, isAgentReplaced: Bool = false,
      variables: (agent: [String: String], own: [String: String])? = nil, notStored: String? = nil,
      hasPlayerName: Bool = false,
      onlyGuards: Bool = false, canStartAgent: Bool = false, players: [OtherPlayer] = []
    ) {
      (self.agentServer, self.isAgentReplaced) = (agentServer, isAgentReplaced)
      self.variables = variables
      self.notStored = notStored
      (self.agent, self.agentAnswers) = (agent, agentAnswers)
      self.state = state
      self.hasPlayerName = hasPlayerName
      self.onlyGuards = onlyGuards
      self.canStartAgent = canStartAgent
      self.players = players
    }
  }

  /// Whether the agent has a sound server, as far as it says so.
  package enum ServerContact: Sendable { case unknown, there, awaited }

  /// Another program that media keys may reach.
  package struct OtherPlayer: Sendable, Hashable {
    /// The name that the program gives itself.
    package var name: String
    /// Whether the program says that it plays.
    package var isPlaying: Bool

    package init(name: String, isPlaying: Bool) {
      self.name = name
      self.isPlaying = isPlaying
    }
  }

  /// A folder that the agent writes to.
  package struct Folder: Sendable, Hashable {
    /// What the folder is for, in a word: "state", "pictures".
    package var purpose: String
    /// The folder's path; nil if the environment does not tell.
    package var path: String?
    /// Why the agent can't write to the folder; nil if it can.
    package var trouble: String?
    /// What a person can do about the trouble.
    package var remedy: String
    /// The names of damaged files that were set aside there.
    package var damaged: [String] = []
    /// The names of files there that a newer version of this program wrote, and that were set aside for it.
    package var newer: [String] = []

    package init(
      purpose: String, path: String?, trouble: String? = nil, remedy: String = "let yourself write there"
    ) {
      (self.purpose, self.path, self.trouble, self.remedy) = (purpose, path, trouble, remedy)
    }
  }

  /// What has to be known to tell which other players fermata would pause when the device that they play on is gone.
  package struct Guarding: Sendable {
    package var settings: GuardSettings
    package var players: [BusPlayer]
    /// The names for people that the players give themselves, by the players' owners. Needed only if the settings except a player by such a name.
    package var identities: [String: String]
    /// The kernel's records of the processes of players and of streams.
    package var processes: [Int32: ProcessRecord]

    package init(
      settings: GuardSettings, players: [BusPlayer] = [], identities: [String: String] = [:],
      processes: [Int32: ProcessRecord] = [:]
    ) {
      self.settings = settings
      self.players = players
      self.identities = identities
      self.processes = processes
    }
  }

  package var sound: Answer<Sound>
  package var bus: Answer<Bus>
  package var folders: [Folder]
  /// The path of the settings file, or each error in it.
  package var settings: [Answer<String>]
  /// The protections around the process that reads tags, or why it does not start.
  package var reader: Answer<ReaderFence>
  /// The evidence about pausing other players when their device is gone; nil if there is no bus to ask.
  package var guarding: Guarding?
  /// The release of FFmpeg that decodes foreign formats, or the library that is missing for it; nil if nobody asked.
  package var decoder: Answer<String>?

  package init(
    sound: Answer<Sound>, bus: Answer<Bus>, reader: Answer<ReaderFence>,
    decoder: Answer<String>? = nil, folders: [Folder] = [], settings: [Answer<String>],
    guarding: Guarding? = nil
  ) {
    self.guarding = guarding
    self.sound = sound
    self.bus = bus
    self.reader = reader
    self.decoder = decoder
    self.folders = folders
    self.settings = settings
  }
}

/// A version of WirePlumber, PipeWire's session manager.
package struct WirePlumberVersion: Sendable, Hashable, Comparable {
  /// The numbers of the version, the most significant first.
  package let numbers: [Int]

  /// The version in a text like "0.5.11"; nil if the text is no version.
  package init?(_ text: some StringProtocol) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...4).contains(numbers.count), numbers.allSatisfy({ $0 != nil && $0! >= 0 }) else { return nil }
    self.numbers = numbers.compactMap(\.self)
  }

  /// Finds the version in a process's list of mapped files, from the file name of WirePlumber's library. Nil if the
  /// library is not in the list.
  package init?(inMaps maps: some StringProtocol) {
    for line in maps.split(separator: "\n") {
      // Behind the name of a file that was replaced since, the kernel writes " (deleted)".
      guard let name = line.split(separator: "/").last?.prefix(while: { $0 != " " }),
        name.hasPrefix("libwireplumber-")
      else { continue }
      let words = name.split(separator: ".").drop { $0 != "so" }.dropFirst()
      if let version = WirePlumberVersion(words.joined(separator: ".")) {
        self = version
        return
      }
    }
    return nil
  }

  /// Whether this version pauses players by itself when an output goes away, as WirePlumber does from 0.5.11 on.
  package var pausesPlayers: Bool { self >= WirePlumberVersion("0.5.11")! }

  /// The version as text, such as "0.5.11".
  package var text: String { numbers.map(String.init).joined(separator: ".") }

  package static func < (one: Self, other: Self) -> Bool {
    one.numbers.lexicographicallyPrecedes(other.numbers)
  }
}
