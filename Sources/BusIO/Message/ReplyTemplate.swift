// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import CDBus

/// An answer of one `a{sv}` that is written once and sent often: a copy costs a fraction of writing it anew. The one number in it
/// that moves by itself is set in each copy.
///
/// It is set in the copy's bytes, at the place that the format gives it. That this is the place is proven by reading a copy.
@AgentLoop
@safe
struct ReplyTemplate: ~Copyable {
  private let message: BusMessage
  private let offset: Int

  /// What a number is proven with: no two bytes of it are alike.
  private static let sample: Int64 = 0x0102_0304_0506_0708

  /// Writes it. Nil where the entries cannot travel, and where the number would not be found, unless that is proven already.
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

  /// Sends a copy with the number as it is now.
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

  /// How far behind the beginning of the first key its number stands. Before the key are the length of the array, which is filled up
  /// to eight bytes, and that of the key: twelve. Behind it are its end, and the type of the variant in three bytes.
  private static func offset(_ length: Int) -> Int { ((12 + length + 1 + 3) + 7) / 8 * 8 - 12 }

  private func set(_ number: Int64, in message: borrowing BusMessage) {
    var (outer, array, entry) = unsafe (DBusMessageIter(), DBusMessageIter(), DBusMessageIter())
    unsafe dbus_message_iter_init(message.raw, &outer)
    unsafe dbus_message_iter_recurse(&outer, &array)
    unsafe dbus_message_iter_recurse(&array, &entry)
    var key: UnsafePointer<CChar>?
    unsafe dbus_message_iter_get_basic(&entry, &key)
    guard let key = unsafe key else { return }
    // The key is not copied: it stands in the message, which is ours alone and was not sent yet.
    unsafe UnsafeMutableRawPointer(mutating: key).storeBytes(of: number, toByteOffset: offset, as: Int64.self)
  }
}
