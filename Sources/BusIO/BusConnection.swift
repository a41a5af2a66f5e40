// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusModel

/// One connection to a bus, from the `Hello` call until somebody closes it or the bus is lost.
///
/// Only the loop's thread may use it. Once it is connected it never blocks the loop: every question to the bus is an ordinary
/// call with a time-out. When it ends, calls under way fail with `Disconnected` and subscriptions fall silent. It never connects
/// again by itself: its owner does that, with a new connection. Releasing the last reference closes it.
@AgentLoop
package final class BusConnection {
  /// How much other programs may send or ask before this connection refuses.
  package let limits: BusLimits
  /// The name that the bus gave this connection. It is always set once `open` has returned.
  package private(set) var uniqueName: BusName?
  /// Called once when the connection ends without `close`. Never called from within a call into the connection.
  package var onLoss: (@AgentLoop (BusLoss) -> Void)?
  /// Asked about each call before it is carried out: what has to be found out first, such as which program gives the order. While that is being found
  /// out, every call that comes later waits too, so that calls take effect in the order in which they came.
  package var preparation: (@AgentLoop (MethodCall) -> Preparation?)?

  /// Finds something out; returns when it is known, or can't be.
  package typealias Preparation = @AgentLoop () async -> Void

  private let link: BusLink
  private let objects = ObjectTree()
  private let signals = SignalListeners()
  private var pending: [UInt32: PendingCall] = [:]
  /// The calls that are held, and those that were begun and will be answered later.
  private var waitingCalls: WaitingCalls
  var callsInProgress: Int { waitingCalls.count }
  /// The calls that are not begun yet: one that is being prepared, and behind it those that came later.
  private var heldCalls: [HeldCall] = []
  private var isCongested = false

  private init(_ endpoint: BusEndpoint, limits: BusLimits) throws(BusError) {
    self.limits = limits
    waitingCalls = WaitingCalls(limits)
    link = try BusLink(address: endpoint.resolved(), limits: limits)
    link.receive = { [weak self] message in self?.receive(message) }
  }

  isolated deinit { end() }

  /// Connects and waits for the bus's greeting. Throws when nobody listens there, or doesn't greet within `timeout`.
  ///
  /// Blocks only while the system connects the socket, which takes no noticeable time on the same machine.
  package static func open(
    _ endpoint: BusEndpoint = .session, limits: BusLimits = BusLimits(), timeout: Duration = .seconds(5)
  ) async throws(BusError) -> BusConnection {
    let connection = try BusConnection(endpoint, limits: limits)
    try await connection.register(timeout)
    return connection
  }

  /// Opens several connections to a bus, as `open` does one. They introduce themselves to it at the same time.
  package static func open(
    count: Int, _ endpoint: BusEndpoint = .session, timeout: Duration = .seconds(5)
  ) async throws(BusError) -> [BusConnection] {
    var connections: [BusConnection] = []
    do throws(BusError) {
      for _ in 0..<count { connections.append(try BusConnection(endpoint, limits: BusLimits())) }
      for connection in connections { try await connection.register(timeout) }
      return connections
    } catch {
      for connection in connections { connection.close() }
      throw error
    }
  }

  private func register(_ timeout: Duration) async throws(BusError) {
    let name = try await call(.bus("Hello"), timeout: timeout).decoded(as: String.self)
    uniqueName = BusName(name)
  }

  /// Whether messages can still be sent. False from the moment when too many bytes wait to be sent, although the end follows later.
  package var isOpen: Bool { link.isOpen && !isCongested }

  /// How many calls wait for their answers.
  package var callsUnderWay: Int { pending.count }
  /// How many match rules the bus keeps for this connection: each says which signals it wants.
  package var rulesAtBus: Int { signals.rulesAtBus }

  /// Ends the connection: calls under way fail, subscriptions fall silent, `onLoss` is not called. Calling it again does nothing.
  package func close() { end() }

  private func end() {
    link.close()
    // Nothing can be found out any more, and what it holds may hold this connection.
    preparation = nil
    signals.removeAll()
    let calls = pending
    pending = [:]
    for call in calls.values {
      call.timer.cancel()
      call.fail(.disconnected)
    }
  }

  private func lose(_ loss: BusLoss) {
    guard link.isOpen else { return }
    end()
    onLoss?(loss)
  }

  // MARK: Messages

  private func receive(_ message: borrowing BusMessage) {
    switch message.kind {
    case .call: answer(message)
    case .reply, .error: finishCall(with: message)
    case .signal where message.saysDisconnected: lose(.disconnected)
    case .signal: signals.deliver(message) { () throws(BusError) in try arguments(of: message) }
    case nil: break
    }
  }

  /// Sends a message and returns its serial number. If too many bytes then wait to be sent, no further message is
  /// accepted and the connection ends as soon as the current turn of the loop is over.
  @discardableResult
  func send(_ message: borrowing BusMessage) throws(BusError) -> UInt32 {
    guard isOpen else { throw .disconnected }
    let serial = link.send(message)
    let waiting = link.outgoingBytes
    if waiting > limits.outgoingBytes {
      isCongested = true
      AgentLoop.after(.zero) { [weak self] in self?.lose(.congested(bytes: waiting)) }
    }
    return serial
  }

  /// Appends values to a message; throws if they cannot be sent.
  private func append(_ values: [WireValue], to message: borrowing BusMessage) throws(BusError) {
    do throws(WireError) {
      try MessageWriter.check(values, limit: limits.outgoingBytes)
    } catch {
      throw BusError(error)
    }
    MessageWriter.append(values, to: message)
  }

  /// Reads the values of a message; throws if they exceed `limits.valueBytes` or hold
  /// what is not accepted here, such as a file descriptor.
  private func arguments(of message: borrowing BusMessage) throws(BusError) -> [WireValue] {
    try read(message).arguments
  }

  /// The same, and how many bytes of memory they take.
  private func read(_ message: borrowing BusMessage) throws(BusError) -> (arguments: [WireValue], bytes: Int)
  {
    do throws(WireError) { return try MessageReader.read(message, limit: limits.valueBytes) } catch {
      throw BusError(error)
    }
  }
}

