// SPDX-License-Identifier: MIT

extension Content {
  /// The error for content that no decoder recognised. Says what the file is where that can be told.
  func unknown(playable: [String]) -> DecodeError {
    let what = foreignName.map { "is \($0)" } ?? "is no sound that can be recognised"
    return error(.unknownContent, "\(what); fermata plays \(playable.joined(separator: ", "))")
  }

  /// What content is that people take for music, though it can't be played here.
  private var foreignName: String? {
    if has("ftyp", at: 4) { return "MPEG-4 (AAC or ALAC)" }
    return Self.foreign.first { has($0.signature) }?.name
  }

  private static let foreign: [(signature: StaticString, name: String)] = [
    ("wvpk", "WavPack"), ("MAC ", "Monkey's Audio"), ("MPCK", "Musepack"), ("MP+", "Musepack"),
    ("TTA1", "True Audio"), ("ADIF", "AAC"), ("#!AMR", "AMR"), ("DSD ", "DSD"), ("FRM8", "DSD"),
    ("0&", "Windows Media"), ("MThd", "MIDI, notes without sound"),
    ("OggS", "an Ogg stream of another codec"),
    ("#EXTM3U", "a playlist"), ("[playlist]", "a playlist"), ("<?xml", "XML"), ("PK", "a ZIP archive"),
    ("%PDF", "a PDF document"),
  ]
}
