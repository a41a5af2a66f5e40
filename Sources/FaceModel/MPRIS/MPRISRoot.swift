// SPDX-License-Identifier: MIT
package import BusModel

/// What MPRIS tells of the program itself; it never changes.
package enum MPRISRoot {
  /// What the program is called, also in its desktop entry.
  package static let identity = "fermata"

  /// What `OpenUri` takes.
  package static let uriSchemes = ["file"]

  /// What is played, under all the names that desktops have for it.
  package static let mimeTypes = [
    "audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/flac", "audio/x-flac", "audio/ogg", "application/ogg",
    "audio/x-vorbis+ogg", "audio/vorbis", "audio/x-opus+ogg", "audio/opus", "audio/x-flac+ogg", "audio/wav",
    "audio/x-wav", "audio/vnd.wave", "audio/aiff", "audio/x-aiff", "audio/basic", "audio/x-caf",
  ]

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
