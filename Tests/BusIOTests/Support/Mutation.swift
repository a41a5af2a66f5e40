// SPDX-License-Identifier: MIT
import BusModel
import CDBus
import FermataTestKit

@testable import BusIO

/// Messages as bytes, right ones and wrong ones.
extension WireRandom {
  /// A message about the sample with random arguments, of any kind, as it stands on a socket.
  mutating func messageBytes(from sender: BusName? = nil) -> [UInt8] {
    let message = anyMessage()
    let arguments = (0..<below(4)).map { _ in value(of: type(depth: 3)) }
    if (try? MessageWriter.check(arguments, limit: 1 << 20)) != nil {
      MessageWriter.append(arguments, to: message)
    }
    if let sender { dbus_message_set_sender(message.raw, sender.text) }
    dbus_message_set_serial(message.raw, 1 + UInt32(below(9)))
    return message.bytes
  }

  private mutating func anyMessage() -> BusMessage {
    let interfaces = [Sample.name] + StandardInterfaces.all.map(\.name)
    let members: [MemberName] = [
      "Echo", "Number", "Get", "Set", "GetAll", "Introspect", "Happened", "NameOwnerChanged",
    ]
    let target = BusTarget(
      "org.fermata.Test", below(4) == 0 ? "/" : Sample.path, interfaces[below(4)],
      members[below(members.count)])
    let address = ReplyAddress(serial: 1 + UInt32(below(9)), caller: nil, isWanted: true)
    switch below(5) {
    case 0: return .signal(BusSignal(path: target.path, interface: target.interface, member: target.member))
    case 1: return .reply(to: address)
    case 2: return .error(.failed("sample"), to: address)
    default: return .call(target)
    }
  }

  /// The bytes with a few of them changed, left out, or doubled.
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0...below(2) {
      let index = below(bytes.count)
      switch below(24) {
      case 0: bytes.removeSubrange(index...)
      case 1: bytes.insert(bytes[index], at: index)
      case 2: bytes[index] = UInt8(below(256))
      case 3: bytes[index] = 0
      case 4: bytes[index] = 0xFF
      default: bytes[index] ^= 1 << UInt8(below(8))
      }
      if bytes.isEmpty { return [0] }
    }
    return bytes
  }
}

extension BusMessage {
  /// The message as it stands on a socket.
  var bytes: [UInt8] {
    var start: UnsafeMutablePointer<CChar>?
    var count: Int32 = 0
    precondition(dbus_message_marshal(raw, &start, &count) != 0, "no memory")
    defer { dbus_free(start) }
    return UnsafeBufferPointer(start: start, count: Int(count)).map { UInt8(bitPattern: $0) }
  }

  /// Adds what our writer cannot: a file descriptor, which libdbus doubles.
  func appendDescriptor(_ descriptor: Int32, inVariant isWrapped: Bool) {
    var (outer, inner, descriptor) = (DBusMessageIter(), DBusMessageIter(), descriptor)
    dbus_message_iter_init_append(raw, &outer)
    guard isWrapped else {
      dbus_message_iter_append_basic(&outer, Int32(UInt8(ascii: "h")), &descriptor)
      return
    }
    dbus_message_iter_open_container(&outer, Int32(UInt8(ascii: "v")), "h", &inner)
    dbus_message_iter_append_basic(&inner, Int32(UInt8(ascii: "h")), &descriptor)
    dbus_message_iter_close_container(&outer, &inner)
  }

  /// The message that these bytes are, if libdbus takes them.
  static func taken(_ bytes: [UInt8]) -> BusMessage? {
    let raw = bytes.withUnsafeBytes {
      dbus_message_demarshal($0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), nil)
    }
    return raw.map { BusMessage(adopting: $0) }
  }
}
