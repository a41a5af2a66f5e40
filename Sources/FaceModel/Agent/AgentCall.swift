// SPDX-License-Identifier: MIT
package import BusModel
package import MediaModel
package import PlaybackLogic

/// A method call that a client makes to the agent's object.
package struct AgentCall: Sendable, Hashable {
  /// The interface of the method.
  package var interface: InterfaceName
  /// The name of the method.
  package var member: MemberName
  /// The arguments of the call.
  package var arguments: [WireValue]

  private init<each Argument: BusArgument>(_ method: AgentPlayer.Method, _ arguments: repeat each Argument) {
    interface = AgentPlayer.description.name
    member = method.member
    self.arguments = method.arguments(repeat each arguments)
  }

  private init<each Argument: BusArgument>(_ method: AgentQueue.Method, _ arguments: repeat each Argument) {
    interface = AgentQueue.description.name
    member = method.member
    self.arguments = method.arguments(repeat each arguments)
  }

  /// A call of the Properties interface.
  private init(
    _ member: MemberName, _ property: MemberName, of interface: InterfaceDescription, _ value: WireValue...
  ) {
    self.interface = StandardInterfaces.properties.name
    self.member = member
    arguments = .arguments(interface.name.text, property.text) + value.map(\.wireValue)
  }

  /// The call that gives the player an order.
  package init(_ order: PlayerOrder) {
    switch order {
    case .play: self.init(AgentPlayer.Method.play)
    case .pause: self.init(AgentPlayer.Method.pause)
    case .toggle: self.init(AgentPlayer.Method.toggle)
    case .stop: self.init(AgentPlayer.Method.stop)
    case .next: self.init(AgentPlayer.Method.next)
    case .previous: self.init(AgentPlayer.Method.previous)
    case .seek(let offset): self.init(AgentPlayer.Method.seek, offset)
    case .seekTo(let position): self.init(AgentPlayer.Method.seekTo, position)
    case .beginSeek(let direction): self.init(AgentPlayer.Method.beginSeek, direction)
    case .endSeek: self.init(AgentPlayer.Method.endSeek)
    case .jumpAnywhere: self.init(AgentPlayer.Method.playRandom)
    case .jump(let entry): self.init(AgentQueue.Method.jump, entry)
    }
  }

  /// The call that asks for an edit of the queue. Traps if a source or file has a relative path.
  package init(_ order: QueueOrder) {
    switch order {
    case .append(let sources): self.init(AgentQueue.Method.append, sources)
    case .addNext(let sources): self.init(AgentQueue.Method.addNext, sources)
    case .insert(let sources, let row): self.init(AgentQueue.Method.insert, sources, Row(number: row))
    case .play(let sources, let options): self.init(AgentQueue.Method.play, sources, options)
    case .remove(let entries): self.init(AgentQueue.Method.remove, entries)
    case .move(let entry, let count, let row):
      self.init(AgentQueue.Method.move, entry, UInt32(clamping: count), Row(number: row))
    case .clear: self.init(AgentQueue.Method.clear)
    case .shuffle(let choice): self.init(AgentQueue.Method.shuffleList, choice)
    case .undo: self.init(AgentQueue.Method.undo)
    case .redo: self.init(AgentQueue.Method.redo)
    case .save(let file, let replacing):
      self.init(AgentQueue.Method.save, file, SaveOptions(isReplacing: replacing))
    }
  }

  /// Asks for everything the agent shows of this moment.
  package static let status = AgentCall(AgentPlayer.Method.status)

  /// Asks why a crash would lose the queue. The answer is empty if the queue is stored.
  package static let notStored = AgentCall("Get", "NotStored", of: AgentQueue.description)

  /// Asks for `count` rows of the queue, beginning with `row`, which counts from 1.
  package static func list(from row: Int, count: Int) -> AgentCall {
    AgentCall(AgentQueue.Method.list, Row(number: row), UInt32(clamping: count))
  }

  /// Asks for the metadata of these entries.
  package static func items(_ entries: [EntryID]) -> AgentCall { AgentCall(AgentQueue.Method.items, entries) }

  /// Asks for the picture of an item, or of the current track if it is nil, in this size, or in its own if that is nil.
  package static func art(_ item: MediaItem.ID?, size: Int?) -> AgentCall {
    AgentCall(AgentPlayer.Method.art, item?.rawValue ?? 0, UInt32(clamping: size ?? 0))
  }

  /// Changes the volume by this fraction of full volume; a negative one lowers it.
  package static func change(volumeBy difference: Double) -> AgentCall {
    AgentCall(AgentPlayer.Method.changeVolume, difference)
  }

  /// Sets the volume.
  package static func set(volume: Double) -> AgentCall { set("Volume", volume) }
  /// Sets the repeat mode.
  package static func set(repeat choice: ModeChoice<RepeatMode>) -> AgentCall {
    set("RepeatChoice", choice.argument)
  }
  /// Sets the shuffle mode.
  package static func set(shuffle choice: ModeChoice<ShuffleMode>) -> AgentCall {
    set("ShuffleChoice", choice.argument)
  }

  /// Asks for the repeat mode that was chosen; "default" means the one from the settings.
  package static let repeatChoice = AgentCall("Get", "RepeatChoice", of: AgentPlayer.description)
  /// Asks for the shuffle mode that was chosen; "default" means the one from the settings.
  package static let shuffleChoice = AgentCall("Get", "ShuffleChoice", of: AgentPlayer.description)

  private static func set(_ property: MemberName, _ value: some WireConvertible) -> AgentCall {
    AgentCall("Set", property, of: AgentPlayer.description, value.wireValue)
  }
}

/// Our own interfaces.
///
/// Times are seconds. Rows count from 1, and 0 means none. Dictionaries have the same keys as the command line's JSON;
/// what is absent is left out or empty. Each change is reported once: by its own signal if it has one, else by
/// `PropertiesChanged`. A refused call gets an error that says why.
package enum AgentDescriptions {
  /// The well-known name of the agent.
  package static let busName: BusName = "org.fermata.Agent"
  /// The path of the agent's object.
  package static let path: ObjectPath = "/org/fermata/Agent"

  /// The player: what plays, and how to control it.
  package static let player = AgentPlayer.description
  /// The queue: what is to be played.
  package static let queue = AgentQueue.description
  /// Where the sound goes, and what interrupts it.
  package static let session = AgentSession.description

  /// All of them.
  package static let all = [player, queue, session]
}

/// The names of the errors that our own interfaces return. Each stands for one way in which the command line can fail.
package enum AgentError: String, Sendable, CaseIterable {
  /// It cannot be done in the present state.
  case refused = "Refused"
  /// Nothing of what was named can be played.
  case nothingPlayable = "NothingPlayable"
  /// A file or folder is not there.
  case noSuchFile = "NoSuchFile"
  /// No sound server answers.
  case noServer = "NoServer"
  /// A file cannot be written.
  case cannotWrite = "CannotWrite"
  /// Something else is in progress.
  case tryAgain = "TryAgain"
  /// The settings hold something that is not possible.
  case badSettings = "BadSettings"

  private static let prefix = "org.fermata.Error."

  /// The full name, as a message carries it.
  package var name: BusError.Name { BusError.Name(unchecked: Self.prefix + rawValue) }

  /// The error with this full name; nil if the name is not one of ours.
  package init?(_ name: BusError.Name) {
    guard name.text.hasPrefix(Self.prefix) else { return nil }
    self.init(rawValue: String(name.text.dropFirst(Self.prefix.count)))
  }

  /// An error with a text for people.
  package func callAsFunction(_ message: String) -> BusError { BusError(name, message) }
}