extension BusError {
  static let disconnected = BusError(.disconnected, "the connection to the bus has ended")

  /// The error with which a call is answered whose handler threw `error`.
  init(any error: any Error) {
    switch error {
    case let error as BusError: self = error
    case let error as WireError: self.init(error)
    default: self = .failed("\(error)")
    }
  }
}

/// A call that has come and was not begun yet.
private struct HeldCall {
  let call: MethodCall
  /// How many bytes of memory the call's arguments take.
  let bytes: Int
  let method: BusInterface.Method
  let address: ReplyAddress
}

/// A call that waits for its answer. Whoever removes it from `pending` calls `succeed` or `fail`, so exactly one of them is called,
/// once.
private struct PendingCall {
  let destination: BusName
  let timer: LoopTimer
  let succeed: (borrowing BusMessage) -> Void
  let fail: (BusError) -> Void
}

extension BusConnection {
  /// How long a call waits for its answer unless the caller says otherwise.
  package static let standardTimeout = Duration.seconds(25)

  /// Calls a method and waits for its answer.
  ///
  /// Throws the other side's error, `NoReply` after `timeout`, `Disconnected` when the connection ends, and `Cancelled` when the
  /// task is cancelled. In the last three cases the other side may still carry out the call; its answer is ignored. With `mayStart`, the bus starts
  /// the program that has the name, if it knows how. Without it, the call fails if that program does not run.
  package func call(
    _ target: BusTarget, _ arguments: [WireValue] = [], timeout: Duration = standardTimeout,
    mayStart: Bool = true
  ) async throws(BusError) -> [WireValue] {
    let message = BusMessage.call(target, mayStart: mayStart)
    try append(arguments, to: message)
    let answer = Promise<Result<[WireValue], BusError>>()
    let serial = wait(for: message, of: target, timeout) { answer.keep($0) }
    let result = await withTaskCancellationHandler {
      await answer.get()
    } onCancel: {
      // Any thread may cancel, so this goes to the loop as a task.
      AgentLoop.task {
        // There is no number if it could not be sent, and then the answer is there.
        if let serial { self.fail(serial, Self.cancellation(of: target)) }
      }
    }
    // On a busy machine the answer may have been read before the cancellation. A task that was cancelled gets one and the same error.
    if Task.isCancelled { throw Self.cancellation(of: target) }
    return try result.get()
  }

