// SPDX-License-Identifier: MIT

extension ByteWriter {
  mutating func put(_ step: UndoStep) {
    put(step.parts) { $0.put($1) }
    put(step.lostCurrent?.rawValue ?? 0)
  }

  private mutating func put(_ part: UndoStep.Part) {
    switch part {
    case .insert(let entries, let positions, let places):
      put(byte: 0)
      put(entries)
      put(positions)
      put(places.map { [$0] } ?? []) { $0.put($1) }
    case .remove(let positions):
      put(byte: 1)
      put(positions)
    case .move(let rows, let target):
      put(byte: 2)
      put(rows)
      put(target)
    }
  }

  private mutating func put(_ places: UndoStep.OrderPlaces) {
    put(places.pass)
    put(places.cursor + 1)
    put(places.ranks) { $0.put(UInt64($1)) }
  }
}

extension ByteReader {
  mutating func step() throws(Malformed) -> UndoStep {
    let parts = try array { reader throws(Malformed) in try reader.part() }
    let lost = try number()
    return UndoStep(parts: parts, lostCurrent: lost == 0 ? nil : EntryID(rawValue: lost))
  }

  private mutating func part() throws(Malformed) -> UndoStep.Part {
    switch try byte() {
    case 0:
      let (entries, positions) = (try entries(), try positions())
      let places = try array { reader throws(Malformed) in try reader.places() }
      return .insert(entries, at: positions, places: places.first)
    case 1: return .remove(try positions())
    case 2: return .move(try range(), to: try int())
    default: throw Malformed()
    }
  }

  private mutating func places() throws(Malformed) -> UndoStep.OrderPlaces {
    let (pass, cursor) = (try number(), try int() - 1)
    let ranks = try array { reader throws(Malformed) in try reader.uint32() }
    return UndoStep.OrderPlaces(pass: pass, cursor: cursor, ranks: ranks)
  }
}
