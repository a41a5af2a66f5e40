// SPDX-License-Identifier: MIT
package import AudioModel
package import BusModel

/// How a sound is coded, as our own interfaces show it: an `a{sv}` with the same keys as the command line's JSON.
extension SoundCoding {
  /// Reads a coding from a dictionary; nil if that does not name the codec, as the empty dictionary does not. Numbers that no sound has are left out.
  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let codec: String = fields("codec"),
      let rate: Int = fields("sampleRate"),
      let channels: Int = fields("channels"), rate > 0, channels > 0
    else { return nil }
    func number(_ name: String, atMost limit: Int) -> Int? {
      (fields(name) as Int?).flatMap { (1...limit).contains($0) ? $0 : nil }
    }
    self.init(
      codec, rate: rate, channels: channels, bits: number("bits", atMost: 64),
      bitRate: number("bitRate", atMost: 1_000_000_000))
  }

  package var wireValue: WireValue { fields.wireValue }

  var fields: Fields {
    var fields = Fields()
    fields.add("codec", codec)
    fields.add("sampleRate", rate)
    fields.add("channels", channels)
    fields.add("bits", bits)
    fields.add("bitRate", bitRate)
    return fields
  }
}
