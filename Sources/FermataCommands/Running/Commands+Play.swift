// SPDX-License-Identifier: MIT
import AgentLoop
import FermataAgent
import Glibc
import PlaybackLogic

extension Commands {
  static func play(_ options: PlayCommand.Options) throws(CommandError) -> ExitCode {
    guard options.here else {
      throw CommandError(
        .refused, "play", "this version plays in its own process only", "say `fermata play --here FILE…`")
    }
    guard case .words(let words) = options.sources else {
      throw CommandError(
        .refused, "'-'", "a list on standard input cannot be played here yet", "name the files")
    }
    let sources = try words.isEmpty ? [EntrySource(Tune.location)] : words.map(source)
    var queue = PlayQueue(seed: seed())
    _ = queue.append(sources)
    if options.shuffle { _ = queue.setShuffle(.chosen(.songs)) }
    return HerePlayer.run(queue, startsAnywhere: options.random, showsProgress: options.progress)
  }

  private static func source(_ word: String) throws(CommandError) -> EntrySource {
    var status = stat()
    guard stat(word, &status) == 0 else {
      throw CommandError(.noSuchFile, word, String(cString: strerror(errno)), "name a file that is there")
    }
    return EntrySource(word)
  }

  private static func seed() -> UInt64 {
    var seed = UInt64(0)
    // Without the kernel's help every order is the same, which is no harm.
    _ = getentropy(&seed, MemoryLayout<UInt64>.size)
    return seed
  }
}
