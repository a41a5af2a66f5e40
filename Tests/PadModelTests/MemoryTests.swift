// SPDX-License-Identifier: MIT
import Testing

@testable import PadModel

@Suite("What is remembered of pads")
struct MemoryTests {
  @Test("it is read as it was written")
  func same() {
    var memory = PadMemory()
    #expect(PadMemory(text: memory.text) == memory)
    memory.kit = "file:///srv/drums/50%25%20loud"
    memory.volume = 0.3
    memory.volumes = [2: 0.55, 128: 0]
    #expect(PadMemory(text: memory.text) == memory)
  }

  @Test(
    "what cannot be read counts as not written",
    arguments: [
      "", "\n\n", "kit\n", "kit a b\n", "volume 2\nvolume nan\nvolume -1\n",
      "pad 0 0.5\npad 129 0.5\npad x 1\n",
      "pad 3 loud\n", "\u{0}\u{1}", "volume 1e400\n",
    ])
  func rubbish(text: String) { #expect(PadMemory(text: text) == PadMemory()) }
}
