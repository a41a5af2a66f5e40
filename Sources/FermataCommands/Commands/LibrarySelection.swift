// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import LibraryQuery

/// The options with which `play` and `add` take items from the library instead of sources.
enum LibrarySelection {
  private static let query = OptionDefinition(
    "query", value: ValueDefinition("EXPR"), summary: "Items of the library for which an expression holds")
  private static let album = OptionDefinition(
    "album", value: ValueDefinition("A"), summary: "An album of the library; case and accents don't count")
  private static let artist = OptionDefinition(
    "artist", value: ValueDefinition("A"), summary: "What an artist has in the library")

  static let options = [query, album, artist]

  /// The expression that the options make together; nil if none was given. Throws if one is not a valid expression, or if sources are named as well.
  static func expression(_ parsed: ParsedCommand, besides sources: NamedSources) throws(CommandError)
    -> String?
  {
    var tests: [String] = []
    if let query = parsed.value(query) { tests.append("(\(try checked(query)))") }
    if let album = parsed.value(album) { tests.append("album in [\(LibraryRequest.quoted(album))]") }
    if let artist = parsed.value(artist) {
      let name = LibraryRequest.quoted(artist)
      tests.append("(artist in [\(name)] or albumArtist in [\(name)])")
    }
    guard !tests.isEmpty else { return nil }
    guard sources == .words([]) else {
      throw parsed.error("sources", "they cannot be mixed with the library's items", "leave out one of them")
    }
    return tests.joined(separator: " and ")
  }

  /// The expression unchanged. Throws if it is not valid; the error points at the mistake in it.
  static func checked(_ expression: String) throws(CommandError) -> String {
    guard expression.utf8.count <= AgentLibrary.longestExpression else {
      throw CommandError(
        .usage, "'\(expression.prefix(40))…'",
        "an expression has at most \(AgentLibrary.longestExpression) bytes", "ask for less")
    }
    do throws(PredicateError) { _ = try Predicate(expression) } catch {
      throw CommandError(error, of: "'\(expression)'")
    }
    return expression
  }
}

extension CommandError {
  /// An error for an expression or a property that the library does not know.
  init(_ error: PredicateError, of subject: String) {
    self.init(.usage, subject, error.description, "'fermata help library' explains expressions")
  }
}
