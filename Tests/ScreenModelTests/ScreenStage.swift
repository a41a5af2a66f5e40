// SPDX-License-Identifier: MIT
import AudioModel
import CommandModel
import FaceModel
import JobLogic
import LibraryQuery
import MediaModel
import PictureModel
import PlaybackLogic
@testable import ScreenModel
import Testing

/// A screen, and an agent that answers its questions from a queue and a library of its own.
struct ScreenStage {
  var screen: Screen
  var time = Duration.seconds(100)
  var queue: [ItemFace] = []
  var library: [ItemFace] = []
  var status: StatusFace
  var pads = ScreenStage.drums
  var lists = [
    KeptList("Fresh", count: 48, isSmart: true), KeptList("Road trip"), KeptList("paris and rain"),
  ]
  /// The cover of every entry.
  var cover: (CoverRequest) -> CoverImage? = {
    $0.image(in: Placeholder(of: "OK Computer").png(edge: $0.edge).bytes)
  }
  /// What the screen wanted beside answers.
  private(set) var effects: [ScreenEffect] = []
  /// The lines that it wanted to be kept.
  private(set) var remembered: [KeptLine] = []
  /// Whether questions to the library wait in `waiting` until somebody answers them.
  var holdsLibrary = false
  private(set) var waiting: [(request: LibraryRequest, ticket: LibraryTicket)] = []
  /// Whether the answers to questions for rows of the queue wait in `queueAnswers` until somebody sends them.
  var holdsQueue = false
  var queueAnswers: [ScreenEvent] = []
  /// How often the next tracks were asked for.
  private(set) var asksForUpcoming = 0
  /// How many rows of the queue were asked for.
  private(set) var asked = 0

  static let program = CommandDefinition(
    "fermata", summary: "Play music",
    groups: [
      .init([
        CommandDefinition(
          "quit", summary: "Quit", options: [OptionDefinition("json", summary: "As JSON")],
          read: { _ in Nothing() }),
        CommandDefinition("stop", summary: "Stop", read: { _ in Nothing() }),
        CommandDefinition(
          "seek", summary: "Seek",
          arguments: [ArgumentDefinition(ValueDefinition("TIME"), summary: "When")], read: { _ in Nothing() }),
        CommandDefinition(
          "queue", summary: "Queue",
          groups: [
            .init([
              CommandDefinition("clear", summary: "Clear", read: { _ in Nothing() }),
              CommandDefinition("crop", summary: "Crop", read: { _ in Nothing() }),
            ])
          ]),
        CommandDefinition(
          "add", summary: "Add",
          arguments: [
            ArgumentDefinition(
              ValueDefinition(
                "SOURCE",
                completion: .filesOrKept(
                  KeptFiles("playlists", in: "playlists", endings: ["m3u8"]), scheme: "playlist")),
              .some, summary: "What")
          ], options: [OptionDefinition("next", summary: "Next")], read: { _ in Nothing() }),
        CommandDefinition(
          "shuffle", summary: "Shuffle",
          arguments: [
            ArgumentDefinition(
              ValueDefinition("MODE", choices: [.init("off"), .init("songs"), .init("albums")]),
              summary: "How")
          ],
          read: { _ in Nothing() }),
      ])
    ])

  static let drums = PadsFace(
    kit: KitFace(name: "Drums"),
    pads: [
      PadFace(number: PadNumber(rawValue: 1), name: "Snare", colour: "red"),
      PadFace(number: PadNumber(rawValue: 2), name: "Bass", colour: "blue", volume: 0.9),
      PadFace(number: PadNumber(rawValue: 3), name: "Tambourine", colour: "ffb000", polyphony: 4),
      PadFace(number: PadNumber(rawValue: 4), name: "Maraca", colour: "green", choke: "hat"),
    ])

  struct Nothing: Command {
    func run(as name: String) throws(CommandError) -> ExitCode { .done }
  }

