// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel
import CDBus

/// All properties of an interface at once, for an object that is asked often. One property's number changes all the time, such as a position. It is
/// kept apart from the others, so that an answer can be sent again with only this number changed.
package struct WholeProperties: Sendable {
  let edition: @AgentLoop () -> UInt64
  let entries: @AgentLoop () -> [DictionaryEntry]
  let movingName: MemberName
  let movingValue: @AgentLoop () -> Int64

  /// `name` is the property that changes all the time, and `value` returns its number. `entries` returns all other properties as `a{sv}`
  /// holds them. `edition` must return another number whenever one of the entries has changed. All types must be the described ones.
  package init(
    moving name: MemberName, value: @escaping @AgentLoop () -> Int64,
    edition: @escaping @AgentLoop () -> UInt64,
    entries: @escaping @AgentLoop () -> [DictionaryEntry]
  ) {
    movingName = name
    movingValue = value
    self.edition = edition
    self.entries = entries
  }

  @AgentLoop var all: [DictionaryEntry] {
    [DictionaryEntry(.string(movingName.text), .variant(.int64(movingValue())))] + entries()
  }
}

/// Answers `GetAll` for one interface. It keeps the last answer it wrote and sends that again until the edition
/// changes. Only the loop's thread may use it, after `init`.
@AgentLoop
final class WholeWriter {
  private let whole: WholeProperties
  private var edition: UInt64?
  private var template: ReplyTemplate?
  /// Whether reading back an answer has shown that the number that changes all the time is where it was written.
  private var isProven = false

  nonisolated init(_ whole: WholeProperties) { self.whole = whole }

  /// Sends the kept answer, or writes and keeps a new one, and returns true. Returns false if it is not certain where in it the number is that
  /// changes all the time; the usual handler then has to answer.
  func answer(_ address: ReplyAddress, on connection: BusConnection) throws(BusError) -> Bool {
    let current = whole.edition()
    if edition != current {
      edition = current
      template = ReplyTemplate.write(moving: whole.movingName, rest: whole.entries(), isProven: isProven)
      isProven = template != nil
    }
    guard template != nil else { return false }
    try template?.send(whole.movingValue(), to: address, on: connection)
    return true
  }
}

/// An answer of one `a{sv}` that is written once and copied for each caller, because a copy costs a fraction of writing it again. The value of its first
/// entry is a number that changes all the time, such as a position, and is set in each copy.
///
/// The number is written straight into the copy's bytes, at an offset that is computed from the wire format. For each name that a first entry has, the
/// offset is checked once, before its first use, by reading a copy back.
@AgentLoop
@safe
struct ReplyTemplate: ~Copyable {
  private let message: BusMessage
  private let offset: Int

  /// The number that the check of the offset writes and reads back. No two of its bytes are alike.
  private static let sample: Int64 = 0x0102_0304_0506_0708

  /// Writes the answer: the number called `name`, which changes all the time, and then the entries `rest`. Returns nil if they cannot be sent, or if
  /// the check of the offset fails. `isProven` skips that check, for a name whose offset was checked before.
  static func write(moving name: MemberName, rest: [DictionaryEntry], isProven: Bool) -> ReplyTemplate? {
    let values = values(name, 0, rest)
    guard (try? MessageWriter.check(values, limit: WireBudget.standardLimit)) != nil else { return nil }
    let template = ReplyTemplate(values, offset: offset(name.text.utf8.count))
    guard isProven || template.isRight(name, rest) else { return nil }
    return template
  }

  private init(_ values: [WireValue], offset: Int) {
    message = BusMessage.reply(to: ReplyAddress(serial: 1, caller: nil, isWanted: true))
    MessageWriter.append(values, to: message)
    self.offset = offset
  }

  /// Sends a copy of the answer with the number as it is now.
  func send(_ number: Int64, to address: ReplyAddress, on connection: BusConnection) throws(BusError) {
    try connection.send(copy(number, to: address))
  }

  private func copy(_ number: Int64, to address: ReplyAddress) -> BusMessage {
    let copy = message.copied(to: address)
    set(number, in: copy)
    return copy
  }

  private func isRight(_ name: MemberName, _ rest: [DictionaryEntry]) -> Bool {
    let copy = copy(Self.sample, to: ReplyAddress(serial: 1, caller: nil, isWanted: true))
    let found = try? MessageReader.arguments(of: copy, limit: WireBudget.standardLimit)
    return found == Self.values(name, Self.sample, rest)
  }

  private static func values(_ name: MemberName, _ number: Int64, _ rest: [DictionaryEntry]) -> [WireValue] {
    [.dictionary(.string, .variant, [DictionaryEntry(.string(name.text), .variant(.int64(number)))] + rest)]
  }

  /// The distance in bytes from the beginning of the first key to its number. Before the key are 12 bytes: the length
  /// of the array, padded to 8 bytes, and the length of the key. After the key come a NUL, the 3 bytes of the variant's
  /// type, and padding to a multiple of 8.
  private static func offset(_ length: Int) -> Int { ((12 + length + 1 + 3) + 7) / 8 * 8 - 12 }

  private func set(_ number: Int64, in message: borrowing BusMessage) {
    var (outer, array, entry) = unsafe (DBusMessageIter(), DBusMessageIter(), DBusMessageIter())
    unsafe dbus_message_iter_init(message.raw, &outer)
    unsafe dbus_message_iter_recurse(&outer, &array)
    unsafe dbus_message_iter_recurse(&array, &entry)
    var key: UnsafePointer<CChar>?
    unsafe dbus_message_iter_get_basic(&entry, &key)
    guard let key = unsafe key else { return }
    // libdbus returns a pointer to the key inside the message. The message is ours
    // alone and was not sent yet, so it may be changed there.
    unsafe UnsafeMutableRawPointer(mutating: key).storeBytes(of: number, toByteOffset: offset, as: Int64.self)
  }
}
