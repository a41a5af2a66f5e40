// SPDX-License-Identifier: MIT
internal import Glibc

/// This machine's name.
package enum HostName {
  /// The name that the kernel has; nil if it has none. `file:` URIs that terminals and `ls --hyperlink` write contain it.
  package static var own: String? {
    // The longest name that Linux allows, with the NUL that ends it.
    var name = [CChar](repeating: 0, count: 65)
    guard unsafe gethostname(&name, name.count) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }
}
