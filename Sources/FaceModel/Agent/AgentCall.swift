// SPDX-License-Identifier: MIT
package import BusModel

/// A method call that a client makes to the agent's object.
package struct AgentCall: Sendable, Hashable {
  package var interface: InterfaceName
  package var member: MemberName
  package var arguments: [WireValue]

  init<Method: AgentMethod, each Argument: BusArgument>(
    _ method: Method, _ arguments: repeat each Argument
  ) {
    interface = Method.interface
    member = method.member
    self.arguments = method.arguments(repeat each arguments)
  }

  /// A call of D-Bus's own Properties interface, which gets or sets a property of `interface`.
  init(
    _ member: MemberName, _ property: MemberName, of interface: InterfaceDescription, _ value: WireValue...
  ) {
    self.interface = StandardInterfaces.properties.name
    self.member = member
    arguments = .arguments(interface.name.text, property.text) + value.map(\.wireValue)
  }
}

/// The methods of an interface that fermata defines itself.
package protocol AgentMethod: MethodTable {
  static var interface: InterfaceName { get }
}

/// The interfaces that fermata defines itself, beside MPRIS's.
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

  /// The music on disk, and questions to it.
  package static let library = AgentLibrary.description
  /// Long work, and its progress.
  package static let jobs = AgentJobs.description
  /// Short sounds that are struck, beside the music.
  package static let pads = AgentPads.description

  /// The playlists that are queries.
  package static let playlists = AgentPlaylists.description

  package static let all = [player, queue, session, library, jobs, playlists, pads]
}

/// The names of the errors that our own interfaces return. Each stands for one way in which the command line can fail.
package enum AgentError: String, Sendable, CaseIterable {
  /// The order cannot be carried out in the present state.
  case refused = "Refused"
  /// The row of the queue, item of the library, output or pad that the call names does not exist, or no longer.
  case noSuchItem = "NoSuchItem"
  /// Nothing of what was named can be played.
  case nothingPlayable = "NothingPlayable"
  /// A file or folder is not there.
  case noSuchFile = "NoSuchFile"
  /// No sound server answers.
  case noServer = "NoServer"
  /// A file cannot be written.
  case cannotWrite = "CannotWrite"
  /// Something is busy or does not answer now; the same order may succeed later.
  case tryAgain = "TryAgain"
  /// The settings file has an error.
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

// An order may be refused in part: the queue is as ordered, but nothing can be heard. Then the error, which has only its text, also says what the
// answer would have said.
extension BusError {
  private static let mark = "besides: "

  /// The same error with notes, each on a line of its own.
  package func noting(_ notes: [String]) -> BusError {
    BusError(name, ([message] + notes.map { Self.mark + $0 }).joined(separator: "\n"))
  }

  /// The error without its notes, and the notes.
  package var withoutNotes: (error: BusError, notes: [String]) {
    // A line without the mark goes on with what is before it.
    let newline: Character = "\n"
    let texts = message.split(separator: newline, omittingEmptySubsequences: false)
      .reduce(into: [""]) { texts, line in
        if line.hasPrefix(Self.mark) {
          texts.append(String(line.dropFirst(Self.mark.count)))
        } else {
          texts[texts.count - 1] += (texts == [""] ? "" : "\n") + line
        }
      }
    return (BusError(name, texts[0]), Array(texts.dropFirst()))
  }
}
