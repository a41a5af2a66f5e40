// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FermataTestKit
import Testing

@Suite("A bus inside the process")
struct InnerBusTests {
  @AgentLoop
  private struct Inside {
    let bus = InnerBus()
    let sample = Sample()

    init() { bus.export([sample.interface()], at: Sample.path) }

    func call(
      _ member: MemberName, _ arguments: [WireValue] = [], _ interface: InterfaceName = Sample.name
    ) async -> Result<[WireValue], BusError> {
      do throws(BusError) {
        return .success(try await bus.call(Sample.path, interface, member, arguments))
      } catch {
        return .failure(error)
      }
    }

    static func signal(_ text: String) -> BusSignal {
      BusSignal(path: Sample.path, interface: Sample.name, member: "Happened", arguments: [.string(text)])
    }
  }

  private static let properties = StandardInterfaces.properties.name

  @Test("objects answer there as they do on a real bus")
  func answers() async throws {
    try await onLoop { @AgentLoop in
      let (inside, outside) = (Inside(), try await Stage())
      inside.sample.answerLater = { throw BusError.failed("in vain") }
      outside.sample.answerLater = inside.sample.answerLater
      let name = WireValue.string(Sample.name.text)
      let calls: [(MemberName, [WireValue], InterfaceName)] = [
        ("Echo", [.variant(.string("é"))], Sample.name), ("Number", [.uint32(7)], Sample.name),
        ("Pair", .arguments("a", ["b": WireValue.uint32(1)]), Sample.name), ("Later", [], Sample.name),
        ("Fail", [], Sample.name), ("Lie", [], Sample.name), ("Missing", [], Sample.name),
        ("Number", [.string("7")], Sample.name), ("Number", [], Sample.name),
        ("Number", [.uint32(7)], "org.fermata.Other1"),
        ("Get", [name, .string("Volume")], Self.properties), ("GetAll", [name], Self.properties),
        ("Get", [name, .string("Broken")], Self.properties),
        ("Get", [name, .string("Wrong")], Self.properties),
        ("Set", [name, .string("Volume"), .variant(.double(0.25))], Self.properties),
        ("Set", [name, .string("Volume"), .variant(.double(-1))], Self.properties),
        ("Set", [name, .string("Volume"), .variant(.string("loud"))], Self.properties),
        ("Set", [name, .string("Identity"), .variant(.string("Me"))], Self.properties),
        ("Ping", [], StandardInterfaces.peer.name),
      ]
      for (member, arguments, interface) in calls {
        let here = await inside.call(member, arguments, interface)
        do throws(BusError) {
          let there = try await outside.call(member, arguments, interface)
          #expect(try here.get() == there, "\(member)")
        } catch {
          #expect(throws: BusError.self, "\(member) \(arguments)") { try here.get() }
          if case .failure(let failure) = here {
            #expect(failure.name == error.name, "\(member) \(arguments)")
          }
        }
      }
      #expect(inside.sample.volume == 0.25)
    }
  }

  @Test("what was said before an answer is heard before it, and nobody is called in the middle of a turn")
  func order() async throws {
    try await onLoop { @AgentLoop in
      let inside = Inside()
      var heard: [BusSignal] = []
      let subscription = inside.bus.listen { heard.append($0) }
      var heardInTurn = 0
      // The bus has the object, so the object must not have the bus.
      inside.sample.answerLater = { [weak bus = inside.bus] in
        for text in ["one", "two"] { bus?.emit(Inside.signal(text), to: nil) }
        heardInTurn = heard.count
        return []
      }
      let answer = try await inside.call("Later").get()
      #expect(answer.isEmpty)
      #expect(heardInTurn == 0)
      #expect(heard == [Inside.signal("one"), Inside.signal("two")])
      inside.bus.emit(Inside.signal("three"), to: nil)
      subscription.cancel()
      _ = await inside.call("Number", [.uint32(1)])
      #expect(heard.count == 2)
    }
  }

  @Test("a caller whose task is cancelled has left, and whoever watches it is told")
  func cancellation() async throws {
    try await onLoop { @AgentLoop in
      let inside = Inside()
      var waiting: UnsafeContinuation<Void, Never>?
      inside.sample.answerLater = {
        await withUnsafeContinuation { waiting = $0 }
        return []
      }
      let task = AgentLoop.task { await inside.call("Later") }
      while waiting == nil { await Task.yield() }
      // Calls are numbered from one.
      var gone = 0
      let watch = inside.bus.watch(":0.1") { gone += 1 }
      let ended = inside.bus.watch(":0.1") { gone += 100 }
      #expect(watch != nil && ended != nil && gone == 0)
      (ended as? InnerSubscription)?.cancel()
      task.cancel()
      if case .failure(let error) = await task.value { #expect(error.name == .cancelled) }
      #expect(gone == 1)
      #expect(inside.bus.watch(":0.1") { gone += 1 } == nil)
      #expect(gone == 2)
      waiting?.resume()
    }
  }
}
