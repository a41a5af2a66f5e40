// SPDX-License-Identifier: MIT

extension String {
  /// The text as a value in an expression that asks the library something: in quotes, and with a backslash before each quote and backslash in it.
  package var quotedForQuery: String {
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    // By scalars: a quote that a combining sign follows is another character, and yet ends the text.
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
