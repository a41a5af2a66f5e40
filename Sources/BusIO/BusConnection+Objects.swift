// SPDX-License-Identifier: MIT
import AgentLoop
package import BusModel

extension BusConnection {
  /// Makes an object available to everybody on the bus. Its standard interfaces are added and answered here.
  ///
  /// Traps if a described method or property has no handler, or if there is an object at this path already: both are bugs.
  package func export(_ interfaces: [BusInterface], at path: ObjectPath) { objects.add(interfaces, at: path) }

  /// Takes an object away again.
  package func unexport(_ path: ObjectPath) { objects.remove(path) }

  /// Sends a signal to everybody who asked for it, or to one connection only.
  ///
  /// Throws when the connection has ended or the arguments cannot be sent.
  package func emit(_ signal: BusSignal, to destination: BusName? = nil) throws(BusError) {
    let message = BusMessage.signal(signal, to: destination)
    try append(signal.arguments, to: message)
    try send(message)
  }

  /// Emits `PropertiesChanged` for an object. `changed` are sent with their new values; `invalidated` are only named,
  /// and readers have to ask for their values.
  package func propertiesChanged(
    at path: ObjectPath, _ interface: InterfaceName, _ changed: [(MemberName, WireValue)],
    invalidated: [MemberName] = []
  ) throws(BusError) {
    let values = WireValue.properties(changed.map { ($0.text, $1) })
    try emit(
      BusSignal(
        path: path, interface: StandardInterfaces.properties.name, member: "PropertiesChanged",
        arguments: [.string(interface.text), values, invalidated.map(\.text).wireValue]))
  }

  // MARK: Answering

  /// Answers a call. Whatever the call holds, the worst result is an error reply.
  func answer(_ message: borrowing BusMessage) {
    let address = ReplyAddress(message)
    do {
      // A call without these is ignored; a bus always fills in the sender.
      guard let path = message.path, let member = message.member, let sender = address.caller else { return }
      let interface = message.interface
      let method = try objects.method(member, interface, at: path)
      guard message.signatureText == method.signature else { throw try mismatch(message, method) }
      let call = MethodCall(
        sender: sender, path: path, interface: method.interface, member: member,
        arguments: try arguments(of: message))
      if address.isWanted, try method.writer?(call, address, self) == true { return }
      take(try method.handler(call), of: method, address)
    } catch {
      reply(BusError(any: error), to: address)
    }
  }

  /// The error that says which argument is wrong. Throws instead if the arguments cannot be read, since that reason says more.
  private func mismatch(_ message: borrowing BusMessage, _ method: BusInterface.Method) throws(BusError)
    -> BusError
  {
    let values = try arguments(of: message)
    try values.check(as: method.description.inputs.map(\.type))
    return .invalidArguments("arguments of type \(method.signature) are expected")
  }

  private func take(_ reply: BusReply, of method: BusInterface.Method, _ address: ReplyAddress) {
    switch reply {
    case .now(let values): send(values, of: method, to: address)
    case .later(let body): start(body, of: method, address)
    }
  }

  private func start(_ body: @escaping BusReply.Body, of method: BusInterface.Method, _ address: ReplyAddress)
  {
    guard callsInProgress < limits.callsInProgress else {
      return reply(
        .limitsExceeded("\(callsInProgress) calls wait already; call again when some are answered"),
        to: address)
    }
    callsInProgress += 1
    AgentLoop.task { [weak self] in
      let result: Result<[WireValue], any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      guard let self else { return }
      callsInProgress -= 1
      switch result {
      case .success(let values): send(values, of: method, to: address)
      case .failure(let error): reply(BusError(any: error), to: address)
      }
    }
  }

  /// Sends what a handler returned. If its types are not the described ones, an error is sent instead.
  private func send(_ values: [WireValue], of method: BusInterface.Method, to address: ReplyAddress) {
    guard address.isWanted, isOpen else { return }
    do throws(BusError) {
      guard values.map(\.type) == method.outputs else {
        throw .failed("\(method.interface).\(method.description.name) gave back (\(values.signatureText))")
      }
      let message = BusMessage.reply(to: address)
      try append(values, to: message)
      try send(message)
    } catch {
      reply(error, to: address)
    }
  }

  private func reply(_ error: BusError, to address: ReplyAddress) {
    guard address.isWanted else { return }
    // This throws only if the connection has ended, and then there is nobody to report to.
    _ = try? send(BusMessage.error(error, to: address))
  }
}

/// Where an answer goes. It is kept instead of the call's message, whose memory counts against `BusLimits.receivedBytes`.
struct ReplyAddress {
  /// The call's serial number, given by its sender.
  let serial: UInt32
  /// Who called.
  let caller: BusName?
  /// Whether the caller waits for an answer.
  let isWanted: Bool
}

extension ReplyAddress {
  /// Where the answer to a call goes.
  init(_ message: borrowing BusMessage) {
    self.init(serial: message.serial, caller: message.sender, isWanted: message.expectsReply)
  }
}
