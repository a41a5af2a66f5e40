// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// How it is measured.
struct Bench {
  /// The program, where it was built.
  var program: String?
  /// The program beside it that plays, which it becomes for the agent.
  var soundProgram: String? { program.map { $0 + "-agent" } }
  /// How often a time is taken.
  var runs = 10
  /// How long idle and playing programs are watched.
  var span = Duration.seconds(10)

  /// How many files the library has.
  var files = 10_000

  /// This very program, which plays the roles of `Role` in a process of its own.
  static let own = Program(path: Self.ownPath)
  /// The bare client, which is built beside it.
  static let bare = beside("BareClient")

  /// A program that is built beside this one.
  static func beside(_ name: String) -> Program {
    Program(path: ownPath.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)")
  }

  private static let ownPath: String = {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()

  /// Takes a measurement several times and answers the median.
  func median(_ measure: () throws -> Double) rethrows -> Double {
    var values: [Double] = []
    for _ in 0..<runs { values.append(try measure()) }
    return values.median
  }
}

extension [Double] {
  /// The middle one.
  var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}

extension Duration {
  /// In thousandths of a second.
  var milliseconds: Double { self / .milliseconds(1) }
  /// In seconds.
  var seconds: Double { self / .seconds(1) }
}
