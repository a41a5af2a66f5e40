// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

extension AgentStage {
  /// Half a minute of a steady tone, small, so that many are made quickly.
  func makeShortTone(_ name: String) throws -> String { try folder.write(name, Self.shortTone) }

  private static let shortTone: [UInt8] = {
    let format = AudioFormat(rate: 8_000, channels: 1)
    return WAVFile.bytes(Tone.sine(frames: 30 * 8_000, format), format)
  }()

  /// What came of a command.
  struct Run {
    let status: FermataTestKit.ExitStatus?
    let output: String
    let errors: String
  }

  /// The program as a person runs it, beside the agent.
  @discardableResult
  func fermata(_ words: String...) throws -> Run {
    let child = try Child(.beside("fermata"), words, environment: environment)
    let status = child.exit(until: .patient)
    return Run(status: status, output: child.standardOutput, errors: child.standardError)
  }

  /// Asks until the output of a command is right; its own start is the pause in between.
  @discardableResult
  func wait(for words: String..., until isRight: (String) -> Bool) throws -> String {
    let deadline = Deadline.patient
    while true {
      let child = try Child(.beside("fermata"), words, environment: environment)
      _ = child.exit(until: .patient)
      let output = child.standardOutput
      if isRight(output) { return output }
      if deadline.hasPassed { throw KitError("\(words) goes on saying \(output)\(child.standardError)") }
    }
  }

  /// A child that writes events, once it hears them.
  func events() throws -> Child {
    let events = try Child(
      .beside("fermata"), ["events", "--json"], environment: environment, isInteractive: true)
    let deadline = Deadline.patient
    var level = 50
    while (try? events.nextLine(until: .after(.milliseconds(50)))) == nil {
      if deadline.hasPassed { throw KitError("no event is told: \(events.standardError)") }
      level = level == 50 ? 51 : 50
      _ = try fermata("volume", "\(level)%")
    }
    return events
  }

  /// The text of a file in its folder.
  func contents(of name: String) throws -> String {
    guard let file = fopen(folder.path(name), "r") else { throw KitError("\(name) cannot be read") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Where its playlists are.
  var playlistFolder: String { "\(folder.path)/.local/share/fermata/playlists" }

  /// How many times a text stands in another.
  static func count(_ part: String, in text: String) -> Int {
    var (count, rest) = (0, Substring(text))
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
