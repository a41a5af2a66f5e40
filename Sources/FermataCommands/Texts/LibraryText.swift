// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import JobLogic
import MediaModel

/// The library's answers, as text for a person and as JSON.
enum LibraryText {
  // MARK: Folders

  /// The folders, the numbers of items, and a hint what to do next. `music` is the user's music folder, if the desktop names one.
  static func lines(_ status: LibraryStatus, music: FilePath?, width: Int? = nil) -> [StyledText] {
    var lines: [StyledText] = []
    if let why = status.why {
      lines += [StyledText("! ", Style(bold: true, colour: .yellow)) + .outside(why), ""]
    }
    guard !status.folders.isEmpty else {
      let folder = music.map { ShellWord.quoted($0.text) } ?? "~/Music"
      return lines + [
        StyledText("The library has no folder yet. Add one with 'fermata library add \(folder)'")
      ]
    }
    var table = Table([.init(flexible: true), .init(rightAligned: true), .init(), .init(flexible: true)])
    for folder in status.folders {
      let scanned = folder.lastScan.map { Moment(milliseconds: Int($0) * 1_000).day }
      table.append([
        .outside(folder.path.text), StyledText(tracks(folder.tracks)),
        StyledText(scanned.map { "scanned \($0)" } ?? "not scanned yet", .dim),
        .outside(folder.why ?? "", Style(colour: .yellow)),
      ])
    }
    lines += table.lines(width: width)
    lines += [
      "",
      StyledText(
        "\(tracks(status.tracks)), \(CountText.text(status.albums, "album")), \(CountText.text(status.artists, "artist"))",
        .dim
      ),
    ]
    if let job = status.job {
      lines.append(StyledText("Job \(job.rawValue) is reading; 'fermata jobs' shows how far it is.", .dim))
    }
    return lines + loudness(status)
  }

  /// Lines that say how many items have no loudness: those still to be measured, and those that can't be. Empty if there are none.
  private static func loudness(_ status: LibraryStatus) -> [StyledText] {
    var lines: [StyledText] = []
    if status.unmeasured > 0 {
      let have = status.unmeasured == 1 ? "has" : "have"
      lines.append(
        StyledText(
          "\(tracks(status.unmeasured)) \(have) no loudness; 'fermata library analyze' measures it.", .dim))
    }
    if status.unfit > 0 {
      let one = status.whyUnfit.map { ": " + $0 } ?? ""
      lines.append(
        StyledText("\(tracks(status.unfit)) can't be measured before the files change", .dim)
          + .outside(one, .dim))
    }
    return lines
  }

  static func json(_ status: LibraryStatus) -> JSONValue { JSONValue(wire: status.wireValue) ?? .object([]) }

  // MARK: Items

  /// A row for each item: its number, title, artist, album and length.
  static func lines(_ items: [ItemFace], _ total: Int, width: Int?) -> [StyledText] {
    var table = Table([
      .init(rightAligned: true), .init(flexible: true), .init(flexible: true, optional: true),
      .init(flexible: true, optional: true), .init(rightAligned: true),
    ])
    for face in items {
      let tags = face.item.tags
      table.append([
        StyledText(face.item.id.map { "\($0.rawValue)" } ?? "", .dim), .outside(face.item.displayTitle),
        .outside(StatusText.artist(of: face) ?? ""), .outside(tags.album ?? "", .dim),
        StyledText(tags.duration.map(ClockText.text) ?? "–", .dim),
      ])
    }
    return table.lines(width: width) + ["", StyledText(shown(items.count, of: total, "track"), .dim)]
  }

  static func json(_ items: [ItemFace], _ total: Int) -> JSONValue {
    .object(present: [
      "items": .array(items.compactMap { JSONValue(wire: $0.wireValue(inList: true)) }),
      "total": .integer(total),
    ])
  }

  /// A row for each collection. The letter of its section comes first, where it changes.
  static func lines(
    _ collections: [CollectionFace], _ total: Int, ofAlbums: Bool, width: Int?
  ) -> [StyledText] {
    var table = Table([
      .init(), .init(flexible: true), .init(flexible: true, optional: true), .init(rightAligned: true),
      .init(rightAligned: true),
    ])
    var section = ""
    for collection in collections {
      let letter = collection.section == section ? "" : collection.section
      section = collection.section
      // The first track's artist says nothing of a genre or of a playlist.
      let artist = ofAlbums ? collection.representative?.albumArtist ?? "" : ""
      table.append([
        .outside(letter, .bold), .outside(collection.title.isEmpty ? "(none)" : collection.title),
        .outside(artist == collection.title ? "" : artist, .dim), StyledText(tracks(collection.count), .dim),
        StyledText(ClockText.text(collection.duration), .dim),
      ])
    }
    return table.lines(width: width) + ["", StyledText(shown(collections.count, of: total, "entry"), .dim)]
  }

