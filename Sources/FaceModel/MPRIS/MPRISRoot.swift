// SPDX-License-Identifier: MIT
package import BusModel
import MediaModel

/// What MPRIS shows of the program itself. None of it ever changes. The optional full-screen properties are left out, since the agent
/// has no screen.
package enum MPRISRoot {
  private static let name: InterfaceName = "org.mpris.MediaPlayer2"

  package static let description = InterfaceDescription(
    name, methods: Method.descriptions, properties: properties.descriptions)

  /// The methods. A call asks for nothing but its method.
  package enum Method: String, MethodTable {
    case raise = "Raise"
    case quit = "Quit"

    package var row: MethodRow<Method> { .init { self } }
  }

  package static let properties = FaceProperties<Void>(
    of: name,
    [
      .init("CanQuit") { true },
      .init("CanRaise") { false },
      .init("HasTrackList") { true },
      .init("Identity") { identity },
      .init("DesktopEntry") { identity },
      .init("SupportedUriSchemes") { uriSchemes },
      .init("SupportedMimeTypes") { mimeTypes },
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

  /// All four, in the specification's order.
  package static let all = [root, player, trackList, playlists]
}
