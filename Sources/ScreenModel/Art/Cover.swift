// SPDX-License-Identifier: MIT
import FaceModel
package import PictureModel
package import PlaybackLogic

/// How a cover is shown.
package enum CoverForm: Sendable, Hashable {
  /// As text, of half blocks.
  case blocks
  /// As pixels, by the terminal's own graphics, as a file that it reads itself.
  case pixels
  /// As pixels, in so many colours (sixel).
  case sixel(colours: Int)

  /// The form on a terminal with these traits; nil if there is to be no cover, or can be none.
  package init?(_ traits: TerminalTraits, wish: CoverWish) {
    switch wish {
    case .auto where traits.graphics != nil: self = Self.pixels(traits.graphics)
    case .auto where traits.showsHalfBlocks, .blocks where traits.showsHalfBlocks: self = .blocks
    case .auto, .blocks, .off: return nil
    }
  }

  private static func pixels(_ graphics: Graphics?) -> CoverForm {
    if case .sixel(let colours) = graphics { .sixel(colours: colours) } else { .pixels }
  }
}

/// What somebody wants of covers, as `:set covers` takes it.
package enum CoverWish: String, Sendable, Hashable, CaseIterable {
  case auto, blocks, off

  init?(word: String) {
    // The word from before there was more than one form.
    if word == "on" { self = .auto } else { self.init(rawValue: word) }
  }
}

/// The cover that is wanted: of an entry of the queue, in a square of so many pixels.
package struct CoverRequest: Sendable, Hashable {
  package let entry: EntryID
  package let edge: Int
  package let form: CoverForm

  package init(entry: EntryID, edge: Int, form: CoverForm = .blocks) {
    (self.entry, self.edge, self.form) = (entry, edge, form)
  }

  /// The agent's PNG file as a cover in the form that was asked for; nil if the file is damaged, too large or of another kind. For sixel
  /// this takes long.
  package func image(in file: [UInt8]) -> CoverImage? {
    switch form {
    case .blocks: PNGPicture(file).map { .blocks($0) }
    case .pixels: PNGFile(file).map { .pixels($0) }
    case .sixel(let colours): sixel(file, colours).map { .sixel($0) }
    }
  }

  private func sixel(_ file: [UInt8], _ colours: Int) -> SixelPicture? {
    guard let picture = PNGPicture(file), max(picture.width, picture.height) <= edge else { return nil }
    return SixelPicture(picture.enlarged(toFit: edge), colours: colours)
  }
}

