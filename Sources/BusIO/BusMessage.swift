// SPDX-License-Identifier: MIT
package import BusModel
import CDBus
import Glibc

/// One reference to a libdbus message, released when this value ends.
///
/// Outgoing messages are built only from names and values that were checked. A failed allocation traps, as everywhere in Swift.
@safe
struct BusMessage: ~Copyable {
  /// The pointer that libdbus's functions take. It is valid as long as this value exists.
  let raw: OpaquePointer

  /// Takes over a reference that libdbus returned.
  init(adopting raw: OpaquePointer) { unsafe self.raw = raw }

  deinit { unsafe dbus_message_unref(raw) }

  private init(type: Int32) {
    guard let raw = unsafe dbus_message_new(type) else { preconditionFailure("no memory for a message") }
    unsafe self.raw = raw
  }

  /// A call, without arguments yet. With `mayStart`, the bus starts the program that has the name, if it knows how.
  static func call(_ target: BusTarget, expectsReply: Bool = true, mayStart: Bool = true) -> BusMessage {
    let message = BusMessage(type: DBUS_MESSAGE_TYPE_METHOD_CALL)
    message.set(unsafe dbus_message_set_destination(message.raw, target.destination.text))
    message.set(unsafe dbus_message_set_path(message.raw, target.path.text))
    message.set(unsafe dbus_message_set_interface(message.raw, target.interface.text))
    message.set(unsafe dbus_message_set_member(message.raw, target.member.text))
    unsafe dbus_message_set_no_reply(message.raw, expectsReply ? 0 : 1)
    unsafe dbus_message_set_auto_start(message.raw, mayStart ? 1 : 0)
    return message
  }

  /// A signal, without arguments yet, to everybody who wants it or to one connection.
  static func signal(_ signal: BusSignal, to destination: BusName? = nil) -> BusMessage {
    let message = BusMessage(type: DBUS_MESSAGE_TYPE_SIGNAL)
    message.set(unsafe dbus_message_set_path(message.raw, signal.path.text))
    message.set(unsafe dbus_message_set_interface(message.raw, signal.interface.text))
    message.set(unsafe dbus_message_set_member(message.raw, signal.member.text))
    if let destination { message.set(unsafe dbus_message_set_destination(message.raw, destination.text)) }
    return message
  }

  /// The answer to a call, without arguments yet.
  static func reply(to address: ReplyAddress) -> BusMessage {
    BusMessage(type: DBUS_MESSAGE_TYPE_METHOD_RETURN, to: address)
  }

  /// A copy of this answer for another call.
  func copied(to address: ReplyAddress) -> BusMessage {
    guard let copy = unsafe dbus_message_copy(raw) else { preconditionFailure("no memory for a message") }
    let message = unsafe BusMessage(adopting: copy)
    message.direct(to: address)
    return message
  }

  /// The most lines of an error's text, which may name many files, and the most characters of each.
  private static let (mostErrorLines, longestErrorLine) = (64, 1_024)

  /// The answer to a call that failed. The text is cut at a NUL, which the format cannot hold.
  static func error(_ error: BusError, to address: ReplyAddress) -> BusMessage {
    let message = BusMessage(type: DBUS_MESSAGE_TYPE_ERROR, to: address)
    message.set(unsafe dbus_message_set_error_name(message.raw, error.name.text))
    let lines = error.message.unicodeScalars.prefix { $0 != "\0" }
      .split(separator: "\n", maxSplits: Self.mostErrorLines, omittingEmptySubsequences: false)
      .prefix(Self.mostErrorLines).map { String($0.prefix(Self.longestErrorLine)) }
    MessageWriter.append([.string(lines.joined(separator: "\n"))], to: message)
    return message
  }

  private init(type: Int32, to address: ReplyAddress) {
    self.init(type: type)
    direct(to: address)
    unsafe dbus_message_set_no_reply(raw, 1)
  }

  private func direct(to address: ReplyAddress) {
    set(unsafe dbus_message_set_reply_serial(raw, address.serial))
    if let caller = address.caller { set(unsafe dbus_message_set_destination(raw, caller.text)) }
  }

  private func set(_ isDone: dbus_bool_t) { precondition(isDone != 0, "no memory for a message") }
}

/// The header of a message. libdbus has checked it on arrival: names follow their grammars, texts are UTF-8.
extension BusMessage {
  /// The kinds of messages. A kind that the protocol adds later reads as nil and is ignored, as the specification demands.
  enum Kind {
    case call, reply, error, signal
  }

