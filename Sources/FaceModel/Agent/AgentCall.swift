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

  init(_ interface: InterfaceName, _ member: MemberName, _ arguments: [WireValue] = []) {
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }

  private static let player = AgentDescriptions.player.name
  private static let queue = AgentDescriptions.queue.name

  /// The call that gives the player an order.
  package init(_ order: PlayerOrder) {
    switch order {
    case .play: self.init(Self.player, "Play")
    case .pause: self.init(Self.player, "Pause")
    case .toggle: self.init(Self.player, "Toggle")
    case .stop: self.init(Self.player, "Stop")
    case .next: self.init(Self.player, "Next")
    case .previous: self.init(Self.player, "Previous")
    case .seek(let offset): self.init(Self.player, "Seek", .arguments(WireTime.seconds(offset)))
    case .seekTo(let position): self.init(Self.player, "SeekTo", .arguments(WireTime.seconds(position)))
    case .beginSeek(let direction): self.init(Self.player, "BeginSeek", .arguments(direction.rawValue))
    case .endSeek: self.init(Self.player, "EndSeek")
    case .jumpAnywhere: self.init(Self.player, "PlayRandom")
    case .jump(let entry): self.init(Self.queue, "Jump", .arguments(entry.rawValue))
    }
  }

  /// The call that asks for an edit of the queue. Traps if a source or file has a relative path.
  package init(_ order: QueueOrder) {
    switch order {
    case .append(let sources): self.init(Self.queue, "Append", .arguments(sources.map(\.text)))
    case .addNext(let sources): self.init(Self.queue, "AddNext", .arguments(sources.map(\.text)))
    case .insert(let sources, let row):
      self.init(Self.queue, "Insert", .arguments(sources.map(\.text), UInt32(clamping: row)))
    case .play(let sources, let options):
      self.init(Self.queue, "Play", [sources.map(\.text).wireValue, options.wireValue])
    case .remove(let entries): self.init(Self.queue, "Remove", .arguments(entries.map(\.rawValue)))
    case .move(let entry, let count, let row):
      self.init(
        Self.queue, "Move", .arguments(entry.rawValue, UInt32(clamping: count), UInt32(clamping: row)))
    case .clear: self.init(Self.queue, "Clear")
    case .shuffle(let choice): self.init(Self.queue, "ShuffleList", .arguments(choice.text))
    case .undo: self.init(Self.queue, "Undo")
    case .redo: self.init(Self.queue, "Redo")
    case .save(let file, let replacing):
      var options = Fields()
      if replacing { options.add(AgentQueue.replaceOption, true) }
      self.init(Self.queue, "Save", [.string(file.uri), options.value])
    }
  }

  /// Asks for everything the agent shows of this moment.
  package static let status = AgentCall(player, "Status")

  /// Asks why a crash would lose the queue. The answer is empty if the queue is stored.
  package static let notStored = AgentCall(
    StandardInterfaces.properties.name, "Get", .arguments(queue.text, "NotStored"))

  /// Asks for `count` rows of the queue, beginning with `row`, which counts from 1.
  package static func list(from row: Int, count: Int) -> AgentCall {
    AgentCall(queue, "List", .arguments(UInt32(clamping: row), UInt32(clamping: count)))
  }

  /// Asks for the metadata of these entries.
  package static func items(_ entries: [EntryID]) -> AgentCall {
    AgentCall(queue, "Items", .arguments(entries.map(\.rawValue)))
  }

  /// Asks for the picture of an item, or of the current track if it is nil, in this size, or in its own if that is nil.
  package static func art(_ item: MediaItem.ID?, size: Int?) -> AgentCall {
    AgentCall(player, "Art", .arguments(item?.rawValue ?? 0, UInt32(clamping: size ?? 0)))
  }

  /// Sets the volume.
  package static func set(volume: Double) -> AgentCall { set("Volume", .double(volume)) }
  /// Changes the volume by this fraction of full volume; a negative one lowers it.
  package static func change(volumeBy difference: Double) -> AgentCall {
    AgentCall(player, "ChangeVolume", .arguments(difference))
  }
  /// Sets the repeat mode.
  package static func set(repeat choice: ModeChoice<RepeatMode>) -> AgentCall {
    set("RepeatChoice", .string(choice.text))
  }
  /// Sets the shuffle mode.
  package static func set(shuffle choice: ModeChoice<ShuffleMode>) -> AgentCall {
    set("ShuffleChoice", .string(choice.text))
  }

  /// Asks for the repeat mode that was chosen; "default" means the one from the settings.
  package static let repeatChoice = get("RepeatChoice")
  /// Asks for the shuffle mode that was chosen; "default" means the one from the settings.
  package static let shuffleChoice = get("ShuffleChoice")

  private static func get(_ property: MemberName) -> AgentCall {
    AgentCall(StandardInterfaces.properties.name, "Get", .arguments(player.text, property.text))
  }

  private static func set(_ property: MemberName, _ value: WireValue) -> AgentCall {
    AgentCall(StandardInterfaces.properties.name, "Set", .arguments(player.text, property.text, value))
  }
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
