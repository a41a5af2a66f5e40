// SPDX-License-Identifier: MIT
import CommandModel
import PlaybackLogic
import Testing

@testable import ScreenModel

@Suite("Keys that are held")
struct SeekKeyTests {
  private static let next = KeyPress(.character(">"))
  private static let previous = KeyPress(.character("<"))

  /// What happens to a key at which millisecond, and what is ordered then.
  private struct Step: CustomStringConvertible {
    let time: Int
    let input: TerminalInput
    let orders: [PlayerOrder]
    var description: String { "at \(time) ms" }

    static func down(_ time: Int, _ press: KeyPress, _ orders: [PlayerOrder] = []) -> Step {
      Step(time: time, input: .heldKey(HeldKey(press, code: code(press))), orders: orders)
    }
    static func again(_ time: Int, _ press: KeyPress, _ orders: [PlayerOrder] = []) -> Step {
      Step(time: time, input: .heldKey(HeldKey(press, code: code(press), .repeated)), orders: orders)
    }
    /// Shift may be let go first. Then the key is another sign by now.
    static func up(_ time: Int, _ press: KeyPress, _ orders: [PlayerOrder] = []) -> Step {
      Step(
        time: time, input: .heldKey(HeldKey(KeyPress(.character(".")), code: code(press), .released)),
        orders: orders)
    }
    static func focus(_ time: Int, _ isFocused: Bool, _ orders: [PlayerOrder] = []) -> Step {
      Step(time: time, input: .focus(isFocused), orders: orders)
    }
    static func plain(_ time: Int, _ press: KeyPress, _ orders: [PlayerOrder]) -> Step {
      Step(time: time, input: .key(press), orders: orders)
    }

    private static func code(_ press: KeyPress) -> Int {
      guard case .character(let letter) = press.key else { return 0 }
      return letter == ">" ? 46 : letter == "<" ? 44 : Int(letter.unicodeScalars.first?.value ?? 0)
    }
  }

  private static let timelines: [(String, [Step])] = [
    ("a tap", [.down(0, next, [.holdSeek(.forward)]), .up(60, next, [.endSeek])]),
    (
      "held, and repeated as keyboards do",
      [.down(0, previous, [.holdSeek(.backward)])] + (20..<40).map { .again($0 * 33, previous) } + [
        .up(1_400, previous, [.endSeek]), .up(1_410, previous),
      ]
    ),
    (
      "held for long, renewed so that the agent does not end it",
      [
        .down(0, next, [.holdSeek(.forward)]), .again(2_990, next),
        .again(3_010, next, [.holdSeek(.forward)]),
        .again(5_990, next), .again(6_020, next, [.holdSeek(.forward)]), .up(6_100, next, [.endSeek]),
      ]
    ),
    (
      "one over the other: the later one counts, and its own release",
      [
        .down(0, next, [.holdSeek(.forward)]), .down(300, previous, [.holdSeek(.backward)]), .up(400, next),
        .up(600, previous, [.endSeek]),
      ]
    ),
    (
      "a letter that was pressed before and is let go meanwhile",
      [
        .down(0, KeyPress(.character("j"))), .down(50, next, [.holdSeek(.forward)]),
        .up(80, KeyPress(.character("j"))), .up(900, next, [.endSeek]),
      ]
    ),
    (
      "the window loses the keyboard: it ends, and the key that is still down begins nothing",
      [
        .down(0, next, [.holdSeek(.forward)]), .focus(500, false, [.endSeek]), .focus(700, true),
        .again(730, next),
        .up(800, next), .down(900, next, [.holdSeek(.forward)]), .up(950, next, [.endSeek]),
      ]
    ),
    (
      "a terminal that does not tell skips at once, and again for each repetition",
      [.plain(0, next, [.next]), .plain(660, next, [.next]), .plain(693, previous, [.previous])]
    ),
    (
      "left while it is held",
      [.down(0, next, [.holdSeek(.forward)]), .down(200, KeyPress(.character("q")), [.endSeek])]
    ),
  ]

  private static func orders(_ effects: [ScreenEffect]) -> [PlayerOrder] {
    effects.compactMap { effect in
      guard case .order(let order) = effect else { return nil }
      return order
    }
  }

  @Test("what is ordered when", arguments: timelines.indices)
  func timeline(index: Int) {
    let (name, steps) = Self.timelines[index]
    var stage = ScreenStage(rows: 3)
    stage.set(.playing, row: 2)
    for step in steps {
      let effects = stage.screen.handle(.input(step.input), at: .milliseconds(step.time))
      #expect(Self.orders(effects) == step.orders, "\(name), \(step)")
    }
  }

  @Test("where nothing is current the keys order what they always do, once")
  func nothingCurrent() {
    var stage = ScreenStage(rows: 3)
    stage.set(.stopped, row: nil)
    let phases: [(HeldKey.Phase, [PlayerOrder])] = [(.pressed, [.next]), (.repeated, []), (.released, [])]
    for (phase, orders) in phases {
      let key = HeldKey(Self.next, code: 46, phase)
      #expect(Self.orders(stage.screen.handle(.input(.heldKey(key)), at: .zero)) == orders, "\(phase)")
    }
  }

  @Test("keys that do something else repeat as they do anywhere")
  func others() {
    var stage = ScreenStage(rows: 5)
    stage.open()
    for phase in [HeldKey.Phase.pressed, .repeated, .released] {
      stage.send(.input(.heldKey(HeldKey(KeyPress(.character("j")), code: 106, phase))))
    }
    #expect(stage.screen.queue.cursor.row == 2)
  }
}
