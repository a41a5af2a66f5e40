// SPDX-License-Identifier: MIT

// The kinds of values that settings have.
extension Setting {
  typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

  /// One of several words. When they are listed they are joined by `separator`, which is a comma and a blank if there
  /// are many.
  static func choice<Word: CaseIterable & RawRepresentable<String> & SendableMetatype>(
    _ name: String, _ summary: String, _ path: Path<Word>, separator: String = "|"
  ) -> Setting {
    let words = Word.allCases.map(\.rawValue)
    return Setting(
      name, summary, words: words, values: words.joined(separator: separator),
      read: { $0[keyPath: path].rawValue },
      write: { settings, text in
        guard let word = Word(rawValue: text) else { return false }
        settings[keyPath: path] = word
        return true
      })
  }

  /// `yes` or `no`.
  static func flag(_ name: String, _ summary: String, _ path: Path<Bool>) -> Setting {
    Setting(
      name, summary, words: ["yes", "no"], values: "yes|no",
      read: { $0[keyPath: path] ? "yes" : "no" },
      write: { settings, text in
        guard text == "yes" || text == "no" else { return false }
        settings[keyPath: path] = text == "yes"
        return true
      })
  }

  /// A number within limits. `unit` says what it counts; `suffix` is written after it.
  static func number(
    _ name: String, _ summary: String, _ unit: String, in limits: ClosedRange<Double>, suffix: String = "",
    read: @escaping @Sendable (Settings) -> Double,
    write: @escaping @Sendable (inout Settings, Double) -> Void
  ) -> Setting {
    let range = "\(Decimal.text(limits.lowerBound))\(suffix) to \(Decimal.text(limits.upperBound))\(suffix)"
    return Setting(
      name, summary, values: (unit.isEmpty ? "" : unit + " ") + "from " + range,
      read: { Decimal.text(read($0)) + suffix },
      write: { settings, text in
        let digits = text.hasSuffix(suffix) ? text.dropLast(suffix.count) : text[...]
        guard let number = Decimal.number(digits), limits.contains(number) else { return false }
        write(&settings, number)
        return true
      })
  }

  /// A number of seconds.
  static func seconds(
    _ name: String, _ summary: String, in limits: ClosedRange<Double>, _ path: Path<Duration>
  ) -> Setting {
    number(
      name, summary, "seconds", in: limits, read: { Decimal.seconds($0[keyPath: path]) },
      write: { $0[keyPath: path] = Decimal.duration($1) })
  }

  /// A number of seconds, or `off`.
  static func secondsOrOff(
    _ name: String, _ summary: String, in limits: ClosedRange<Double>, _ path: Path<Duration?>
  ) -> Setting {
    let range = "\(Decimal.text(limits.lowerBound)) to \(Decimal.text(limits.upperBound))"
    return Setting(
      name, summary, words: ["off"], values: "off, or seconds from \(range)",
      read: { $0[keyPath: path].map { Decimal.text(Decimal.seconds($0)) } ?? "off" },
      write: { settings, text in
        let number = Decimal.number(text[...])
        guard text == "off" || number.map(limits.contains) == true else { return false }
        settings[keyPath: path] = number.map(Decimal.duration)
        return true
      })
  }
}
