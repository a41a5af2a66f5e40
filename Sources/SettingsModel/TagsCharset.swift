// SPDX-License-Identifier: MIT

/// The character set that is assumed for ID3 texts that claim to be Latin-1. The raw value is the C library's name
/// for it.
package enum TagsCharset: String, CaseIterable, Sendable {
  case latin1 = "iso-8859-1"
  case latin2 = "iso-8859-2"
  case greek = "iso-8859-7"
  case latin5 = "iso-8859-9"
  case windows1250 = "windows-1250"
  case windows1251 = "windows-1251"
  case windows1252 = "windows-1252"
  case windows1253 = "windows-1253"
  case windows1254 = "windows-1254"
  case windows1255 = "windows-1255"
  case windows1256 = "windows-1256"
  case windows1257 = "windows-1257"
  case windows1258 = "windows-1258"
  case koi8r = "koi8-r"
  case koi8u = "koi8-u"
  case thai = "tis-620"
  case gbk
  case gb18030
  case big5
  case shiftJIS = "shift_jis"
  case eucJP = "euc-jp"
  case eucKR = "euc-kr"
  case utf8 = "utf-8"

  /// The character set to convert from; nil if the texts are taken as the Latin-1 that they claim to be.
  package var converted: String? { self == .latin1 ? nil : rawValue }
}
