// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel

/// A column of the library's screen: the rows that answer one question to the agent, read as they come into view.
///
/// When the column gets another question, its rows are dropped at once, so no key ever acts on the answer to an earlier one. One question is sent
/// at a time, so while somebody scrolls through the artists, only the albums of the artist where they stop are asked for.
struct LibraryColumn: Sendable {
  struct Row: Sendable {
    /// The filter expression for the tracks that the row stands for; empty for a track.
    let test: String
    let title: String
    let detail: String
    let track: TrackRow?

    /// Whether both rows stand for the same track, or for all tracks with the same value, whatever else has changed in them.
    func isSame(as other: Row) -> Bool { test == other.test && track?.item == other.track?.item }
  }

  /// The property whose values the column lists; nil if it lists tracks.
  let property: String?
  var cursor = ListCursor()
  private(set) var failure: String?
  private var rows = RowWindow<Row>()
  /// The question to the library whose answer the column shows; nil if nothing is chosen in a column to its left.
  private var question: LibraryRequest?
  /// The number of tracks without a value of `property`. The last row stands for them.
  private var rest = 0
  /// Whether `rest` has been counted for the present question.
  private var isCounted = false
  /// The number of the question that was sent last.
  private(set) var number: Int
  private var underWay: Asked?
  /// Whether the last question failed, so that none is sent until `forget` or `set`.
  private var hasFailed = false

  /// The question that was sent and has no answer yet.
  private struct Asked: Sendable {
    /// Whether it asks for the number of tracks without a value of the column's property.
    var countsRest: Bool
    /// Whether the column has another question by now.
    var isOutdated = false
  }

  /// A column whose questions have higher numbers than those of the column that it replaces, so that late answers to them are recognised.
  init(_ property: String?, after number: Int) { (self.property, self.number) = (property, number) }

  /// The number of values or tracks; nil if not known yet.
  var total: Int? { rows.total }
  var isLoading: Bool { question != nil && rows.total == nil }

  private var count: Int { rows.total.map { $0 + (rest > 0 ? 1 : 0) } ?? 0 }

  subscript(_ index: Int) -> Row? {
    guard rest > 0, index == rows.total else { return rows[index] }
    return Row(
      test: property.map(LibraryScreen.none) ?? "", title: "(no \(LibraryScreen.noun(property)))",
      detail: "\(rest)", track: nil)
  }

  var chosen: Row? { self[cursor.row] }

  // MARK: Questions

  /// Sets the question whose answer the column shows; nil empties the column.
  mutating func set(_ new: LibraryRequest?) {
    guard new != question else { return }
    question = new
    underWay?.isOutdated = true
    (failure, hasFailed, rest, isCounted) = (nil, false, 0, false)
    rows.reset()
    cursor.set(count: 0)
  }

  /// Makes the column ask again. Its rows stay until the answer comes.
  mutating func forget() {
    rows.invalidate()
    (isCounted, hasFailed) = (false, false)
    if underWay?.countsRest == true { underWay?.isOutdated = true }
  }

  /// The column as it was, to be shown again in the place of one whose last question had this number.
  func restored(after number: Int) -> LibraryColumn {
    var column = self
    (column.number, column.underWay) = (max(number, self.number), nil)
    column.forget()
    return column
  }

  /// The next question to send, for the column at this index.
  mutating func need(_ index: Int) -> ScreenEffect? {
    guard underWay == nil, !hasFailed, var request = question else { return nil }
    let visible = cursor.visible
    var first = 0
    if let range = rows.need(visible.isEmpty ? 0..<cursor.height : visible) {
      first = range.lowerBound
      (request.first, request.count) = (first + 1, range.count)
      underWay = Asked(countsRest: false)
    } else if !isCounted, let property {
      request = Self.rest(of: request, property)
      underWay = Asked(countsRest: true)
    } else {
      return nil
    }
    number += 1
    return .needLibrary(request, LibraryTicket(asker: .column(index), number: number, first: first))
  }

  private static func rest(of question: LibraryRequest, _ property: String) -> LibraryRequest {
    let tests = [question.expression, LibraryScreen.none(property)].filter { !$0.isEmpty }
    return LibraryRequest(tests.joined(separator: " and "), search: question.search, count: 1)
  }

  mutating func take(_ answer: LibraryAnswer, _ ticket: LibraryTicket) {
    guard let asked = underWay, ticket.number == number else { return }
    underWay = nil
    guard !asked.isOutdated else { return }
    let former = chosen
    if asked.countsRest { take(rest: answer) } else { take(answer, first: ticket.first) }
    cursor.set(count: count)
    guard let former else { return }
    // The last row, which stands for the tracks without a value, is not among those that were read.
    let places = [rows.known, max(0, count - 1)..<count].joined()
    cursor = cursor.following(among: places) { self[$0]?.isSame(as: former) == true }
  }

  private mutating func take(rest answer: LibraryAnswer) {
    isCounted = true
    if case .items(_, let total) = answer { rest = total } else { rest = 0 }
  }

  private mutating func take(_ answer: LibraryAnswer, first: Int) {
    failure = nil
    switch answer {
    case .items(let items, let total):
      let new = items.map { face in
        Row(test: "", title: face.item.displayTitle, detail: "", track: TrackRow(face))
      }
      rows.take(new, first: first, total: total, number: rows.number)
    case .collections(let collections, let total):
      let new = collections.map {
        Row(
          test: property.map($0.testOrTitle) ?? "", title: $0.title, detail: "\($0.count)", track: nil)
      }
      rows.take(new, first: first, total: total, number: rows.number)
    case .failed(let why):
      (failure, hasFailed) = (why, true)
      // Rows that are there stay: they were true a moment ago.
      if rows.total == nil { rows.take([], first: 0, total: 0, number: rows.number) }
    }
  }

  /// The question whose answer the column shows, if its rows are tracks.
  var trackRequest: LibraryRequest? { property == nil ? question : nil }

  /// The chosen track and all after it; nil if no track is chosen.
  var fromHere: LibraryChoice? {
    guard let item = chosen?.track?.item, var request = question else { return nil }
    request.first = cursor.row + 1
    return .from(item, request)
  }
}

extension CollectionFace {
  /// A filter expression for the tracks of this collection. An album whose number is not known is recognised by its title.
  func testOrTitle(groupedBy property: String) -> String {
    test(groupedBy: property) ?? "\(property) == \(LibraryRequest.quoted(title))"
  }
}
