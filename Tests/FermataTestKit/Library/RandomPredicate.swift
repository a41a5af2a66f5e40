// SPDX-License-Identifier: MIT
package import LibraryQuery
package import MediaModel

/// Predicates by chance, of every property and every comparison, over few words, so that they find something.
package struct RandomPredicate {
  package var generator: SeededGenerator
  package static let words = [
    "Rock", "rock", "Röck", "The Beatles", "a", "", "ß", "Жук", "жук\"", "x\\y", "O'Neil", "10", "É", "e",
  ]

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  package mutating func predicate(depth: Int = 3) -> Predicate {
    switch depth > 0 ? Int.random(in: 0..<6, using: &generator) : 0 {
    case 0, 1, 2: .test(test())
    case 3: .not(predicate(depth: depth - 1))
    case 4: .all(parts(depth - 1))
    default: .any(parts(depth - 1))
    }
  }

  private mutating func parts(_ depth: Int) -> [Predicate] {
    (0..<Int.random(in: 2...4, using: &generator)).map { _ in predicate(depth: depth) }
  }

  private mutating func test() -> PropertyTest {
    while true {
      let property = ItemProperty.filterable.randomElement(using: &generator) ?? .title
      if let test = try? PropertyTest(property, comparison(property.kind)) { return test }
    }
  }

  private mutating func comparison(_ kind: ItemProperty.Kind) -> PropertyTest.Comparison {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0, 1: kind == .flag ? .isTrue : .equals(operand(kind))
    case 2: kind == .text ? .contains(word()) : .less(operand(kind))
    case 3: kind == .text ? .begins(word()) : .greater(operand(kind))
    case 4: .lessOrEqual(operand(kind))
    case 5: .greaterOrEqual(operand(kind))
    default: .isAmong((0..<Int.random(in: 0...3, using: &generator)).map { _ in choice(kind) })
    }
  }

  private mutating func choice(_ kind: ItemProperty.Kind) -> PropertyTest.Choice {
    let isRange = generator.chance(30) && kind != .text && kind != .mediaType && kind != .identifier
    return isRange ? .range(operand(kind), operand(kind)) : .one(operand(kind))
  }

  private mutating func operand(_ kind: ItemProperty.Kind) -> PropertyTest.Operand {
    switch kind {
    case .text: return .text(word())
    case .mediaType:
      return .text(["music", "podcast", "audiobook"].randomElement(using: &generator) ?? "music")
    case .identifier: return .number(Double(Int.random(in: 1...30, using: &generator)))
    case .number, .duration, .flag:
      let whole = Double(Int.random(in: -2...12, using: &generator))
      return .number(
        [whole, whole + 0.5, 1_990 + whole, whole * 20].randomElement(using: &generator) ?? whole)
    case .date, .moment:
      if generator.chance(40) { return .ago(Int64.random(in: -3...40, using: &generator) * 43_200) }
      return .date(date())
    }
  }

  package mutating func word() -> String { Self.words.randomElement(using: &generator) ?? "" }

  package mutating func date() -> MediaDate {
    let (year, month, day) = (
      Int.random(in: 1995...1999, using: &generator), Int.random(in: 1...12, using: &generator),
      Int.random(in: 1...28, using: &generator)
    )
    let texts = [
      "\(year)", "\(year)-\(two(month))", "\(year)-\(two(month))-\(two(day))",
      "\(year)-\(two(month))-\(two(day))T10:20:30Z",
    ]
    return texts.randomElement(using: &generator).flatMap { MediaDate(text: $0) } ?? date()
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// The text with a few bytes changed, put in, taken out or doubled.
  package mutating func mutated(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let at = Int.random(in: 0...bytes.count, using: &generator)
      let byte = UInt8(truncatingIfNeeded: generator.next())
      let sign = Array(#"()[]"\,.=<>!-+0123 andornoti"#.utf8).randomElement(using: &generator) ?? byte
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes.insert(byte, at: at)
      case 1, 2: bytes.insert(sign, at: at)
      case 3: if at < bytes.count { bytes.remove(at: at) }
      default: bytes.insert(contentsOf: bytes[..<at].suffix(12), at: at)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
