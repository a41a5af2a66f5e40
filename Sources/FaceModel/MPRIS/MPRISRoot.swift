// SPDX-License-Identifier: MIT
package import BusModel
import MediaModel

/// The facts about the program itself that MPRIS shows. None of them ever changes. The optional full-screen properties are left out, since the agent
/// has no screen.
package enum MPRISRoot {
  /// The program that desktops show as the player: fermata, or another program that has a player of ours inside.
  package struct Program: Sendable, Hashable {
    /// The program's name for people, which is also the name of its desktop entry.
    package let name: String
    /// Whether a client that controls the player may end the program.
    package let canQuit: Bool

    package static let fermata = Program(name: identity, canQuit: true)

    /// Another program that has a player of ours inside. Clients cannot end it.
    package static func foreign(_ name: String) -> Program { Program(name: name, canQuit: false) }

    /// The part of the program's name on the bus that tells players apart, with only the characters that a bus name may have.
    package var nameOnBus: String {
      let letters = name.unicodeScalars.prefix(64).map { scalar -> Character in
        let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
        return isPlain ? Character(scalar) : "_"
      }
      guard let first = letters.first else { return MPRISRoot.identity }
      return (first.isNumber ? "_" : "") + String(letters)
    }
  }

  private static let name: InterfaceName = "org.mpris.MediaPlayer2"

  package static let description = InterfaceDescription(
    name, methods: Method.descriptions, properties: properties.descriptions)

  /// The methods; none has arguments.
  package enum Method: String, MethodTable {
    case raise = "Raise"
    case quit = "Quit"

    package var row: MethodRow<Method> { .init { self } }
  }

  package static let properties = FaceProperties<Program>(
    of: name,
    [
      .init("CanQuit", \.canQuit),
      .init("CanRaise") { _ in false },
      .init("HasTrackList") { _ in true },
      .init("Identity", \.name),
      .init("DesktopEntry", \.name),
      .init("SupportedUriSchemes") { _ in uriSchemes },
      .init("SupportedMimeTypes") { _ in mimeTypes },
    ])

  /// The name of the program, which is also the name of its desktop entry.
  package static let identity = "fermata"

  /// The URI schemes that `OpenUri` accepts.
  package static let uriSchemes = ["file"]

  /// The formats that can be played, under all the MIME types that desktops use for them.
  package static let mimeTypes = SoundFormat.mimeTypes
}

/// The four interfaces of MPRIS 2.2, as its specification has them.
package enum MPRISDescriptions {
  /// The path of the object that has these interfaces.
  package static let path: ObjectPath = "/org/mpris/MediaPlayer2"

  /// The program itself.
  package static let root = MPRISRoot.description
  /// The player: what plays, and how to control it.
  package static let player = MPRISPlayer.description
  /// The tracks of the queue.
  package static let trackList = MPRISTrackList.description
  /// The saved playlists.
  package static let playlists = MPRISPlaylists.description

  /// All four interfaces, in the specification's order.
  package static let all = [root, player, trackList, playlists]
}
