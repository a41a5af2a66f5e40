// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// A program in a terminal that shows nothing and tells how long it takes (`BareClient terminal`), while this object lives.
final class BareTerminal {
  /// What came back for keys.
  struct Answer {
    /// From the keys to the first byte, in milliseconds.
    let first: Double
    /// From the keys to the last byte before the program was silent, in milliseconds.
    let last: Double
    let bytes: Int
  }

  private static let columns = 100

  let child: Child
  /// The program in it.
  let process: Int32
  /// From the program's start to its first byte, in milliseconds.
  let firstByte: Double
  /// From the program's start until its text was there, in milliseconds.
  let shown: Double

  /// Starts a program, and returns once it has shown a text.
  init(showing text: String, _ words: [String], _ environment: [String: String], rows: Int = 30) throws {
    child = try Child(
      Bench.bare, ["terminal", "\(Self.columns)", "\(rows)", text] + words,
      environment: environment.merging(["TERM": "xterm-256color", "LANG": "C.UTF-8"]) { $1 },
      isInteractive: true)
    let numbers = Self.numbers(try child.nextLine(until: .after(.seconds(20))))
    guard numbers.count == 3, numbers[2] >= 0 else {
      throw KitError("\(words[0]) did not show “\(text)” in its terminal")
    }
    (process, firstByte, shown) = (Int32(numbers[0]), numbers[1] / 1e6, numbers[2] / 1e6)
  }

  /// Types, and waits until the program is silent again.
  func type(_ keys: String) throws -> Answer { try answer("type", keys) }

  /// Types one of many keys, and answers when its first byte came back, in milliseconds.
  func tap(_ key: String) throws -> Double { try answer("tap", key).first }

  private func answer(_ order: String, _ keys: String) throws -> Answer {
    let numbers = Self.numbers(try child.ask("\(order) \(Self.hex(keys))", within: .seconds(60)))
    guard numbers.count == 3, numbers[0] >= 0 else { throw KitError("nothing came back for “\(keys)”") }
    return Answer(first: numbers[0] / 1e6, last: numbers[1] / 1e6, bytes: Int(numbers[2]))
  }

  /// Types, and does not wait.
  func feed(_ keys: String) throws { _ = try child.ask("feed \(Self.hex(keys))") }

  /// The bytes that have come since this was asked last.
  func count() throws -> Double { Self.numbers(try child.ask("count")).first ?? 0 }

  private static func numbers(_ line: String) -> [Double] {
    line.split(separator: " ").compactMap { Double($0) }
  }

  private static func hex(_ text: String) -> String {
    text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
