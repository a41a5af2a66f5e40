// SPDX-License-Identifier: MIT
import AudioModel
import BusModel
import Testing

@testable import FaceModel

@Suite("How a sound is coded, on the bus")
struct SoundCodingTests {
  @Test(
    "what was sent is what is read",
    arguments: [
      SoundCoding("FLAC", rate: 44_100, channels: 2, bits: 16),
      SoundCoding("MP3", rate: 48_000, channels: 1, bitRate: 320_000),
      SoundCoding("DSD", rate: 352_800, channels: 6),
    ])
  func roundTrip(coding: SoundCoding) { #expect(SoundCoding(wire: coding.wireValue) == coding) }

  @Test("numbers that no sound has are left out, and what is no coding is none")
  func strange() throws {
    for number in [Int.min, -1, 0, 65, .max] {
      let coding = try #require(
        SoundCoding(wire: SoundCoding("X", rate: 8_000, channels: 1, bits: number, bitRate: nil).wireValue))
      #expect(coding.bits == nil && coding.text == "X · 8 kHz · mono")
    }
    for number in [Int.min, -1, 0, 2_000_000_000, .max] {
      let wire = SoundCoding("X", rate: 8_000, channels: 1, bitRate: number).wireValue
      #expect(try #require(SoundCoding(wire: wire)).text == "X · 8 kHz · mono")
    }
    #expect(SoundCoding(wire: .properties([])) == nil && SoundCoding(wire: .string("FLAC")) == nil)
    #expect(SoundCoding(wire: SoundCoding("X", rate: 0, channels: 1).wireValue) == nil)
  }
}