  static func json(_ collections: [CollectionFace], _ total: Int) -> JSONValue {
    .object(present: [
      "collections": .array(collections.compactMap { JSONValue(wire: $0.wireValue) }),
      "total": .integer(total),
    ])
  }

  /// Everything that is known of an item, one property a line.
  static func lines(_ face: ItemFace) -> [StyledText] {
    var table = Table([.init(), .init(flexible: true)])
    guard case .object(let members) = json(face) else { return [] }
    for member in members where member.name != "notes" {
      table.append([StyledText(member.name, .dim), .outside(text(member.value))])
    }
    for note in sorted(face.notes) {
      table.append([.outside("note '\(note.key)'", .dim), .outside(note.value)])
    }
    return table.lines()
  }

  /// The notes on an item, one a line after its key.
  static func lines(_ notes: [String: String], width: Int?) -> [StyledText] {
    guard !notes.isEmpty else { return [StyledText("Nothing is noted of it.")] }
    var table = Table([.init(), .init(flexible: true)])
    for note in sorted(notes) { table.append([.outside(note.key, .bold), .outside(note.value)]) }
    return table.lines(width: width)
  }

  static func json(_ notes: [String: String]) -> JSONValue {
    .object([.init("notes", .object(sorted(notes).map { .init($0.key, .string($0.value)) }))])
  }

  private static func sorted(_ notes: [String: String]) -> [(key: String, value: String)] {
    notes.sorted { $0.key < $1.key }
  }

  static func json(_ face: ItemFace) -> JSONValue { JSONValue(wire: face.wireValue()) ?? .object([]) }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .array(let values): values.map(text).joined(separator: ", ")
    case .bool(let flag): flag ? "yes" : "no"
    default: value.text
    }
  }

  // MARK: Jobs

  /// A row for each job. Jobs that know how much work there is have a bar.
  static func lines(_ jobs: [Job], width: Int?) -> [StyledText] {
    guard !jobs.isEmpty else { return [StyledText("No job runs.")] }
    var table = Table([
      .init(rightAligned: true), .init(flexible: true), .init(), .init(), .init(flexible: true),
    ])
    for job in jobs {
      table.append([
        StyledText("\(job.id.rawValue)", .dim), .outside(job.title),
        StyledText(job.state.rawValue, style(job.state)),
        progress(job), .outside(job.why ?? job.current ?? "", .dim),
      ])
    }
    return table.lines(width: width)
  }

  /// One line about a job's progress, for a terminal on which it is redrawn again and again.
  static func line(_ job: Job, width: Int) -> StyledText {
    var line = StyledText.outside(job.title, .bold)
    if job.state != .running { line += "  " + StyledText(job.state.rawValue, style(job.state)) }
    if job.total != nil || job.done > 0 { line += "  " + progress(job) }
    if let remark = job.why ?? job.current { line += "  " + .outside(remark, .dim) }
    return line.truncated(to: width)
  }

  private static func progress(_ job: Job) -> StyledText {
    guard let total = job.total else { return StyledText(job.done > 0 ? "\(job.done)" : "") }
    guard job.state == .running || job.state == .suspended else {
      return StyledText("\(job.done) of \(total)", .dim)
    }
    var text = ProgressLine.bar(total == 0 ? 1 : Double(job.done) / Double(total), columns: 20)
    text += StyledText(" \(job.done) of \(total)")
    if let rate = job.rate, rate >= 1 { text += StyledText(", \(Int(rate)) a second", .dim) }
    if let remaining = job.remaining { text += StyledText(", \(ClockText.text(remaining)) left", .dim) }
    return text
  }

  private static func style(_ state: JobState) -> Style {
    switch state {
    case .running: Style(colour: .green)
    case .failed: Style(colour: .red)
    case .waiting, .suspended: Style(colour: .yellow)
    case .done, .cancelled: .dim
    }
  }

  static func json(_ jobs: [Job]) -> JSONValue {
    .object(present: ["jobs": .array(jobs.compactMap { JSONValue(wire: JobFace($0).wireValue) })])
  }

  // MARK: Numbers

  private static func shown(_ count: Int, of total: Int, _ noun: String) -> String {
    count == total ? CountText.text(total, noun) : "\(count) of \(CountText.text(total, noun))"
  }

  private static func tracks(_ count: Int) -> String { CountText.text(count, "track") }
}