  private static func cancellation(of target: BusTarget) -> BusError {
    BusError(.cancelled, "nobody waits for \(target.member) any more")
  }

  /// Calls a method without asking for an answer. If it fails on the other side, nobody is told.
  func callWithoutReply(_ target: BusTarget, _ arguments: [WireValue] = []) throws(BusError) {
    let message = BusMessage.call(target, expectsReply: false)
    try append(arguments, to: message)
    try send(message)
  }

  /// Calls `handler` for each signal that matches the rule, in order of arrival, for as long as the subscription is
  /// kept. Returns when the bus has accepted the rule, or at once if another subscription has the same rule; throws when it refuses.
  ///
  /// If the rule's sender is a well-known name, signals match that come from whichever connection owns the name when they arrive. A
  /// signal larger than `limits` allows is left out.
  package func subscribe(
    _ rule: MatchRule, _ handler: @escaping @AgentLoop (BusSignal) -> Void
  ) async throws(BusError) -> BusSubscription {
    let (subscription, isNewToBus) = try signals.add(rule, handler, on: self)
    // If the bus refuses, this throws. The subscription is then released, and its deinit undoes what was done for it.
    if isNewToBus { _ = try await call(.bus("AddMatch"), .arguments(rule.text)) }
    return subscription
  }

  /// Calls a method. `finish` is called once, on the loop, before any later message is processed.
  func call(
    _ target: BusTarget, _ arguments: [WireValue], finish: @escaping (Result<[WireValue], BusError>) -> Void
  ) throws(BusError) {
    let message = BusMessage.call(target)
    try append(arguments, to: message)
    wait(for: message, of: target, Self.standardTimeout, finish: finish)
  }

  /// Sends a call and waits for its answer. Returns the number of the message; nil if it could not be sent, of which `finish` was told then.
  @discardableResult
  private func wait(
    for message: borrowing BusMessage, of target: BusTarget, _ timeout: Duration,
    finish: @escaping (Result<[WireValue], BusError>) -> Void
  ) -> UInt32? {
    wait(
      for: message, of: target, timeout,
      succeed: { [weak self] message in if let self { finish(self.result(of: message)) } },
      fail: { finish(.failure($0)) })
  }

  private func wait(
    for message: borrowing BusMessage, of target: BusTarget, _ timeout: Duration,
    succeed: @escaping (borrowing BusMessage) -> Void, fail: @escaping (BusError) -> Void
  ) -> UInt32? {
    let serial: UInt32
    do throws(BusError) { serial = try send(message) } catch {
      fail(error)
      return nil
    }
    let timer = AgentLoop.after(timeout) { [weak self] in
      let error = BusError(
        .noReply, "\(target.destination) did not answer \(target.member) within \(timeout)")
      self?.fail(serial, error)
    }
    pending[serial] = PendingCall(destination: target.destination, timer: timer, succeed: succeed, fail: fail)
    return serial
  }

  private func fail(_ serial: UInt32, _ error: BusError) {
    guard let call = pending.removeValue(forKey: serial) else { return }
    call.timer.cancel()
    call.fail(error)
  }

  /// Finishes the call that this message answers. Serial numbers can be guessed, so only the connection that was called, or the bus, may answer. If
  /// the call went to a well-known name this is not checked, because we don't know which connection has the name.
  private func finishCall(with message: borrowing BusMessage) {
    let serial = message.replySerial
    guard let call = pending[serial] else { return }
    let sender = message.sender
    let isKnown = call.destination.isUnique || call.destination == .bus
    guard !isKnown || sender == call.destination || sender == .bus else { return }
    pending[serial] = nil
    call.timer.cancel()
    call.succeed(message)
  }

