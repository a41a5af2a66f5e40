// SPDX-License-Identifier: MIT
import FaceModel
import PictureModel
package import PlaybackLogic

/// A request for the cover of an entry, in a square of `edge` pixels.
package struct CoverRequest: Sendable, Hashable {
  package let entry: EntryID
  package let edge: Int
}

/// The cells that a cover may fill: `edge` columns and half as many rows, because a cell is about twice as high as it is wide.
struct CoverPlace: Sendable, Hashable {
  let row: Int
  let column: Int
  let edge: Int

  /// The sizes in which covers are requested. There are few, because the agent keeps a file for each size, and a window that is being resized would
  /// otherwise make it create many.
  private static let edges = [16, 24, 32, 40, 48, 64, 80]

  /// The largest of these sizes that fits; nil if none does.
  static func edge(columns: Int, rows: Int) -> Int? { edges.last { $0 <= columns && $0 / 2 <= rows } }
}

/// The cover of the current track. When the track changes, the old cover is shown until the agent has answered, because on an album the new one is
/// the same.
struct Cover: Sendable {
  private var picture: PNGPicture?
  /// The size in which the picture was requested.
  private var edge = 0
  private var asked: CoverRequest?

  /// Whether the terminal shows enough colours for pictures.
  var isPossible = false
  /// Whether the user wants to see covers.
  var isWanted = true

  var isShown: Bool { isPossible && isWanted }

  /// Keeps the agent's answer, unless it is for an earlier request.
  mutating func take(_ picture: PNGPicture?, for request: CoverRequest) {
    guard request == asked else { return }
    (self.picture, edge) = (picture, request.edge)
  }

  /// Makes the next drawing request the cover again.
  mutating func forget() { asked = nil }

  /// The request that is needed to show the cover of this entry at this place; empty if it was made already.
  mutating func needs(_ entry: EntryID?, at place: CoverPlace?) -> [ScreenEffect] {
    guard let place, let entry else { return [] }
    let wanted = CoverRequest(entry: entry, edge: place.edge)
    guard wanted != asked else { return [] }
    asked = wanted
    return [.needCover(wanted)]
  }

  /// Draws the cover into the middle of its place. A cover of another size is not drawn, because the right one is about to come.
  func draw(_ frame: inout Frame, at place: CoverPlace) {
    guard let picture, edge == place.edge, max(picture.width, picture.height) <= place.edge else { return }
    let rows = (picture.height + 1) / 2
    frame.put(
      picture, at: place.row + (place.edge / 2 - rows) / 2,
      place.column + (place.edge - picture.width) / 2)
  }
}

extension Screen {
  /// Where the cover is drawn on the present screen; nil if it is not drawn.
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
