// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel
import CDBus

extension BusConnection {
  /// Calls a method that answers with one open file and nothing else. Throws as `call` does, and if the answer is
  /// anything else. Unlike `call`, it goes on waiting when the task is cancelled.
  ///
  /// `WireValue` has no case for descriptors, because one that nobody takes over
  /// would leak. So a caller that expects one has to use this method.
  package func callForDescriptor(
    _ target: BusTarget, _ arguments: [WireValue] = [], timeout: Duration = standardTimeout
  ) async throws(BusError) -> BusDescriptor {
    let message = BusMessage.call(target)
    try append(arguments, to: message)
    let serial = try send(message)
    let result: Result<BusDescriptor, BusError> = await unsafe withUnsafeContinuation { continuation in
      wait(
        for: serial, of: target, timeout,
        take: { message in unsafe continuation.resume(returning: self.descriptor(of: message)) },
        fail: { unsafe continuation.resume(returning: .failure($0)) })
    }
    return try result.get()
  }

  private func descriptor(of message: borrowing BusMessage) -> Result<BusDescriptor, BusError> {
    if message.errorName != nil, case .failure(let error) = result(of: message) { return .failure(error) }
    guard message.signatureText == "h", let descriptor = message.descriptor else {
      return .failure(.invalidArguments("the answer is '\(message.signatureText)' and not an open file"))
    }
    return .success(descriptor)
  }
}

extension BusMessage {
  /// The open file that is the message's first argument. libdbus returns a duplicate, which is ours to close.
  fileprivate var descriptor: BusDescriptor? {
    var iterator = unsafe DBusMessageIter()
    guard unsafe dbus_message_iter_init(raw, &iterator) != 0 else { return nil }
    var number: Int32 = -1
    unsafe dbus_message_iter_get_basic(&iterator, &number)
    return number >= 0 ? BusDescriptor(adopting: number) : nil
  }
}
