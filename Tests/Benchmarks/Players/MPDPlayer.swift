// SPDX-License-Identifier: MIT
import FermataTestKit

/// A music player daemon that plays files of the stage's folder.
final class MPDPlayer: Player {
  static let name = MPD.name
  let child: Child
  let started: Duration

  init(_ files: [String], on stage: Stage) throws {
    let folder = stage.directory.path
    let daemon = try MPD(music: folder, on: stage)
    child = daemon.child
    try daemon.update()
    started = Monotonic.now
    for file in files { try daemon.order("add", String(file.dropFirst(folder.count + 1))) }
    try daemon.order("play")
  }
}