  init(
    _ columns: Int = 80, _ rows: Int = 24, rows count: Int = 0, traits: TerminalTraits = TerminalTraits()
  ) {
    screen = Screen(ScreenSize(columns: columns, rows: rows), program: Self.program, traits: traits)
    status = StatusFace(PlayerFace(), position: .zero)
    queue = (0..<count).map { Self.track($0) }
  }

  /// An open screen whose queue has so many rows; the third plays if there are as many.
  static func playing(rows: Int) -> ScreenStage {
    var stage = ScreenStage(rows: rows)
    stage.set(.playing, row: rows < 3 ? nil : 3)
    stage.open()
    return stage
  }

  static func track(
    _ index: Int, _ title: String? = nil, _ artist: String = "Radiohead", _ album: String = "OK Computer",
    seconds: Int = 263
  ) -> ItemFace {
    var tags = MediaTags()
    tags.title = title ?? "Track \(index + 1)"
    tags.artist = artist.isEmpty ? [] : [artist]
    tags.album = album.isEmpty ? nil : album
    tags.track = index + 1
    tags.duration = .seconds(seconds)
    let item = MediaItem(
      id: MediaItem.ID(rawValue: Int64(index + 1)),
      location: .file(FilePath(stringLiteral: "/music/\(index + 1).flac")), tags: tags,
      listening: ListeningRecord())
    return ItemFace(item, entry: EntryID(rawValue: UInt64(index + 1)))
  }

  /// Lets the row of the queue play, or not, for this reason.
  mutating func set(_ state: PlaybackState, why: String? = nil, row: Int?, position: Duration = .seconds(117))
  {
    status.state = state
    status.why = why
    status.queueLength = queue.count
    status.queueRow = row
    status.current = row.map { queue[$0 - 1] }
    status.position = row == nil ? nil : position
    status.coding = row == nil ? nil : SoundCoding("FLAC", rate: 44_100, channels: 2, bits: 16)
    status.volume = 0.62
    status.route = RouteFace.headphones
    send(.status(status))
  }

  mutating func send(_ event: ScreenEvent) {
    if case .news(.row(let row)) = event { status.queueRow = row }
    var anew = screen
    anew.still = nil
    var waiting = screen.handle(event, at: time)
    #expect(anew.handle(event, at: time) == waiting, "a tick that is passed over would have asked nothing")
    while !waiting.isEmpty {
      let effect = waiting.removeFirst()
      if case .remember(let line) = effect {
        remembered.append(line)
      } else if holdsLibrary, case .needLibrary(let request, let ticket) = effect {
        self.waiting.append((request, ticket))
      } else if holdsQueue, case .needQueue = effect, let answer = answer(effect) {
        queueAnswers.append(answer)
      } else if let answer = answer(effect) {
        waiting += screen.handle(answer, at: time)
      } else {
        effects.append(effect)
      }
    }
  }

  /// The first look, after which the screen asks for what it shows.
  mutating func open() {
    send(.agentFound)
    _ = frame()
    send(.tick)
  }

  private mutating func answer(_ effect: ScreenEffect) -> ScreenEvent? {
    switch effect {
    case .needStatus: return .status(status)
    case .needQueue(let ticket, let count):
      asked += count
      return .queue(page(ticket, count: count), ticket: ticket)
    case .needLibrary(let request, let ticket):
      let found = ticket.asker == .searchAlbums ? albums(request) : answer(request)
      return .library(found, ticket: ticket)
    case .needItem(let item): return library.first { $0.item.id == item }.map { .item($0) }
    case .needDetails(.item(let item), _):
      return (library + queue).first { $0.item.id == item }.map { .details($0, of: .item(item)) }
    case .needCover(let request): return .cover(cover(request), for: request)
    case .needFolders:
      let folders = library.isEmpty ? [] : [LibraryFolderFace(path: "/music", tracks: library.count)]
      return .folders(
        LibraryStatus(folders: folders, tracks: library.count, albums: 2, artists: 2), music: "~/Music")
    case .needJobs: return .jobs([])
    case .needUpcoming:
      asksForUpcoming += 1
      return .upcoming(Array(queue.dropFirst(status.queueRow ?? 0).prefix(5)))
    case .needPads: return .pads(pads)
    case .needLists: return .lists(lists)
    default: return nil
    }
  }

