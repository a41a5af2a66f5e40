// SPDX-License-Identifier: MIT
import BusModel
import CDBus
import Glibc

/// Reads a message's arguments into values. libdbus has checked the bytes. The reader also limits the memory that the values take, and refuses types
/// that are not accepted here, such as file descriptors.
@safe
struct MessageReader {
  private var iterator = unsafe DBusMessageIter()
  private var budget: WireBudget

  /// All arguments of the message. Throws if they would take more than `limit` bytes of memory, or have a type that is not accepted.
  static func arguments(of message: borrowing BusMessage, limit: Int) throws(WireError) -> [WireValue] {
    try read(message, limit: limit).arguments
  }

  /// The same, and how many bytes of memory they take.
  static func read(
    _ message: borrowing BusMessage, limit: Int
  ) throws(WireError) -> (arguments: [WireValue], bytes: Int) {
    let types = try signature(message.signatureText).types
    guard !types.isEmpty else { return ([], 0) }
    var reader = MessageReader(message, limit: limit)
    return (try reader.values(types), reader.budget.spent)
  }

  private init(_ message: borrowing BusMessage, limit: Int) {
    budget = WireBudget(limit: limit)
    unsafe dbus_message_iter_init(message.raw, &iterator)
  }

  private static func signature(_ text: String) throws(WireError) -> Signature {
    do throws(SignatureError) {
      return try Signature(text)
    } catch .fileDescriptor {
      throw .fileDescriptor
    } catch {
      throw .badSignature(error)
    }
  }

  /// Reads one value for each type. libdbus has checked the message's bytes against these types, so none is missing.
  private mutating func values(_ types: [WireType]) throws(WireError) -> [WireValue] {
    var values: [WireValue] = []
    values.reserveCapacity(types.count)
    for type in types {
      values.append(try value(type))
      unsafe dbus_message_iter_next(&iterator)
    }
    return values
  }

  private mutating func value(_ type: WireType) throws(WireError) -> WireValue {
    if case .basic(let type) = type { return try basic(type) }
    try budget.pay()
    try budget.enter()
    let outer = unsafe iterator
    // Reading the contents moves `iterator` inside the container, so the outer one is restored afterwards.
    var place = unsafe iterator
    unsafe dbus_message_iter_recurse(&place, &iterator)
    let value = try contents(type)
    unsafe iterator = outer
    budget.leave()
    return value
  }

  private mutating func contents(_ type: WireType) throws(WireError) -> WireValue {
    switch type {
    case .array(let element): return .array(element, try elements(element))
    case .dictionary(let key, let value): return .dictionary(key, value, try entries(.basic(key), value))
    case .structure(let fields): return .structure(try values(fields))
    case .variant, .basic: return .variant(try value(heldType()))
    }
  }

  private var isAtEnd: Bool { mutating get { unsafe dbus_message_iter_get_arg_type(&iterator) == 0 } }

  private mutating func elements(_ type: WireType) throws(WireError) -> [WireValue] {
    var values: [WireValue] = []
    while !isAtEnd {
      values.append(try value(type))
      unsafe dbus_message_iter_next(&iterator)
    }
    return values
  }

  private mutating func entries(_ key: WireType, _ value: WireType) throws(WireError) -> [DictionaryEntry] {
    var entries: [DictionaryEntry] = []
    try budget.enter()
    while !isAtEnd {
      let outer = unsafe iterator
      var place = unsafe iterator
      unsafe dbus_message_iter_recurse(&place, &iterator)
      let pair = try values([key, value])
      entries.append(DictionaryEntry(pair[0], pair[1]))
      unsafe iterator = outer
      unsafe dbus_message_iter_next(&iterator)
    }
    budget.leave()
    return entries
  }

  /// The type of a variant's value. For a basic type this avoids asking libdbus for the signature, which it would allocate.
  private mutating func heldType() throws(WireError) -> WireType {
    if let code = UInt8(exactly: unsafe dbus_message_iter_get_arg_type(&iterator)),
      let basic = BasicType(rawValue: code)
    {
      return .basic(basic)
    }
    guard let text = unsafe dbus_message_iter_get_signature(&iterator) else {
      throw .unreadable("an empty variant")
    }
    defer { unsafe dbus_free(text) }
    try payForTypes(unsafe strlen(text))
    let types = try unsafe Self.signature(String(cString: text)).types
    guard let only = types.first, types.count == 1 else { throw .unreadable("a variant of several values") }
    return only
  }

  /// Pays for types that are written in so many letters. A letter may be an array's, whose type is an allocation of its own.
  private mutating func payForTypes(_ letters: Int) throws(WireError) { try budget.pay(letters * 32) }

  private mutating func basic(_ type: BasicType) throws(WireError) -> WireValue {
    switch type {
    case .string, .objectPath, .signature: return try text(type)
    default: try budget.pay()
    }
    return switch type {
    case .byte: .byte(number())
    case .boolean: .boolean(number() as UInt32 != 0)
    case .int16: .int16(number())
    case .uint16: .uint16(number())
    case .int32: .int32(number())
    case .uint32: .uint32(number())
    case .int64: .int64(number())
    case .uint64: .uint64(number())
    default: .double(Double(bitPattern: number()))
    }
  }

  /// Reads the current value, a number. The caller has chosen `Number` to fit its type, because libdbus writes as many bytes as that type has.
  private mutating func number<Number: FixedWidthInteger>() -> Number {
    var number: Number = 0
    unsafe dbus_message_iter_get_basic(&iterator, &number)
    return number
  }

  private mutating func text(_ type: BasicType) throws(WireError) -> WireValue {
    var start: UnsafePointer<CChar>?
    unsafe dbus_message_iter_get_basic(&iterator, &start)
    guard let start = unsafe start else { throw .unreadable("no text where one belongs") }
    let length = unsafe strlen(start)
    try budget.pay(length)
    if type == .signature { try payForTypes(length) }
    let text = unsafe String(cString: start)
    return switch type {
    case .string: .string(text)
    case .objectPath: .objectPath(ObjectPath(unchecked: text))
    default: .signature(try Self.signature(text))
    }
  }
}

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
