// SPDX-License-Identifier: MIT
import Testing

@testable import PadModel

@Suite("A kit's text")
struct KitTests {
  private func read(_ text: String) throws -> Kit { try KitText.read(text, folderName: "folder") }

  @Test("what an editor of Windows writes is read", arguments: ["name = A", "# my kit", ""])
  func byteOrderMark(first: String) throws {
    let kit = try KitText.read("\u{FEFF}\(first)\r\n[pad]\r\nsample = a.wav\r\n", folderName: "A")
    #expect(kit.name == "A" && kit.pads.count == 1)
  }

  @Test("a whole kit is read")
  func whole() throws {
    let kit = try read(
      """
      # my drums
      name = Garage  # loud

      [pad]
      name = Open hat
      sample = hats/open.wav
      colour = Yellow
      volume = 80%
      polyphony = 4
      choke = hat
      [pad]
      sample=hats/closed.hat.flac
      choke=hat
      volume = 5
      """)
    #expect(kit.name == "Garage")
    #expect(
      kit.pads == [
        Pad(
          name: "Open hat", sample: "hats/open.wav", sampleLine: 6, colour: PadColour("yellow"), volume: 0.8,
          polyphony: 4, choke: "hat"),
        Pad(name: "closed", sample: "hats/closed.hat.flac", sampleLine: 12, volume: 0.05, choke: "hat"),
      ])
  }

  @Test("a kit without a name has its folder's, and a pad is struck anew unless it says otherwise")
  func presets() throws {
    let kit = try read("[pad]\nsample = a.wav\n")
    #expect(kit.name == "folder")
    #expect(kit.pads == [Pad(name: "a", sample: "a.wav", sampleLine: 2, volume: 1, polyphony: 1)])
  }

  @Test(
    "a mistake is told with its line",
    arguments: [
      ("", 1, "there is no pad"),
      ("name = A\n\n", 3, "there is no pad"),
      ("name = A\nname = B\n[pad]\nsample=a", 2, "keep one"),
      ("drums\n", 1, "'drums' is no 'name = value'"),
      ("[pad]\n= 3", 2, "is no 'name = value'"),
      ("sample = a.wav", 1, "below a line [pad]"),
      ("nmae = A", 1, "did you mean 'name'?"),
      ("[pads]", 1, "the only one is [pad]"),
      ("[pad]\nname = A\n[pad]\nsample = a", 1, "no sample"),
      ("[pad]\nsample = a\nsample = b", 3, "line 2 has"),
      ("[pad]\nsample = /etc/passwd", 2, "not in the kit's folder"),
      ("[pad]\nsample = a/../../b", 2, "not in the kit's folder"),
      ("[pad]\nsample = a\ncolour = #ff8800", 3, "without a #"),
      ("[pad]\nsample = C#3.wav", 2, "rename the file"), ("[pad]\nsample = #1.wav", 2, "rename the file"),
      ("name = Kick#2\n[pad]\nsample = a", 1, "begins a remark"),
      ("[pad]\nsample = a\nchoke = hat#1", 3, "begins a remark"),
      ("[pad]\nsample = a\ncolour = mauve", 3, "six hexadecimal digits"),
      ("[pad]\nsample = a\nvolume = 101%", 3, "from 0% to 100%"),
      ("[pad]\nsample = a\nvolume = -1", 3, "from 0% to 100%"),
      ("[pad]\nsample = a\nvolume = 99999999999999999999", 3, "from 0% to 100%"),
      ("[pad]\nsample = a\npolyphony = 0", 3, "from 1 to 64"),
      ("[pad]\nsample = a\npolyphony = 65", 3, "from 1 to 64"),
      ("[pad]\nsample = a\nvoulme = 3", 3, "did you mean 'volume'?"),
      ("[pad]\nsample = a\nname =", 3, "has no value"),
    ])
  func mistake(text: String, line: Int, part: String) {
    let error = #expect(throws: KitError.self) { try read(text) }
    #expect(error?.line == line && error?.kind == .mistake)
    #expect(error?.description.hasPrefix("kit.conf:\(line): ") == true)
    #expect(error.map { $0.reason.ranges(of: part).count } == 1, "\(error?.reason ?? "")")
  }

  @Test("a kit has 128 pads at most, and names that fit on a line")
  func limits() throws {
    let many = String(repeating: "[pad]\nsample = a\n", count: 128)
    #expect(try read(many).pads.count == 128)
    #expect(throws: KitError.self) { try read(many + "[pad]\nsample = a\n") }
    #expect(throws: KitError.self) { try read("name = \(String(repeating: "x", count: 81))") }
    #expect(throws: KitError.self) { try read("name = a\u{1b}[2J") }
  }

  @Test("no text makes it trap")
  func rubbish() {
    var random = SystemRandomNumberGenerator()
    let parts = [
      "[pad]", "=", "#", "\n", "\r\n", "sample", "name", "volume", "9", "%", "\u{0}", "é", " ", "/", "..",
      "colour",
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0..<40, using: &random)).map { _ in parts.randomElement(using: &random)!
      }
      .joined()
      _ = try? read(text)
    }
  }
}
