// SPDX-License-Identifier: MIT
package import BusModel

/// The four interfaces of MPRIS 2.2, as its specification has them.
package enum MPRISDescriptions {
  /// The path of the object.
  package static let path: ObjectPath = "/org/mpris/MediaPlayer2"

  /// The program itself. The optional full-screen properties are left out, since the agent has no screen.
  package static let root = InterfaceDescription(
    "org.mpris.MediaPlayer2",
    methods: [MethodDescription("Raise"), MethodDescription("Quit")],
    properties: [
      PropertyDescription("CanQuit", .boolean),
      PropertyDescription("CanRaise", .boolean),
      PropertyDescription("HasTrackList", .boolean),
      PropertyDescription("Identity", .string),
      PropertyDescription("DesktopEntry", .string),
      PropertyDescription("SupportedUriSchemes", "as"),
      PropertyDescription("SupportedMimeTypes", "as"),
    ])

  /// The player: what plays, and how to control it.
  package static let player = InterfaceDescription(
    "org.mpris.MediaPlayer2.Player",
    methods: [
      MethodDescription("Next"), MethodDescription("Previous"), MethodDescription("Pause"),
      MethodDescription("PlayPause"), MethodDescription("Stop"), MethodDescription("Play"),
      MethodDescription("Seek", in: [ArgumentDescription("Offset", .int64)]),
      MethodDescription(
        "SetPosition",
        in: [ArgumentDescription("TrackId", .objectPath), ArgumentDescription("Position", .int64)]),
      MethodDescription("OpenUri", in: [ArgumentDescription("Uri", .string)]),
    ],
    signals: [SignalDescription("Seeked", [ArgumentDescription("Position", .int64)])],
    properties: [
      PropertyDescription("PlaybackStatus", .string),
      PropertyDescription("LoopStatus", .string, .readWrite),
      PropertyDescription("Rate", .double, .readWrite),
      PropertyDescription("Shuffle", .boolean, .readWrite),
      PropertyDescription("Metadata", "a{sv}"),
      PropertyDescription("Volume", .double, .readWrite),
      PropertyDescription("Position", .int64, changes: .silently),
      PropertyDescription("MinimumRate", .double),
      PropertyDescription("MaximumRate", .double),
      PropertyDescription("CanGoNext", .boolean),
      PropertyDescription("CanGoPrevious", .boolean),
      PropertyDescription("CanPlay", .boolean),
      PropertyDescription("CanPause", .boolean),
      PropertyDescription("CanSeek", .boolean),
      PropertyDescription("CanControl", .boolean, changes: .silently),
    ])

  /// The tracks of the queue.
  package static let trackList = InterfaceDescription(
    "org.mpris.MediaPlayer2.TrackList",
    methods: [
      MethodDescription(
        "GetTracksMetadata", in: [ArgumentDescription("TrackIds", "ao")],
        out: [ArgumentDescription("Metadata", "aa{sv}")]),
      MethodDescription(
        "AddTrack",
        in: [
          ArgumentDescription("Uri", .string), ArgumentDescription("AfterTrack", .objectPath),
          ArgumentDescription("SetAsCurrent", .boolean),
        ]),
      MethodDescription("RemoveTrack", in: [ArgumentDescription("TrackId", .objectPath)]),
      MethodDescription("GoTo", in: [ArgumentDescription("TrackId", .objectPath)]),
    ],
    signals: [
      SignalDescription(
        "TrackListReplaced",
        [ArgumentDescription("Tracks", "ao"), ArgumentDescription("CurrentTrack", .objectPath)]),
      SignalDescription(
        "TrackAdded",
        [ArgumentDescription("Metadata", "a{sv}"), ArgumentDescription("AfterTrack", .objectPath)]),
      SignalDescription("TrackRemoved", [ArgumentDescription("TrackId", .objectPath)]),
      SignalDescription(
        "TrackMetadataChanged",
        [ArgumentDescription("TrackId", .objectPath), ArgumentDescription("Metadata", "a{sv}")]),
    ],
    properties: [
      PropertyDescription("Tracks", "ao", changes: .withoutValue),
      PropertyDescription("CanEditTracks", .boolean),
    ])

  /// The saved playlists.
  package static let playlists = InterfaceDescription(
    "org.mpris.MediaPlayer2.Playlists",
    methods: [
      MethodDescription("ActivatePlaylist", in: [ArgumentDescription("PlaylistId", .objectPath)]),
      MethodDescription(
        "GetPlaylists",
        in: [
          ArgumentDescription("Index", .uint32), ArgumentDescription("MaxCount", .uint32),
          ArgumentDescription("Order", .string), ArgumentDescription("ReverseOrder", .boolean),
        ], out: [ArgumentDescription("Playlists", "a(oss)")]),
    ],
    signals: [SignalDescription("PlaylistChanged", [ArgumentDescription("Playlist", "(oss)")])],
    properties: [
      PropertyDescription("PlaylistCount", .uint32),
      PropertyDescription("Orderings", "as"),
      PropertyDescription("ActivePlaylist", "(b(oss))"),
    ])

  /// All of them, in the specification's order.
  package static let all = [root, player, trackList, playlists]
}
