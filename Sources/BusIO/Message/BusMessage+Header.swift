// SPDX-License-Identifier: MIT
import BusModel
import CDBus

/// The header of a message. libdbus has checked it on arrival: names follow their grammars, texts are UTF-8.
extension BusMessage {
  /// What a message is for. A kind that the protocol adds later reads as nil and is ignored, as the specification demands.
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

  /// Whether this is the message that libdbus itself puts behind the last one when a connection has ended. libdbus
  /// rejects such messages from outside.
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