  private func page(_ ticket: QueueTicket, count: Int) -> QueuePage {
    let rows = AgentQueue.positions(from: ticket.first + 1, count: count, of: queue.count)
    return QueuePage(items: Array(queue[rows]), length: queue.count, current: status.queueRow)
  }

  /// Sends the answers to the questions for rows of the queue that wait. They tell the queue as it was when they were asked.
  mutating func answerQueue() {
    let answers = queueAnswers
    queueAnswers = []
    for answer in answers { send(answer) }
  }

  /// Makes an edit of the queue, and tells the screen of it.
  mutating func edit(_ edit: QueueNews.Edit, _ change: (inout [ItemFace]) -> Void) {
    let current = status.queueRow.map { queue[$0 - 1].entry }
    change(&queue)
    if let row = queue.firstIndex(where: { $0.entry == current }) { status.queueRow = row + 1 }
    status.queueLength = queue.count
    send(.news(.queue(QueueNews(edit, length: queue.count))))
  }

  /// Removes rows of the queue, counted from 1, and tells the screen of it.
  mutating func remove(row: Int, count: Int = 1) {
    let first = queue[row - 1].entry ?? EntryID(rawValue: 1)
    edit(.removed([RowRun(row: row, first: first, count: count)])) {
      $0.removeSubrange(row - 1..<row - 1 + count)
    }
  }

  /// Moves rows of the queue, counted from 1, and tells the screen of it.
  mutating func move(row: Int, count: Int = 1, to target: Int) {
    edit(.moved(row: row, count: count, to: target)) { queue in
      let moved = Array(queue[row - 1..<row - 1 + count])
      queue.removeSubrange(row - 1..<row - 1 + count)
      queue.insert(contentsOf: moved, at: target - 1)
    }
  }

  /// Forgets the questions that wait.
  mutating func dropLibrary() { waiting = [] }

  /// Answers the questions that wait.
  mutating func answerLibrary() {
    let answered = waiting
    waiting = []
    for (request, ticket) in answered { send(.library(answer(request), ticket: ticket)) }
  }

  /// Albums in whose title or artist all quoted words of the expression are.
  private func albums(_ request: LibraryRequest) -> LibraryAnswer {
    let quoted = request.expression.split(separator: "\"", omittingEmptySubsequences: false)
    let words = Set(
      quoted.enumerated().filter { $0.offset % 2 == 1 }.map { SearchText.folded(String($0.element)) })
    var collections: [CollectionFace] = []
    for face in library {
      let title = face.item.tags.album ?? ""
      let text = SearchText.folded("\(title)\n\(face.item.tags.artist.joined())")
      guard words.allSatisfy({ SearchText.contains(text, $0) }) else { continue }
      let album = face.names.album
      if let place = collections.firstIndex(where: {
        $0.title == title && $0.representative?.names.album == album
      }) {
        collections[place].count += 1
      } else {
        collections.append(
          CollectionFace(title: title, section: "", count: 1, duration: .zero, representative: face))
      }
    }
    return .collections(Array(collections.prefix(request.count)), total: collections.count)
  }

  /// Whether tags meet the tests that the columns of the library make. Other tests are met by all.
  private static func meets(_ face: ItemFace, _ expression: String) -> Bool {
    let tags = face.item.tags
    return expression.split(separator: " and ").allSatisfy { test in
      switch test {
      case "not albumArtist begins \"\"": return tags.artist.isEmpty
      case "not album begins \"\"": return tags.album == nil
      default: break
      }
      let parts = test.split(separator: " == ").map { $0.filter { $0 != "\"" } }
      guard parts.count == 2 else { return true }
      if parts[0] == "albumID" { return face.names.album.map { "\($0)" } == parts[1] }
      return parts[0] == "album" ? tags.album == parts[1] : tags.artist.first == parts[1]
    }
  }

