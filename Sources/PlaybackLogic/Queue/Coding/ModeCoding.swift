// SPDX-License-Identifier: MIT

/// Modes are written as their index in `allCases`. So a new mode must be added at the end, or stored bytes change their meaning.
extension ByteWriter {
  mutating func put(_ mode: some CaseIterable & Equatable) {
    // `allCases` contains every value, so 0 is never used as a fallback.
    put(byte: UInt8(Array(type(of: mode).allCases).firstIndex(of: mode) ?? 0))
  }

  mutating func put(_ choice: ModeChoice<some CaseIterable & Hashable & Sendable>) {
    switch choice {
    case .default: put(false)
    case .chosen(let mode):
      put(true)
      put(mode)
    }
  }

  mutating func put(optional choice: ModeChoice<some CaseIterable & Hashable & Sendable>?) {
    put(choice != nil)
    if let choice { put(choice) }
  }

  /// Writes a choice. If `other` is not nil, a byte 2 and `other` come before it. A choice on its own begins with 0 or 1, so the
  /// reader can tell the two forms apart.
  mutating func put<Mode: CaseIterable & Hashable & Sendable>(
    _ choice: ModeChoice<Mode>, besides other: ModeChoice<Mode>?
  ) {
    if let other {
      put(byte: 2)
      put(other)
    }
    put(choice)
  }
}

extension ByteReader {
  mutating func mode<Mode: CaseIterable>() throws(Malformed) -> Mode {
    let (modes, number) = (Array(Mode.allCases), Int(try byte()))
    guard modes.indices.contains(number) else { throw Malformed() }
    return modes[number]
  }

  mutating func choice<Mode: CaseIterable>() throws(Malformed) -> ModeChoice<Mode> {
    try flag() ? .chosen(try mode()) : .default
  }

  mutating func optionalChoice<Mode: CaseIterable>() throws(Malformed) -> ModeChoice<Mode>? {
    try flag() ? try choice() : nil
  }

  mutating func choices<Mode: CaseIterable>() throws(Malformed) -> (ModeChoice<Mode>, ModeChoice<Mode>?) {
    var other: ModeChoice<Mode>?
    if skip(2) { other = try choice() }
    return (try choice(), other)
  }
}
