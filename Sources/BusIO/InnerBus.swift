// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusModel

/// Works as a bus inside this process: objects are called, and their signals are heard.
///
/// Answers and signals are delivered in the order in which they were made, and only after the present turn of the loop, as they would be by a socket.
/// So nobody hears something old after something new, and no handler is called in the middle of another part's change.
@AgentLoop
package final class InnerBus: ObjectHost {
  /// An answer or a signal that waits for the end of the present turn, when all of them are delivered in their order.
  private enum Parcel {
    case answer(BusName, Result<[WireValue], BusError>)
    case signal(BusSignal)
  }

  private struct Caller {
    let answer: (Result<[WireValue], BusError>) -> Void
    var watches: [UInt64: @AgentLoop () -> Void] = [:]
  }

  private let objects = ObjectTree()
  /// The callers of the calls under way. Each call has a caller of its own, which leaves when nobody waits for the answer any more.
  private var callers: [BusName: Caller] = [:]
  private var listeners: [UInt64: @AgentLoop (BusSignal) -> Void] = [:]
  private var lastNumber: UInt64 = 0
  private var parcels: [Parcel] = []

  package init() {}

  // MARK: For those who call

  /// Calls a method and waits for its answer. Throws the object's error, and `Cancelled` when the task is cancelled; then the object may
  /// still carry out the call.
  package func call(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [WireValue] = []
  ) async throws(BusError) -> [WireValue] {
    let caller = BusName(unchecked: ":0.\(nextNumber())")
    let reply = Promise<Result<[WireValue], BusError>>()
    callers[caller] = Caller { reply.keep($0) }
    answer(caller, path, interface, member, arguments)
    let result = await withTaskCancellationHandler {
      await reply.get()
    } onCancel: {
      // Any thread may cancel, so this goes to the loop as a task.
      AgentLoop.task { self.leave(caller) }
    }
    // As on a bus, a task that was cancelled gets this error even if the answer came before the cancellation was seen.
    if Task.isCancelled { throw Self.cancellation }
    return try result.get()
  }

  private static let cancellation = BusError(.cancelled, "nobody waits for the answer any more")

  /// Calls the handler for each signal, until the returned value is released.
  package func listen(_ handler: @escaping @AgentLoop (BusSignal) -> Void) -> InnerSubscription {
    let number = nextNumber()
    listeners[number] = handler
    return InnerSubscription { [weak self] in self?.listeners[number] = nil }
  }

  private func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  // MARK: For those who answer

  package func export(_ interfaces: [BusInterface], at path: ObjectPath) {
    objects.add(interfaces, at: path)
  }

  package func emit(_ signal: BusSignal, to destination: BusName?) { send(.signal(signal)) }

  package var callersStay: Bool { false }

  package func watch(_ caller: BusName, gone: @escaping @AgentLoop () -> Void) -> (any AnyObject & Sendable)?
  {
    guard callers[caller] != nil else {
      gone()
      return nil
    }
    let number = nextNumber()
    callers[caller]?.watches[number] = gone
    return InnerSubscription { [weak self] in self?.callers[caller]?.watches[number] = nil }
  }

  // MARK: Calls under way

  private func answer(
    _ caller: BusName, _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName,
    _ arguments: [WireValue]
  ) {
    do {
      let method = try objects.method(member, interface, at: path)
      try arguments.check(as: method.description.inputs.map(\.type))
      let call = MethodCall(
        sender: caller, path: path, interface: interface, member: member, arguments: arguments,
        isReplyWanted: true)
      switch try method.handler(call) {
      case .now(let values): send(.answer(caller, .success(try method.checked(values))))
      case .later(let body): start(body, of: method, for: caller)
      }
    } catch {
      send(.answer(caller, .failure(BusError(any: error))))
    }
  }

  private func start(
    _ body: @escaping BusReply.Body, of method: BusInterface.Method, for caller: BusName
  ) {
    AgentLoop.task {
      let result: Result<[WireValue], BusError>
      do { result = .success(try method.checked(try await body())) } catch {
        result = .failure(BusError(any: error))
      }
      self.send(.answer(caller, result))
    }
  }

  /// Makes a caller leave, because nobody waits for the answer to its call any more.
  private func leave(_ name: BusName) {
    guard let caller = callers.removeValue(forKey: name) else { return }
    caller.answer(.failure(Self.cancellation))
    for gone in caller.watches.values { gone() }
  }

  // MARK: On the way

  private func send(_ parcel: Parcel) {
    parcels.append(parcel)
    if parcels.count == 1 { AgentLoop.after(.zero) { self.deliver() } }
  }

  private func deliver() {
    let all = parcels
    parcels = []
    for parcel in all {
      switch parcel {
      case .answer(let caller, let result):
        callers.removeValue(forKey: caller)?.answer(result)
      case .signal(let signal):
        // A handler may end the subscriptions of others.
        for number in listeners.keys.sorted() { listeners[number]?(signal) }
      }
    }
  }
}

/// A subscription to the signals of an inner bus. It ends when it is cancelled or released.
@AgentLoop
package final class InnerSubscription {
  private var end: (@AgentLoop () -> Void)?

  init(_ end: @escaping @AgentLoop () -> Void) { self.end = end }

  isolated deinit { cancel() }

  /// Ends the subscription: the handler is not called any more. Calling this again does nothing.
  package func cancel() {
    end?()
    end = nil
  }
}

/// A place where objects are offered to callers: a connection to a bus, or a bus inside this process. The code that answers calls need not know which
/// of the two it is.
@AgentLoop
package protocol ObjectHost: AnyObject, Sendable {
  /// Makes an object available to callers. Its standard interfaces are added and answered here.
  /// Traps if a described method or property has no handler, or if there is an object at this path already: both are bugs.
  func export(_ interfaces: [BusInterface], at path: ObjectPath)

  /// Sends a signal to everybody who asked for it, or to one caller only. Throws if it can't be sent.
  func emit(_ signal: BusSignal, to destination: BusName?) throws(BusError)

  /// Whether two calls with the same sender are of the same program, as on a real bus. On the bus inside this process each call has a sender of its own,
  /// which is gone when the call is answered.
  var callersStay: Bool { get }

  /// Calls `gone` once when this caller has left the bus, or now if it has left already. Releasing the returned value ends the watch.
  func watch(_ caller: BusName, gone: @escaping @AgentLoop () -> Void) async -> (any AnyObject & Sendable)?
}

extension ObjectHost {
  /// Sends a signal of an object's interface, by its name and arguments, to everybody who asked for it.
  package func emit(
    _ signal: (MemberName, [WireValue]), of interface: InterfaceDescription, at path: ObjectPath
  ) throws(BusError) {
    try emit(
      BusSignal(path: path, interface: interface.name, member: signal.0, arguments: signal.1), to: nil)
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
        arguments: [.string(interface.text), values, invalidated.map(\.text).wireValue]), to: nil)
  }
}

extension BusConnection: ObjectHost {
  package var callersStay: Bool { true }

  package func watch(
    _ caller: BusName, gone: @escaping @AgentLoop () -> Void
  ) async -> (any AnyObject & Sendable)? {
    let subscription = try? await nameOwnerChanges(of: caller) { if $0.newOwner == nil { gone() } }
    // The caller may have left before the bus was asked to tell of it, or the bus is gone, and all callers with it.
    if (try? await owner(of: caller)) == nil { gone() }
    return subscription
  }
}
