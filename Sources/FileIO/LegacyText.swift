// SPDX-License-Identifier: MIT
internal import Glibc
internal import MediaModel

/// Decodes texts of which nothing says in which character set they are: those that a tag calls Latin-1, and lists and CUE sheets that are not UTF-8.
/// Many of them are in that of the system on which they were written, which only the user knows; by default it is that of Windows in the West, which
/// reads Latin-1 too. Owns a converter of the C library; `deinit` closes it. Used by one thread.
@safe package final class LegacyText {
  private let converter: iconv_t?

  /// Decodes texts in a character set, by its name in the C library; in Windows-1252 if none is given or it isn't installed.
  package init(charset: String?) {
    // `iconv_open` returns -1 for a character set that it can't convert.
    let none = unsafe iconv_t(bitPattern: -1)
    let opened = unsafe charset.flatMap { unsafe iconv_open("UTF-8", $0) }
    unsafe converter = opened == none ? nil : opened
  }

  deinit {
    if let converter = unsafe converter { unsafe iconv_close(converter) }
  }

  /// The text of these bytes; bytes that have no meaning in the character set become question marks.
  package func text(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
    guard let converter = unsafe converter else { return TagText.windows1252(bytes) }
    return unsafe Self.converted(bytes, converter)
  }

  private static func converted(_ bytes: ArraySlice<UInt8>, _ converter: iconv_t) -> String {
    var bytes = bytes.map { CChar(bitPattern: $0) }
    // One byte becomes four bytes of UTF-8 at most.
    var out = [CChar](repeating: 0, count: bytes.count * 4)
    _ = unsafe iconv(converter, nil, nil, nil, nil)
    let written = unsafe bytes.withUnsafeMutableBufferPointer { input in
      unsafe out.withUnsafeMutableBufferPointer { output in
        var (from, left) = (input.baseAddress, input.count)
        var (to, room) = (output.baseAddress, output.count)
        while left > 0, unsafe iconv(converter, &from, &left, &to, &room) == -1 {
          guard room > 0, left > 0, let place = unsafe to, let bad = unsafe from else { break }
          unsafe place.pointee = CChar(UInt8(ascii: "?"))
          unsafe (to, room) = (place + 1, room - 1)
          unsafe (from, left) = (bad + 1, left - 1)
        }
        return output.count - room
      }
    }
    return String(decoding: out[..<written].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
