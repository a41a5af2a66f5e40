// SPDX-License-Identifier: MIT
import FaceModel
import PictureModel
package import PlaybackLogic

/// The cover that is wanted: of an entry of the queue, in a square of so many pixels.
package struct CoverRequest: Sendable, Hashable {
  package let entry: EntryID
  package let edge: Int
}

/// Where a cover stands, and the room that it has: `edge` columns and half as many rows. A cell is about twice as high as it is wide.
struct CoverPlace: Sendable, Hashable {
  let row: Int
  let column: Int
  let edge: Int

  /// The sizes that are asked for. The agent keeps a file for each, so a window that is pulled larger must not ask for all in between.
  private static let edges = [16, 24, 32, 40, 48, 64, 80]

  /// The largest size for this room; nil if there is too little.
  static func edge(columns: Int, rows: Int) -> Int? { edges.last { $0 <= columns && $0 / 2 <= rows } }
}

/// The cover of what plays. The one of the track before stays in view until the agent has answered: on an album it is the same.
struct Cover: Sendable {
  private var picture: PNGPicture?
  /// The room that the picture was asked for.
  private var edge = 0
  private var asked: CoverRequest?

  /// Whether the terminal shows enough colours for pictures.
  var isPossible = false
  /// Whether somebody wants to see them.
  var isWanted = true

  var isShown: Bool { isPossible && isWanted }

  /// Takes the agent's answer. One to an earlier request is dropped.
  mutating func take(_ picture: PNGPicture?, for request: CoverRequest) {
    guard request == asked else { return }
    (self.picture, edge) = (picture, request.edge)
  }

  /// The next time that a cover is shown, it is asked for anew.
  mutating func forget() { asked = nil }

  /// What has to be asked to show the cover of this entry here.
  mutating func needs(_ entry: EntryID?, at place: CoverPlace?) -> [ScreenEffect] {
    guard let place, let entry else { return [] }
    let wanted = CoverRequest(entry: entry, edge: place.edge)
    guard wanted != asked else { return [] }
    asked = wanted
    return [.needCover(wanted)]
  }

  /// Draws the cover into the middle of its place. One that was asked for another room is not shown: it would be replaced in a moment.
  func draw(_ frame: inout Frame, at place: CoverPlace) {
    guard let picture, edge == place.edge, max(picture.width, picture.height) <= place.edge else { return }
    let rows = (picture.height + 1) / 2
    frame.put(
      picture, at: place.row + (place.edge / 2 - rows) / 2,
      place.column + (place.edge - picture.width) / 2)
  }
}

extension Screen {
  /// Where the cover stands on the screen that is shown; nil where there is none.
  var coverPlace: CoverPlace? {
    guard cover.isShown, pager == nil, menu == nil, size.rows >= Self.leastRows,
      player.status?.current?.entry != nil
    else { return nil }
    let area = listArea
    switch tab {
    case .now where size.columns >= 60:
      return CoverPlace.edge(columns: size.columns * 45 / 100, rows: area.count - 2).map {
        CoverPlace(row: area.lowerBound + 1, column: 3, edge: $0)
      }
    case .queue where size.columns >= 110 && !queue.isEmpty:
      return CoverPlace.edge(columns: size.columns * 30 / 100, rows: area.count - 1).map {
        CoverPlace(row: area.lowerBound + 1, column: size.columns - 1 - $0, edge: $0)
      }
    default: return nil
    }
  }
}
