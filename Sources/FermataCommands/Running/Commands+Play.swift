// SPDX-License-Identifier: MIT
import CommandModel
import FermataAgent
import Glibc
import MediaModel
import PlaybackLogic
import SourceIO
import TerminalIO

extension Commands {
  static func play(_ options: PlayCommand.Options, _ parsed: ParsedCommand) throws(CommandError) -> ExitCode {
    if options.noResume, case .words([]) = options.sources { return .done }
    guard options.here else { return try playThere(options, parsed) }
    var queue = PlayQueue(seed: seed())
    _ = queue.append(try entries(options.sources))
    if options.shuffle { _ = queue.setShuffle(.chosen(.songs)) }
    return HerePlayer.run(
      queue, settings: try settings(), startsAnywhere: options.random, showsProgress: options.progress)
  }

  private static func entries(_ sources: SourceList) throws(CommandError) -> [EntrySource] {
    let written: [[UInt8]]
    switch sources {
    case .words(let words): written = words.map { Array($0.utf8) }
    case .standardInput: written = SourceList.split(readStandardInput())
    }
    // If nothing is named, a built-in tune is played.
    if written.isEmpty, case .words = sources { return [EntrySource(Tune.location)] }
    let requests = try written.map { (bytes) throws(CommandError) in try request(bytes) }
    do throws(SourceError) {
      let expansion = try Sources.expand(requests, from: "/")
      for problem in expansion.problems { complain(CommandError(problem, .nothingPlayable)) }
      return expansion.entries
    } catch {
      throw CommandError(error)
    }
  }

  private static func request(_ written: [UInt8]) throws(CommandError) -> SourceRequest {
    if let kept = try KeptPlaylists.file(ofSource: written) { return .path(kept) }
    switch SourceRequest(written: written) {
    case .path(let path): return .path(path.resolved(against: try NamedFiles.folder(of: written)))
    case .uri(let uri): return .uri(uri)
    case nil: throw CommandError(.noSuchFile, "''", "it names nothing", "name a file, a folder or a playlist")
    }
  }

  /// Reads all of standard input, up to a limit (1 GiB) that no list of files reaches. Blocks.
  static func readStandardInput() -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < 1 << 30 {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count > 0 { bytes += chunk.prefix(count) } else if count == 0 || errno != EINTR { break }
    }
    return bytes
  }

  static func complain(_ error: CommandError) {
    _ = try? LineWriter.errors.write(line: "fermata: \(error)")
  }

  private static func seed() -> UInt64 {
    var seed = UInt64(0)
    // If this fails, the order is the same each time, which does no harm.
    _ = getentropy(&seed, MemoryLayout<UInt64>.size)
    return seed
  }
}

extension CommandError {
  init(_ problem: SourceProblem, _ code: ExitCode) {
    self.init(code, problem.subject, problem.reason, problem.remedy)
  }

  /// An error for sources in which nothing plays.
  init(_ error: SourceError) {
    let code: ExitCode = error.reason == .noSuchFile ? .noSuchFile : .nothingPlayable
    guard let first = error.problems.first else {
      self.init(code, "sources", "there is nothing in them that plays", "name a file, a folder or a playlist")
      return
    }
    self.init(first, code)
  }
}
