// SPDX-License-Identifier: MIT

/// Modes by their number in `allCases`; a new one goes to the end, or stored ones change their meaning.
extension ByteWriter {
  mutating func put(_ mode: some CaseIterable & Equatable) {
    // Every value of such a type is among its cases.
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
}
