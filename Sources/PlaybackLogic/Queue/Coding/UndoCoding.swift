// SPDX-License-Identifier: MIT

/// Each part of a step begins with a byte that tells its kind. Where something was added to a part in a later version, the
/// extended part has a kind of its own, so that older steps can still be read. The listener's place is written like one more
/// part.
extension ByteWriter {
  mutating func put(_ step: UndoStep) {
    let hasPlace = step.lostPlace > .zero
    put(step.parts.count + (hasPlace ? 1 : 0))
    for part in step.parts { put(part) }
    if hasPlace {
      put(byte: 6)
      put(step.lostPlace)
    }
    put(step.lostCurrent?.rawValue ?? 0)
  }

  private mutating func put(_ part: UndoStep.Part) {
    switch part {
    case .insert(let entries, let positions, let places, let asked):
      put(byte: asked.isEmpty ? 0 : 3)
      put(entries)
      put(positions)
      put(places.map { [$0] } ?? []) { $0.put($1) }
      if !asked.isEmpty { put(asked) }
    case .remove(let positions):
      put(byte: 1)
      put(positions)
    case .move(let rows, let target, let asked):
      put(byte: asked.isEmpty ? 2 : 4)
      put(rows)
      put(target)
      if !asked.isEmpty { put(asked) }
    case .shuffleList(let choice):
      put(byte: 5)
      put(optional: choice)
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
    var step = UndoStep(parts: [])
    for _ in 0..<(try int()) {
      if skip(6) { step.lostPlace = try place() } else { step.parts.append(try part()) }
    }
    let lost = try number()
    if lost != 0 { step.lostCurrent = EntryID(rawValue: lost) }
    return step
  }

  private mutating func part() throws(Malformed) -> UndoStep.Part {
    let kind = try byte()
    switch kind {
    case 0, 3:
      let (entries, positions) = (try entries(), try positions())
      let places = try array { reader throws(Malformed) in try reader.places() }.first
      return .insert(
        entries, at: positions, places: places, asked: kind == 3 ? try self.positions() : RangeSet())
    case 1: return .remove(try positions())
    case 2, 4: return .move(try range(), to: try int(), asked: kind == 4 ? try positions() : RangeSet())
    case 5: return .shuffleList(try optionalChoice())
    default: throw Malformed()
    }
  }

  private mutating func places() throws(Malformed) -> UndoStep.OrderPlaces {
    let (pass, cursor) = (try number(), try int() - 1)
    let ranks = try array { reader throws(Malformed) in try reader.uint32() }
    return UndoStep.OrderPlaces(pass: pass, cursor: cursor, ranks: ranks)
  }
}
