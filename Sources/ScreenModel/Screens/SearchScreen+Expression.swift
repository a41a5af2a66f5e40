// SPDX-License-Identifier: MIT
import MediaModel

// Tells a predicate from words. Whether the predicate is right is for the agent to say.
extension SearchScreen {
  /// Whether a text is a predicate and not just words: it begins with a property's name, and an operator and the beginning of a value follow. A name
  /// that is true or false by itself needs no operator. `cloud` alone is a word: no item here is in a cloud, but there are songs about them.
  static func isExpression(_ text: String) -> Bool {
    let text = withoutNegations(text[...])
    let name = text.prefix { $0.isASCII && $0.isLetter }
    guard let property = ItemProperty(rawValue: String(name)), property.canFilter else { return false }
    let rest = text.dropFirst(name.count).drop { $0 == " " }
    if property == .cloud, rest.isEmpty { return false }
    if property.kind == .flag, endsTest(rest) { return true }
    return hasOperator(rest)
  }

  /// A text without the brackets and the `not` that may stand before a property.
  private static func withoutNegations(_ text: Substring) -> Substring {
    let text = text.drop { $0 == " " || $0 == "(" }
    guard text.prefix(4).lowercased() == "not " || text.prefix(4).lowercased() == "not(" else { return text }
    return withoutNegations(text.dropFirst(3))
  }

  private static func endsTest(_ rest: Substring) -> Bool {
    let word = rest.prefix { $0 != " " }.lowercased()
    return word.isEmpty || word.hasPrefix(")") || word == "and" || word == "or"
  }

  /// Whether a text begins with an operator and a value. After `in` only what can be nothing but a value counts, because titles have the word too.
  private static func hasOperator(_ rest: Substring) -> Bool {
    if let sign = ["==", "!=", "<=", ">=", "<", ">"].first(where: { rest.hasPrefix($0) }) {
      return rest.dropFirst(sign.count).contains { $0 != " " }
    }
    let word = rest.prefix { $0.isASCII && $0.isLetter }
    guard let start = rest.dropFirst(word.count).first(where: { $0 != " " }) else { return false }
    switch word.lowercased() {
    case "contains", "begins": return true
    case "in": return "\"[-".contains(start) || ("0"..."9").contains(start)
    default: return false
    }
  }
}
