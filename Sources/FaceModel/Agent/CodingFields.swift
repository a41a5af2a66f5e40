// SPDX-License-Identifier: MIT
package import AudioModel
package import BusModel

/// How a sound is coded, as our own interfaces show it: an `a{sv}` with the same keys as the command line's JSON.
extension SoundCoding {
  /// Reads a coding from a dictionary; nil if that does not say which coding it is, as the empty dictionary does not.
  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let codec: String = fields("codec"),
      let rate: Int = fields("sampleRate"),
      let channels: Int = fields("channels"), rate > 0, channels > 0
    else { return nil }
    self.init(codec, rate: rate, channels: channels, bits: fields("bits"), bitRate: fields("bitRate"))
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
