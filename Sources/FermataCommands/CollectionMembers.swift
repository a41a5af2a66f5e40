// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import LibraryQuery
import MediaModel

extension AgentClient {
  /// The IDs of the items that a request finds. If it asks for collections, these are the items of all collections on its list, and its limit
  /// counts collections.
  func members(_ request: LibraryRequest) async throws(CommandError) -> [MediaItem.ID] {
    guard let group = request.group.flatMap(Grouping.init(rawValue:)) else {
      return try await numbers(request)
    }
    var all = request
    (all.group, all.limit) = (nil, nil)
    let members = try await numbers(group.belonging.map(all.narrowed) ?? all)
    guard request.limit != nil else { return members }
    var (listed, wanted) = (request, Set<MediaItem.ID>())
    listed.sort = []
    let tests = try await collections(listed).collections.compactMap(group.test)
    for test in CollectionTests.joined(tests) { wanted.formUnion(try await numbers(all.narrowed(test))) }
    return members.filter(wanted.contains)
  }
}

/// Expressions that hold for the items of collections.
enum CollectionTests {
  /// The longest expression that is made of several tests, in bytes; far below what the agent takes.
  private static let longest = 4096

  /// The tests joined into few expressions, so that a long list of collections does not take a question for each.
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
  /// This request for those of its items for which another expression holds as well.
  fileprivate func narrowed(_ test: String) -> LibraryRequest {
    var request = self
    request.expression = expression.isEmpty ? test : "(\(expression)) and (\(test))"
    return request
  }
}

extension Grouping {
  /// An expression that holds for items that belong to some collection; nil if all do. Any text contains the empty one. An album without a name is not on the list of albums.
  fileprivate var belonging: String? {
    switch self {
    case .title, .playlist: nil
    case .album: "album contains \"\" and album != \"\""
    case .artist, .albumArtist, .composer, .genre, .podcast: "\(rawValue) contains \"\""
    }
  }

  /// An expression that holds for the items of a collection. Two albums may have one title, so an album is told by its number.
  fileprivate func test(_ collection: CollectionFace) -> String? {
    if self == .album { return collection.representative?.names.album.map { "albumID == \($0)" } }
    return "\(rawValue) == \(LibrarySelection.quoted(collection.title))"
  }
}
