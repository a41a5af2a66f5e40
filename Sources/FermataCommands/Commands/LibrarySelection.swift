// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import LibraryQuery
import MediaModel

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

extension AgentClient {
  /// The IDs of the library's items that a request finds. If it asks for collections, such as albums, these are the items of all collections that it
  /// finds, and its limit counts collections.
  func members(_ request: LibraryRequest) async throws(CommandError) -> [MediaItem.ID] {
    guard let group = request.group.flatMap(Grouping.init(rawValue:)) else {
      return try await numbers(request)
    }
    var all = request
    (all.group, all.limit) = (nil, nil)
    let members = try await numbers(group.belonging.map(all.narrowed) ?? all)
    guard request.limit != nil else { return members }
    var wanted = Set<MediaItem.ID>()
    let tests = try await collections(request).collections.compactMap { $0.test(groupedBy: group.rawValue) }
    for test in CollectionTests.joined(tests) { wanted.formUnion(try await numbers(all.narrowed(test))) }
    return members.filter(wanted.contains)
  }
}

/// Makes filter expressions that match the items of collections, such as albums.
enum CollectionTests {
  /// The length in bytes up to which filter expressions are joined into one; far below what the agent takes.
  private static let longest = 4096

  /// The filter expressions joined by `or` into few, so that a long list of collections does not take a request to the agent for each.
  static func joined(_ tests: [String]) -> [String] {
    tests.reduce(into: []) { joined, test in
      if let last = joined.last, last.utf8.count + test.utf8.count < longest {
        joined[joined.count - 1] = "\(last) or \(test)"
      } else {
        joined.append(test)
      }
    }
  }
}

extension LibraryRequest {
  /// This request with a further filter expression, which its items have to match as well.
  fileprivate func narrowed(_ test: String) -> LibraryRequest {
    var request = self
    request.expression = expression.isEmpty ? test : "(\(expression)) and (\(test))"
    return request
  }
}

extension Grouping {
  /// A filter expression for the items that belong to some collection of this kind; nil if all items do. `contains ""` is true for every text, and
  /// false where there is none. An album without a name is not on the list of albums, so its items are left out.
  fileprivate var belonging: String? {
    switch self {
    case .title, .playlist: nil
    case .album: "album contains \"\" and album != \"\""
    case .artist, .albumArtist, .composer, .genre, .podcast: "\(rawValue) contains \"\""
    }
  }
}