  private func result(of message: borrowing BusMessage) -> Result<[WireValue], BusError> {
    do throws(BusError) {
      let values = try arguments(of: message)
      guard let name = message.errorName else { return .success(values) }
      guard case .string(let text)? = values.first else { return .failure(BusError(name, "")) }
      return .failure(BusError(name, text))
    } catch {
      return .failure(error)
    }
  }
}

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
    let answer = Promise<Result<BusDescriptor, BusError>>()
    _ = wait(
      for: message, of: target, timeout,
      succeed: { message in answer.keep(self.descriptor(of: message)) },
      fail: { answer.keep(.failure($0)) })
    return try await answer.get().get()
  }

  private func descriptor(of message: borrowing BusMessage) -> Result<BusDescriptor, BusError> {
    if message.errorName != nil, case .failure(let error) = result(of: message) { return .failure(error) }
    guard message.signatureText == "h", let descriptor = message.descriptor else {
      return .failure(.invalidArguments("the answer is '\(message.signatureText)' and not an open file"))
    }
    return .success(descriptor)
  }
}

extension BusConnection {
  package func export(_ interfaces: [BusInterface], at path: ObjectPath) {
    objects.add(interfaces, at: path)
  }

  package func emit(_ signal: BusSignal, to destination: BusName? = nil) throws(BusError) {
    let message = BusMessage.signal(signal, to: destination)
    try append(signal.arguments, to: message)
    try send(message)
  }

  // MARK: Answering

  /// Answers a call. Whatever the call holds, the worst result is an error reply.
  private func answer(_ message: borrowing BusMessage) {
    let address = ReplyAddress(message)
    do {
      // A call without these is ignored; a bus always fills in the sender.
      guard let path = message.path, let member = message.member, let sender = address.caller else { return }
      let interface = message.interface
      let method = try objects.method(member, interface, at: path)
      guard message.signatureText == method.signature else { throw try mismatch(message, method) }
      let (arguments, bytes) = try read(message)
      let call = MethodCall(
        sender: sender, path: path, interface: method.interface, member: member,
        arguments: arguments, isReplyWanted: address.isWanted)
      let coming = HeldCall(call: call, bytes: bytes, method: method, address: address)
      if try !hold(coming) { carryOut(coming) }
    } catch {
      reply(BusError(any: error), to: address)
    }
  }

  /// Keeps a call for later if it has to be prepared, or if an earlier one is being prepared. Returns whether it was kept.
  private func hold(_ coming: HeldCall) throws(BusError) -> Bool {
    let work = heldCalls.isEmpty ? preparation?(coming.call) : nil
    guard !heldCalls.isEmpty || work != nil else { return false }
    try waitingCalls.checkRoom(for: coming.call.sender, coming.bytes)
    waitingCalls.add(coming.call.sender, coming.bytes)
    heldCalls.append(coming)
    if let work { prepare(work) }
    return true
  }

  /// Finds out what the first held call needs; then carries it out, and those behind it up to the next that needs something.
  private func prepare(_ work: @escaping Preparation) {
    // This keeps the connection alive: what came as an order is carried out even if the connection is closed meanwhile.
    AgentLoop.task {
      await work()
      repeat {
        let next = self.heldCalls.removeFirst()
        self.waitingCalls.remove(next.call.sender, next.bytes)
        self.carryOut(next)
        if let next = self.heldCalls.first, let work = self.preparation?(next.call) {
          return self.prepare(work)
        }
      } while !self.heldCalls.isEmpty
    }
  }

  private func carryOut(_ coming: HeldCall) {
    let (call, method, address) = (coming.call, coming.method, coming.address)
    do {
      if address.isWanted, try method.writer?(call, address, self) == true { return }
      // Before anything is done of it: what was carried out and then refused would be asked for again.
      try waitingCalls.checkRoom(for: call.sender, coming.bytes)
      switch try method.handler(call) {
      case .now(let values): send(values, of: method, to: address)
      case .later(let body): start(body, of: coming)
      }
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

  private func start(_ body: @escaping BusReply.Body, of coming: HeldCall) {
    let (caller, bytes, method, address) = (
      coming.call.sender, coming.bytes, coming.method, coming.address
    )
    waitingCalls.add(caller, bytes)
    AgentLoop.task { [weak self] in
      let result: Result<[WireValue], any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      guard let self else { return }
      waitingCalls.remove(caller, bytes)
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
      let message = BusMessage.reply(to: address)
      try append(method.checked(values), to: message)
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