/// A cover, as far as it has to be known to be shown.
package enum CoverImage: Sendable, Hashable {
  case blocks(PNGPicture)
  case pixels(PNGFile)
  case sixel(SixelPicture)
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
  private var image: CoverImage?
  /// What the image was asked for as.
  private var shown: CoverRequest?
  private var asked: CoverRequest?
  /// What the terminal has. Its answers come after the first frame.
  var traits = TerminalTraits()
  var wish = CoverWish.auto

  /// How it is shown; nil if it is not.
  var form: CoverForm? { CoverForm(traits, wish: wish) }

  /// Takes the agent's answer. One to an earlier request is dropped.
  mutating func take(_ image: CoverImage?, for request: CoverRequest) {
    guard request == asked else { return }
    (self.image, shown) = (image, request)
  }

  /// Makes the next drawing request the cover again.
  mutating func forget() { asked = nil }

  /// The request that is needed to show the cover of this entry at this place; empty if it was made already.
  mutating func needs(_ entry: EntryID?, at place: CoverPlace?) -> [ScreenEffect] {
    guard let place, let entry, let form else { return [] }
    let wanted = CoverRequest(entry: entry, edge: edge(form, at: place), form: form)
    guard wanted != asked else { return [] }
    asked = wanted
    return [.needCover(wanted)]
  }

  // MARK: Sizes

  /// The sizes that are asked for where a terminal shows pixels: the agent keeps a file for each. Larger ones would cost more to send than
  /// anybody sees.
  private static let pixelEdges = [160, 240, 320, 400, 480, 640]

  // What is assumed of a terminal that does not tell.
  private static let usualCell = (width: 10, height: 20)

  private var cell: (width: Int, height: Int) { traits.cell.map { ($0.width, $0.height) } ?? Self.usualCell }

  /// How many pixels the picture is to have for this place.
  private func edge(_ form: CoverForm, at place: CoverPlace) -> Int {
    let (width, height) = (place.edge * cell.width, place.edge / 2 * cell.height)
    let largest = Self.pixelEdges[Self.pixelEdges.count - 1]
    switch form {
    case .blocks: return place.edge
    case .pixels: return Self.pixelEdges.first { $0 >= min(width, height) } ?? largest
    // The terminal makes this one no larger or smaller. The last band is to end within the cells, so that none scrolls for it.
    case .sixel: return min(width, height / SixelPicture.bandHeight * SixelPicture.bandHeight, largest)
    }
  }

  // MARK: Drawing

  /// Draws the cover into the middle of its place. One that was asked for another room is not shown: it would be replaced in a moment.
  func draw(_ frame: inout Frame, at place: CoverPlace) {
    guard let image, let form, shown?.form == form, shown?.edge == edge(form, at: place) else { return }
    switch image {
    case .blocks(let picture): draw(picture, &frame, at: place)
    case .pixels(let file): draw(file, &frame, at: place)
    case .sixel(let picture): draw(picture, &frame, at: place)
    }
  }

  private func draw(_ picture: PNGPicture, _ frame: inout Frame, at place: CoverPlace) {
    guard max(picture.width, picture.height) <= place.edge else { return }
    let rows = (picture.height + 1) / 2
    frame.put(
      picture, at: place.row + (place.edge / 2 - rows) / 2,
      place.column + (place.edge - picture.width) / 2)
  }

  // The terminal makes a picture as large as its cells. They have the picture's shape, as nearly as cells can.
  private func draw(_ file: PNGFile, _ frame: inout Frame, at place: CoverPlace) {
    let (columns, rows) = (place.edge, place.edge / 2)
    let scale = min(
      Double(columns * cell.width) / Double(file.width), Double(rows * cell.height) / Double(file.height))
    func cells(_ pixels: Int, _ size: Int, most: Int) -> Int {
      min(max(1, Int((Double(pixels) * scale / Double(size)).rounded())), most)
    }
    let width = cells(file.width, cell.width, most: columns)
    let height = cells(file.height, cell.height, most: rows)
    put(.file(file), &frame, at: place, columns: width, rows: height)
  }

  // A picture that has its size already gets the cells that it reaches into.
  private func draw(_ picture: SixelPicture, _ frame: inout Frame, at place: CoverPlace) {
    let columns = (picture.width + cell.width - 1) / cell.width
    let rows = (picture.fullHeight + cell.height - 1) / cell.height
    guard columns <= place.edge, rows <= place.edge / 2 else { return }
    put(.sixel(picture), &frame, at: place, columns: columns, rows: rows)
  }

  private func put(
    _ content: PlacedPicture.Content, _ frame: inout Frame, at place: CoverPlace, columns: Int, rows: Int
  ) {
    frame.place(
      content, at: place.row + (place.edge / 2 - rows) / 2, place.column + (place.edge - columns) / 2,
      columns: columns, rows: rows)
  }
}

extension Screen {
  /// Where the cover is drawn on the present screen; nil if it is not drawn.
  var coverPlace: CoverPlace? {
    guard cover.form != nil, pager == nil, menu == nil, size.rows >= Self.leastRows,
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

// Draws pictures with characters. The upper half of a cell is a pixel in the text's colour, and the lower half is one in the background's colour.
// This is ordinary text: it is compared and painted as such, and it works in terminal panes, over ssh and in `less`.
extension Frame {
  /// Draws a picture with its upper left pixel in this cell. Pixels outside the grid are left out. Transparent pixels show the terminal's background.
  package mutating func put(_ picture: PNGPicture, at row: Int, _ column: Int) {
    for line in 0..<(picture.height + 1) / 2 {
      for x in 0..<picture.width {
        put(
          HalfBlock.cell(picture.colour(x, 2 * line), picture.colour(x, 2 * line + 1)), at: row + line,
          column + x)
      }
    }
  }
}

/// A cell that shows two pixels.
enum HalfBlock {
  typealias Ink = CellStyle.Ink

  /// The cell for these two colours, the upper one first; nil is the terminal's background.
  static func cell(_ upper: Ink?, _ lower: Ink?) -> Cell {
    switch (upper, lower) {
    case (nil, nil): .blank
    case (let upper?, nil): Cell("▀", CellStyle(ink: upper))
    case (nil, let lower?): Cell("▄", CellStyle(ink: lower))
    // A space with a background is preferred, because screen readers skip spaces, and its style needs only one colour.
    case (let upper?, let lower?) where upper == lower: .space(CellStyle(paper: upper))
    case (let upper?, let lower?): Cell("▀", CellStyle(ink: upper, paper: lower))
    }
  }
}

extension PNGPicture {
  /// The colour of a pixel; nil if it is mostly transparent, or below the picture.
  fileprivate func colour(_ x: Int, _ y: Int) -> CellStyle.Ink? {
    guard y < height else { return nil }
    let place = 4 * (y * width + x)
    guard pixels[place + 3] >= 128 else { return nil }
    return .rgb(pixels[place], pixels[place + 1], pixels[place + 2])
  }
}
