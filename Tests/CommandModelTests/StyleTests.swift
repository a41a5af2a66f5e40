// SPDX-License-Identifier: MIT
import CommandModel
import Testing

@Suite("Styles, tables and progress")
struct StyleTests {
  private func palette(_ isTerminal: Bool, _ environment: [String: String]) -> Palette {
    Palette(isTerminal: isTerminal) { environment[$0] }
  }

  @Test("styles are for terminals that can and people who want them")
  func palettes() {
    #expect(palette(true, ["TERM": "xterm"]) == .colour)
    #expect(palette(true, ["TERM": "xterm", "NO_COLOR": "1"]) == .monochrome)
    #expect(palette(true, ["TERM": "xterm", "NO_COLOR": ""]) == .colour)
    #expect(palette(true, ["TERM": "dumb"]) == .plain)
    #expect(palette(true, [:]) == .plain)
    #expect(palette(false, ["TERM": "xterm"]) == .exact)
  }

  @Test("a palette shows what it can of a style, and ends what it begins")
  func rendering() {
    let text = StyledText("a", Style(bold: true, dim: true, colour: .green)) + "b"
    #expect(text.rendered(.plain) == "ab" && text.rendered(.exact) == "ab")
    #expect(text.rendered(.monochrome) == "\u{1B}[1;2ma\u{1B}[0mb")
    #expect(text.rendered(.colour) == "\u{1B}[1;2;32ma\u{1B}[0mb")
    #expect(StyledText("", .bold).rendered(.colour) == "")
  }

  @Test("a cut reaches over runs, and its ellipsis keeps the style of what it cuts")
  func cutRuns() {
    let text = StyledText("abc", .bold) + StyledText("def", .dim)
    #expect(text.truncated(to: 6) == text)
    #expect(text.truncated(to: 5) == StyledText("abc", .bold) + StyledText("d…", .dim))
    #expect(text.truncated(to: 4) == StyledText("abc", .bold) + StyledText("…", .dim))
    #expect(text.truncated(to: 3) == StyledText("ab…", .bold))
    #expect(text.truncated(to: 0).width == 0)
  }

  private func table() -> Table {
    var table = Table([
      Table.Column(rightAligned: true), Table.Column(flexible: true), Table.Column(flexible: true),
      Table.Column(rightAligned: true),
    ])
    table.append(["#", "Title", "Artist", "Time"])
    table.append(["9", "Sinnerman", "Nina Simone", "10:20"])
    table.append(["10", "東京 blues in a long evening", "江利チエミ", "3:05"])
    return table
  }

  private func text(_ lines: [StyledText]) -> [String] { lines.map { $0.rendered(.plain) } }

  @Test("columns are aligned by what the eye sees")
  func aligned() {
    #expect(
      text(table().lines()) == [
        " #  Title                         Artist        Time",
        " 9  Sinnerman                     Nina Simone  10:20",
        "10  東京 blues in a long evening  江利チエミ    3:05",
      ])
  }

  @Test("the widest flexible column gives way first, and no line is wider than the terminal")
  func shrunk() {
    #expect(
      text(table().lines(width: 40)) == [
        " #  Title             Artist        Time",
        " 9  Sinnerman         Nina Simone  10:20",
        "10  東京 blues in a…  江利チエミ    3:05",
      ])
    for width in 0...60 { #expect(table().lines(width: width).allSatisfy { $0.width <= width }) }
  }

  @Test("where there is no room, what a table can do without goes from the right, and nothing else is cut")
  func optional() {
    var table = Table([
      Table.Column(flexible: true), Table.Column(flexible: true, optional: true),
      Table.Column(flexible: true, optional: true), Table.Column(rightAligned: true),
    ])
    table.append(["Sinnerman", "Nina Simone", "Pastel Blues", "10:20"])
    #expect(text(table.lines(width: 80)) == ["Sinnerman  Nina Simone  Pastel Blues  10:20"])
    #expect(text(table.lines(width: 42)) == ["Sinnerman  Nina Simone  10:20"])
    #expect(text(table.lines(width: 20)) == ["Sinnerman  10:20"])
    #expect(text(table.lines(width: 14)) == ["Sinnerm…  10:2…"].map { String($0.prefix(13)) + "…" })
  }

  @Test("in a pipe one very wide cell is whole, and the other rows are not padded to it")
  func pipe() {
    var table = Table([Table.Column(flexible: true), Table.Column(rightAligned: true)])
    let long = String(repeating: "x", count: 3000)
    table.append([StyledText(long), "9:05"])
    table.append(["Sinnerman", "10:20"])
    let gap = String(repeating: " ", count: 80 - 9 + 2)
    #expect(text(table.lines()) == [long + "   9:05", "Sinnerman" + gap + "10:20"])
  }

  @Test("a table without rows has no lines")
  func empty() {
    #expect(Table([Table.Column()]).lines().isEmpty)
  }

  @Test(
    "the progress line shows what there is room for",
    arguments: [
      (0, 296, 30, "0:00 ──────────────────── 4:56"), (148, 296, 30, "2:28 ━━━━━━━━━━────────── 4:56"),
      (296, 296, 30, "4:56 ━━━━━━━━━━━━━━━━━━━━ 4:56"), (400, 296, 30, "4:56 ━━━━━━━━━━━━━━━━━━━━ 4:56"),
      (7, 600, 24, " 0:07 ──────────── 10:00"), (83, 296, 12, "1:23 / 4:56"), (83, 296, 5, "1:23…"),
      (83, 0, 80, "1:23"),
      (9, 100, 20, "0:09 ╸───────── 1:40"),
    ])
  func progress(position: Int, length: Int, width: Int, expected: String) {
    let line = ProgressLine.text(position: .seconds(position), length: .seconds(length), width: width)
    #expect(line.rendered(.plain) == expected)
  }

  @Test("a bar is as wide as asked at any fraction, also at impossible ones")
  func bar() {
    for columns in 0...40 {
      for fraction in [-1, 0, 0.01, 0.333, 0.5, 0.999, 1, 2, Double.infinity] {
        #expect(ProgressLine.bar(fraction, columns: columns).width == columns)
      }
    }
  }
}
