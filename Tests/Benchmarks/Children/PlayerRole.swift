// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import DecodeIO
import FermataAgent
import Glibc
import MediaModel
import PlaybackLogic
import PulseIO

/// The sound engine with a list of files. Takes orders, a line each, from standard input: pause, play, next, stop, quit.
@AgentLoop
final class PlayerRole {
  // Lives as long as the process.
  private static var only: PlayerRole?

  private let server = PulseServer(properties: ["application.name": "fermata-bench"])
  private let engine: SoundEngine
  private let files: [String]
  private var current = 0
  private var watch: LoopWatch?
  private var line: [UInt8] = []

  static func start(_ files: [String]) {
    only = PlayerRole(files)
    only?.connect()
  }

  private init(_ files: [String]) {
    self.files = files
    engine = SoundEngine(server: server, properties: ["media.role": "music"])
  }

  private func connect() {
    engine.isSounding = true
    engine.report = { [weak self] in self?.take($0) }
    server.handler = { [weak self] in if case .connected = $0 { self?.begin(0) } }
    watch = LoopWatch(descriptor: STDIN_FILENO) { [weak self] _ in self?.readOrders() }
    server.start()
  }

  private func begin(_ index: Int) {
    current = index
    engine.play(request(index))
    followUp()
  }

  /// Names what comes after the current file.
  private func followUp() {
    if current + 1 < files.count {
      engine.follow(PlayID(rawValue: UInt64(current)), with: request(current + 1))
    }
  }

  private func request(_ index: Int) -> SoundRequest {
    let path = files[index]
    return SoundRequest(play: PlayID(rawValue: UInt64(index))) { () throws(DecodeError) in
      try Decoders.open(FilePath(stringLiteral: path))
    }
  }

  private func take(_ report: SoundEngine.Report) {
    switch report {
    case .sound(.heard(let play)):
      current = Int(play.rawValue)
      followUp()
    case .sound(.ended): exit(0)
    case .sound(.failed(_, let reason)):
      write("\(reason)\n", to: STDERR_FILENO)
      exit(65)
    case .stream, .progressed, .sound: break
    }
  }

  private func readOrders() {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    // Nobody gives orders, as under callgrind: it plays to the end.
    guard count > 0 else { return watch = nil }
    for byte in buffer.prefix(count) {
      if byte != UInt8(ascii: "\n") {
        line.append(byte)
        continue
      }
      obey(String(decoding: line, as: UTF8.self))
      line = []
    }
  }

  private func obey(_ order: String) {
    switch order {
    case "pause": engine.isSounding = false
    case "play": engine.isSounding = true
    case "next": begin((current + 1) % files.count)
    case "stop": engine.stop()
    default: exit(0)
    }
    write("done\n", to: STDOUT_FILENO)
  }
}
