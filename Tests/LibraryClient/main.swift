// SPDX-License-Identifier: MIT
import Fermata
import Glibc

// Hears of changes of the player until it is ended, and writes a line for each: what a program with this library costs, to be measured
// beside `BareBusClient`.
for await status in MusicPlayer.system.statusUpdates {
  let line = Array("connected, \(status.state)\n".utf8)
  write(STDOUT_FILENO, line, line.count)
}
