// SPDX-License-Identifier: MIT
import FermataTestKit

/// A music player daemon, with files of its own below the stage's folder.
struct MPD {
  static let name = "MPD"

  let child: Child
  let socket: String
  private let client: Program
  private let environment: [String: String]

  /// Starts it over a folder of music, and waits until it listens.
  init(music: String, on stage: Stage) throws {
    let (server, client) = (
      try Program.named("mpd", package: "mpd"), try Program.named("mpc", package: "mpc")
    )
    (self.client, environment) = (client, stage.environment)
    let folder = stage.directory
    socket = folder.path("mpd.socket")
    let configuration = try folder.write(
      "mpd.conf",
      """
      music_directory "\(music)"
      playlist_directory "\(folder.path)"
      db_file "\(folder.path("mpd.db"))"
      bind_to_address "\(socket)"
      max_playlist_length "100000"
      audio_output {
        type "pulse"
        name "speakers"
      }

      """)
    child = try Child(server, ["--no-daemon", configuration], environment: environment)
    let deadline = Deadline.after(.seconds(10))
    while (try? order("status")) == nil {
      try child.check()
      guard !deadline.hasPassed else { throw KitError("mpd does not listen") }
    }
  }

  func order(_ words: String...) throws {
    try Child.run(client, ["--host", socket] + words, environment: environment, patience: .seconds(900))
  }

  /// Reads what is new in its folder of music.
  func update() throws { try order("--wait", "update") }
}
