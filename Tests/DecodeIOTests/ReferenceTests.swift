// SPDX-License-Identifier: MIT
import DecodeIO
import Testing

@Suite("Decoded samples")
struct ReferenceTests {
  @Test("equal those of the format's reference decoder", arguments: Corpus.recipes)
  func equalsReference(recipe: Corpus.Recipe) throws {
    let corpus = Corpus()
    let path = try corpus.make(recipe)
    let decoder = try Decoders.open(path: path)
    let decoded = try decoder.rest()
    let reference = try corpus.reference(recipe, of: path)
    #expect(decoded.rate == reference.rate)
    #expect(decoded.channels == reference.channels)
    #expect(decoded.frames == reference.frames)
    let step: Float = 1 / 32_768
    // The reference clips what it writes in 16 bits.
    let clipped = recipe.tolerance == 0 ? decoded.samples : decoded.samples.map { min(1 - step, max(-1, $0)) }
    // Rounding to whole steps takes up half of one.
    let allowed = recipe.tolerance == 0 ? 0 : (recipe.tolerance + 0.5) * step
    #expect(difference(clipped, reference.samples) <= allowed)
  }
}
