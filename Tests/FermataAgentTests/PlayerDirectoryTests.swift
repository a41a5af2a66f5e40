// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FermataAgent
import FermataTestKit
import PlaybackLogic
import Testing

@Suite("The players on the bus")
struct PlayerDirectoryTests {
  @Test("a program that takes names by the hundred hides no other player")
  func manyNames() async throws {
    try await onLoop { @AgentLoop in
      let bus = try PrivateBus()
      func connect() async throws -> BusConnection {
        try await BusConnection.open(.address(bus.address), timeout: .patience)
      }
      let (greedy, player, asker) = (try await connect(), try await connect(), try await connect())
      for number in 0..<100 {
        let name = try #require(BusName("org.mpris.MediaPlayer2.aaa.i\(number)"))
        #expect(try await greedy.requestName(name))
      }
      #expect(try await player.requestName("org.mpris.MediaPlayer2.vlc"))
      let found = await PlayerDirectory.players(on: asker)
      #expect(found.contains { $0.busName == "org.mpris.MediaPlayer2.vlc" })
      #expect(found.count { $0.owner == greedy.uniqueName?.text } == 4)
    }
  }
}
