// SPDX-License-Identifier: MIT
import CommandModel
import Glibc

/// Writes figures to standard output as they come: a table for each group, or an object a line.
struct Report {
  let asJSON: Bool
  private var overs: [String] = []

  init(asJSON: Bool) { self.asJSON = asJSON }

  /// Writes a group.
  mutating func add(_ group: Group, _ figures: [Figure]) {
    overs += figures.filter { $0.verdict == "over" }.map { "\(group): \($0.name)" }
    write(asJSON ? json(group, figures) + "\n" : table(group, figures), to: STDOUT_FILENO)
  }

  /// Says what was over its budget.
  func finish() {
    guard !asJSON else { return }
    let lines = overs.isEmpty ? ["nothing is over its budget"] : ["over budget:"] + overs.map { "  \($0)" }
    write(lines.joined(separator: "\n") + "\n", to: STDOUT_FILENO)
  }

  private func table(_ group: Group, _ figures: [Figure]) -> String {
    let titles = ["\(group): \(group.summary)", "ours", "budget", "unit", "verdict", "beside it"]
    let rows = [titles] + figures.map(row)
    let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      row.indices.map { column in
        let space = String(repeating: " ", count: widths[column] - row[column].count)
        return [1, 2].contains(column) ? space + row[column] : row[column] + space
      }.joined(separator: "  ").trimmedEnd
    }
    return lines.joined(separator: "\n") + "\n\n"
  }

  private func row(_ figure: Figure) -> [String] {
    let others = figure.others.map { "\($0.name) \($0.value.short)" }
    return [
      figure.name, figure.ours?.short ?? "", figure.limit?.short ?? "", figure.unit, figure.verdict,
      (others + [figure.note]).filter { !$0.isEmpty }.joined(separator: ", "),
    ]
  }

  private func json(_ group: Group, _ figures: [Figure]) -> String {
    let objects = figures.map { figure in
      JSONValue.object(present: [
        "name": .string(figure.name), "ours": number(figure.ours), "budget": number(figure.limit),
        "unit": .string(figure.unit), "verdict": .string(figure.verdict),
        "beside": .object(
          figure.others.compactMap { other in number(other.value).map { .init(other.name, $0) } }),
        "note": figure.note.isEmpty ? nil : .string(figure.note),
      ])
    }
    return JSONValue.object(present: ["group": .string(group.rawValue), "figures": .array(objects)]).text
  }

  private func number(_ value: Double?) -> JSONValue? {
    value.flatMap { DecimalText($0) }.map { .number($0) }
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    String(decoding: utf8.reversed().drop { $0 == UInt8(ascii: " ") }.reversed(), as: UTF8.self)
  }
}
