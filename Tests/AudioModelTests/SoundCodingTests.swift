// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@Suite("How a sound is coded, in words")
struct SoundCodingTests {
  private static let texts: [(SoundCoding, String)] = [
    (SoundCoding("FLAC", rate: 44_100, channels: 2, bits: 16), "FLAC · 44.1 kHz · stereo · 16 bit"),
    (SoundCoding("MP3", rate: 48_000, channels: 1, bitRate: 320_000), "MP3 · 48 kHz · mono · 320 kb/s"),
    (SoundCoding("AAC", rate: 22_050, channels: 6), "AAC · 22.05 kHz · 6 channels"),
    (SoundCoding("DSD", rate: 352_800, channels: 2), "DSD · 352.8 kHz · stereo"),
    (SoundCoding("WAV", rate: 11_025, channels: 1, bits: 8), "WAV · 11.025 kHz · mono · 8 bit"),
    (SoundCoding("WAV", rate: 8_008, channels: 1, bits: 8), "WAV · 8.008 kHz · mono · 8 bit"),
  ]

  @Test("what is known stands in one line, and nothing stands for what is not", arguments: texts)
  func text(coding: SoundCoding, text: String) { #expect(coding.text == text) }

  @Test(
    "an average is rounded to thousands of bits, and one that makes no sense is none",
    arguments: [
      (319_951.2, 320_000), (96_499, 96_000), (400, nil), (-5, nil), (.nan, nil), (.infinity, nil),
      (1e300, nil),
    ] as [(Double, Int?)])
  func rounding(average: Double, bitRate: Int?) {
    #expect(SoundCoding("MP3", AudioFormat(rate: 44_100, channels: 2), bitRate: average).bitRate == bitRate)
  }
}