  // The library of tests knows a request by its words, not by its meaning.
  private func answer(_ request: LibraryRequest) -> LibraryAnswer {
    let found = library.filter { face in
      let text = SearchText.folded(
        "\(face.item.displayTitle) \(face.item.tags.artist.joined()) \(face.item.tags.album ?? "")")
      return SearchText.words(request.search).allSatisfy { SearchText.contains(text, $0) }
        && Self.meets(face, request.expression)
    }
    guard let group = request.group else {
      let rows = found.dropFirst(request.first - 1).prefix(request.count)
      return .items(Array(rows), total: found.count)
    }
    var collections: [CollectionFace] = []
    for face in found {
      let name = group == "album" ? face.item.tags.album ?? "" : face.item.tags.artist.first ?? ""
      let album = group == "album" ? face.names.album : nil
      if name.isEmpty { continue }
      if let place = collections.firstIndex(where: {
        $0.title == name && (album == nil || $0.representative?.names.album == album)
      }) {
        collections[place].count += 1
      } else {
        collections.append(
          CollectionFace(title: name, section: "", count: 1, duration: .zero, representative: face))
      }
    }
    return .collections(
      Array(collections.dropFirst(request.first - 1).prefix(request.count)), total: collections.count)
  }

  /// Presses keys, named as help names them and parted by spaces.
  mutating func press(_ keys: String) {
    for name in keys.split(separator: " ") {
      for press in KeyPress.sequence(String(name)) ?? [] { send(.input(.key(press))) }
    }
  }

  mutating func type(_ text: String) {
    for letter in text { send(.input(.key(KeyPress(.character(letter))))) }
  }

  /// The frame. Whatever was kept of an earlier one must be what would be drawn now.
  mutating func frame() -> Frame {
    var anew = screen
    anew.still = nil
    let frame = screen.frame(at: time)
    #expect(anew.frame(at: time) == frame && anew.title == screen.title)
    return frame
  }

  mutating func takeEffects() -> [ScreenEffect] {
    takeWholeEffects().map { effect in
      switch effect {
      case .remove(let rows, _): .remove(rows)
      case .move(let row, let count, let target, _): .move(row: row, count: count, to: target)
      default: effect
      }
    }
  }

  /// The same, with the entries that edits of rows name.
  mutating func takeWholeEffects() -> [ScreenEffect] {
    defer { effects = [] }
    return effects
  }

  /// The frame as lines of text; below them a line of letters for the styles wherever they are not plain.
  mutating func picture() -> String {
    let frame = frame()
    var text = ""
    for row in 0..<frame.size.rows {
      text += "|" + frame.text(row) + "\n"
      let styles = String(frame.row(row).map { Self.letter($0.style) })
      if styles.contains(where: { $0 != " " }) {
        text += ":" + String(styles.reversed().drop { $0 == " " }.reversed()) + "\n"
      }
    }
    return text
      + "cursor \(frame.cursor.row),\(frame.cursor.column) \(frame.isCursorShown ? "shown" : "hidden")\n"
  }

  private static func letter(_ style: CellStyle) -> Character {
    if style.attributes.contains(.reverse) { return "R" }
    if style.attributes.contains(.underline) { return "_" }
    // A pixel of a picture, by how light it is.
    switch style.paper {
    case .rgb(let red, let green, let blue):
      return Array("0123456789")[(Int(red) + Int(green) + Int(blue)) * 9 / 765]
    default: break
    }
    switch style.ink {
    case .palette(1): return "r"
    case .palette(2): return "g"
    case .palette(3): return "y"
    case .palette(5): return "m"
    case .palette(6): return "c"
    default: return style.attributes.contains(.bold) ? "b" : style.attributes.contains(.dim) ? "." : " "
    }
  }
}

extension RouteFace {
  static let headphones: RouteFace = {
    var route = RouteFace(
      Route(
        sinkName: "analog", sinkDescription: "Built-in Audio", isPrivate: true,
        device: Route.Device(name: "card")))
    route.portType = "headphones"
    route.portDescription = "Headphones"
    return route
  }()
}
