// SPDX-License-Identifier: MIT
import BusModel
import CDBus

/// Writes values into a message. They must have passed `check`, so that only an allocation can fail.
@safe
struct MessageWriter {
  private static let array = Int32(UInt8(ascii: "a"))
  private static let entry = Int32(UInt8(ascii: "e"))
  private static let structure = Int32(UInt8(ascii: "r"))
  private static let variant = Int32(UInt8(ascii: "v"))

  private var iterator = unsafe DBusMessageIter()

  /// Throws unless all of the values can be sent in one message and cost no more than `limit` bytes.
  static func check(_ values: [WireValue], limit: Int) throws(WireError) {
    let types = values.map(\.type)
    try WireType.check(types)
    var budget = WireBudget(limit: limit)
    for (value, type) in zip(values, types) { try value.check(as: type, budget: &budget) }
  }

  /// Appends values that `check` has passed.
  static func append(_ values: [WireValue], to message: borrowing BusMessage) {
    guard !values.isEmpty else { return }
    var writer = MessageWriter()
    unsafe dbus_message_iter_init_append(message.raw, &writer.iterator)
    for value in values { writer.append(value) }
  }

  private mutating func append(_ value: WireValue) {
    switch value {
    case .byte(let number): append(number, .byte)
    case .boolean(let flag): append((flag ? 1 : 0) as UInt32, .boolean)
    case .int16(let number): append(number, .int16)
    case .uint16(let number): append(number, .uint16)
    case .int32(let number): append(number, .int32)
    case .uint32(let number): append(number, .uint32)
    case .int64(let number): append(number, .int64)
    case .uint64(let number): append(number, .uint64)
    case .double(let number): append(number.bitPattern, .double)
    case .string(let text): append(text, .string)
    case .objectPath(let path): append(path.text, .objectPath)
    case .signature(let signature): append(signature.text, .signature)
    case .array, .dictionary, .structure, .variant: appendContainer(value)
    }
  }

  private mutating func appendContainer(_ value: WireValue) {
    switch value {
    case .array(let element, let values):
      within(Self.array, element.description) { writer in for value in values { writer.append(value) } }
    case .dictionary(let key, let type, let entries):
      within(Self.array, Self.entryText(key, type)) { writer in for entry in entries { writer.append(entry) }
      }
    case .structure(let fields):
      within(Self.structure, nil) { writer in for field in fields { writer.append(field) } }
    case .variant(let inner): within(Self.variant, inner.type.description) { $0.append(inner) }
    default: preconditionFailure("\(value) is no container")
    }
  }

  /// The signature of a dictionary's entry: the dictionary's own without the leading "a".
  private static func entryText(_ key: BasicType, _ value: WireType) -> String {
    if key == .string, value == .variant { return "{sv}" }
    return String(WireType.dictionary(key, value).description.dropFirst())
  }

  private mutating func append(_ entry: DictionaryEntry) {
    within(Self.entry, nil) { writer in
      writer.append(entry.key)
      writer.append(entry.value)
    }
  }

  private mutating func within(_ type: Int32, _ contents: String?, _ body: (inout MessageWriter) -> Void) {
    var inner = MessageWriter()
    done(unsafe dbus_message_iter_open_container(&iterator, type, contents, &inner.iterator))
    body(&inner)
    done(unsafe dbus_message_iter_close_container(&iterator, &inner.iterator))
  }

  private mutating func append(_ number: some FixedWidthInteger, _ type: BasicType) {
    var number = number
    done(unsafe dbus_message_iter_append_basic(&iterator, Int32(type.rawValue), &number))
  }

  private mutating func append(_ text: String, _ type: BasicType) {
    unsafe text.withCString { start in
      var start: UnsafePointer<CChar>? = unsafe start
      done(unsafe dbus_message_iter_append_basic(&iterator, Int32(type.rawValue), &start))
    }
  }

  private func done(_ isDone: dbus_bool_t) { precondition(isDone != 0, "no memory for a message") }
}