  var kind: Kind? {
    switch unsafe dbus_message_get_type(raw) {
    case DBUS_MESSAGE_TYPE_METHOD_CALL: .call
    case DBUS_MESSAGE_TYPE_METHOD_RETURN: .reply
    case DBUS_MESSAGE_TYPE_ERROR: .error
    case DBUS_MESSAGE_TYPE_SIGNAL: .signal
    default: nil
    }
  }

  var serial: UInt32 { unsafe dbus_message_get_serial(raw) }
  var replySerial: UInt32 { unsafe dbus_message_get_reply_serial(raw) }
  var expectsReply: Bool { unsafe dbus_message_get_no_reply(raw) == 0 }

  /// The name by which the message was addressed; nil if it was to nobody in particular.
  var destination: BusName? { unsafe Self.name(dbus_message_get_destination(raw)) }
  var sender: BusName? { unsafe Self.name(dbus_message_get_sender(raw)) }
  var path: ObjectPath? { unsafe Self.name(dbus_message_get_path(raw)) }
  var interface: InterfaceName? { unsafe Self.name(dbus_message_get_interface(raw)) }
  var member: MemberName? { unsafe Self.name(dbus_message_get_member(raw)) }
  var errorName: InterfaceName? { unsafe Self.name(dbus_message_get_error_name(raw)) }

  /// The types of the arguments, as text.
  var signatureText: String {
    guard let text = unsafe dbus_message_get_signature(raw) else { return "" }
    return unsafe String(cString: text)
  }

  /// Whether this is libdbus's own notice that the connection has ended. No program on the bus can send it: libdbus rejects it when it comes from
  /// outside.
  var saysDisconnected: Bool {
    unsafe dbus_message_is_signal(raw, DBUS_INTERFACE_LOCAL, "Disconnected") != 0
  }

  /// The signal's header, without its arguments.
  var signalHeader: BusSignal? {
    guard let path, let interface, let member else { return nil }
    return BusSignal(sender: sender, path: path, interface: interface, member: member)
  }

  private static func name<Name: WireName>(_ text: UnsafePointer<CChar>?) -> Name? {
    guard let text = unsafe text else { return nil }
    return unsafe Name(unchecked: String(cString: text))
  }
}

/// The address of a call: a connection, its object, and a method of one of the object's interfaces.
package struct BusTarget: Sendable, Hashable {
  /// The connection that is to answer, by its unique or a well-known name.
  package var destination: BusName
  package var path: ObjectPath
  package var interface: InterfaceName
  package var member: MemberName

  package init(_ destination: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
  }

  /// A method of the bus itself.
  static func bus(_ member: MemberName) -> BusTarget {
    BusTarget(.bus, "/org/freedesktop/DBus", "org.freedesktop.DBus", member)
  }
}

/// Where an answer goes. It is kept instead of the call's message, whose memory counts against `BusLimits.receivedBytes`.
struct ReplyAddress {
  /// The call's serial number, given by its sender.
  let serial: UInt32
  /// The unique name of the caller; nil if the bus has not filled it in.
  let caller: BusName?
  /// Whether the caller waits for an answer.
  let isWanted: Bool
}

extension ReplyAddress {
  init(_ message: borrowing BusMessage) {
    self.init(serial: message.serial, caller: message.sender, isWanted: message.expectsReply)
  }
}

extension BusMessage {
  /// The open file that is the message's first argument; nil if libdbus could not duplicate it. Each read gives another duplicate, which
  /// is ours to close. The caller has checked that the signature is `h`.
  var descriptor: BusDescriptor? {
    var iterator = unsafe DBusMessageIter()
    guard unsafe dbus_message_iter_init(raw, &iterator) != 0 else { return nil }
    var number: Int32 = -1
    unsafe dbus_message_iter_get_basic(&iterator, &number)
    return number >= 0 ? BusDescriptor(adopting: number) : nil
  }
}

/// An open file that came with a message. It is closed when the last reference to this object goes.
///
/// It is only held and never read: logind, for example, delays the machine's sleep as long as such a file is open.
package final class BusDescriptor: Sendable {
  private let number: Int32

  /// Takes over an open file.
  init(adopting number: Int32) { self.number = number }

  deinit { Glibc.close(number) }
}
