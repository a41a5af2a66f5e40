// SPDX-License-Identifier: MIT
import CPulse

/// Owns a property list of the protocol for the time of one call.
@safe
struct PropertyList: ~Copyable {
  let raw: OpaquePointer

  /// Keys are our own or the protocol's, so libpulse refuses none. It leaves out a value that is not valid text.
  init(_ properties: [String: String]) {
    unsafe raw = pa_proplist_new()
    for (key, value) in properties { unsafe pa_proplist_sets(raw, key, value) }
  }

  deinit { unsafe pa_proplist_free(raw) }
}

extension [String: String] {
  /// The text values of a property list from the server; values of raw bytes, such as icons, are left out.
  init(_ list: OpaquePointer?) {
    self.init()
    guard let list = unsafe list else { return }
    var state: UnsafeMutableRawPointer?
    while let key = unsafe pa_proplist_iterate(list, &state) {
      if let value = unsafe pa_proplist_gets(list, key) {
        unsafe self[String(cString: key)] = String(cString: value)
      }
    }
  }
}
