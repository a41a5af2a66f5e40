// SPDX-License-Identifier: MIT
import FermataTestKit

/// The bare client's smaller services.
enum BareClient {
  /// Calls a method so often, and answers when the last call began, how long the median took, and what 99 of 100 took at most.
  static func ask(
    _ words: [String], count: Int = 1, texts: [String] = [], _ environment: [String: String]
  ) throws -> (start: Duration, time: Duration, rarest: Duration) {
    let numbers = try numbers(["ask"] + words + [String(count)] + texts, environment)
    guard numbers.count == 3 else { throw KitError("the bare client said nothing") }
    return (.nanoseconds(numbers[0]), .nanoseconds(numbers[1]), .nanoseconds(numbers[2]))
  }

  /// Calls a method so often, with 64 calls under way at any time; answers how many calls a second that makes.
  static func rate(
    _ words: [String], count: Int, texts: [String] = [], _ environment: [String: String]
  ) throws -> Double {
    let numbers = try numbers(["pipe"] + words + [String(count)] + texts, environment)
    guard let time = numbers.first, time > 0 else { throw KitError("the bare client said nothing") }
    return Double(count) / Duration.nanoseconds(time).seconds
  }

  /// Strikes a pad by a method with one number, and answers when the call began.
  static func strike(_ words: [String], pad: Int, _ environment: [String: String]) throws -> Duration {
    .nanoseconds(try numbers(["strike"] + words + [String(pad)], environment).first ?? 0)
  }

  /// Sends a line to a socket, and answers when.
  static func say(_ line: String, to socket: String) throws -> Duration {
    .nanoseconds(try numbers(["say", socket, line], [:]).first ?? 0)
  }

  private static func numbers(_ words: [String], _ environment: [String: String]) throws -> [Int64] {
    try Child.run(Bench.bare, words, environment: environment).split { $0 == " " || $0 == "\n" }
      .compactMap { Int64($0) }
  }

  /// Notes when somebody gets a name on the bus that `body` starts; answers what the body does, and when.
  static func time<R>(
    ofOwner name: String, _ environment: [String: String], _ body: () throws -> R
  ) throws -> (R, Duration) {
    let watch = try Child(Bench.bare, ["await", name], environment: environment, isInteractive: true)
    _ = try watch.nextLine(until: .after(.seconds(5)))
    let result = try body()
    let line = try watch.nextLine(until: .after(.seconds(10)))
    return (result, .nanoseconds(Int64(line) ?? 0))
  }
}
