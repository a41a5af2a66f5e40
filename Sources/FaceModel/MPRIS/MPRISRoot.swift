// SPDX-License-Identifier: MIT
package import BusModel
import MediaModel

/// What MPRIS shows of the program itself. None of it ever changes.
package enum MPRISRoot {
  /// The name of the program, which is also the name of its desktop entry.
  package static let identity = "fermata"

  /// The URI schemes that `OpenUri` accepts.
  package static let uriSchemes = ["file"]

  /// The formats that can be played, under all the MIME types that desktops use for them.
  package static let mimeTypes = SoundFormat.mimeTypes

  /// Every property, in the interface's order.
  package static let properties: [(MemberName, WireValue)] = [
    ("CanQuit", .boolean(true)),
    ("CanRaise", .boolean(false)),
    ("HasTrackList", .boolean(true)),
    ("Identity", .string(identity)),
    ("DesktopEntry", .string(identity)),
    ("SupportedUriSchemes", uriSchemes.wireValue),
    ("SupportedMimeTypes", mimeTypes.wireValue),
  ]
}
