// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import MediaModel
import PlaybackLogic

// `org.fermata.Player1` and `org.fermata.Session1`.
extension AgentService {
  func player() -> BusInterface {
    BusInterface(
      AgentDescriptions.player, call: { [weak self] in try self?.answerPlayer($0) ?? .done },
      get: { [weak self] in self?.playerValue($0) },
      set: { [weak self] name, value, _ in try self?.set(name, to: value) ?? .done })
  }

  func session() -> BusInterface {
    BusInterface(AgentDescriptions.session) { [weak self] name in
      self.flatMap { AgentSession.properties(of: $0.face).first { $0.0 == name }?.1 }
    }
  }

  private func playerValue(_ name: MemberName) -> WireValue? {
    name == "Position" ? AgentPlayer.position(service.position) : AgentPlayer.property(name, of: face)
  }

  private func set(_ name: MemberName, to value: WireValue) throws -> BusReply {
    switch try AgentPlayer.order(set: name, to: value) {
    case .setVolume(let fraction): service.setVolume(fraction)
    case .setRepeat(let choice):
      return try edit { $0.setRepeat(choice) }
    case .setShuffle(let choice):
      return try edit { $0.setShuffle(choice) }
    default: break  // no property asks for anything else
    }
    return .done
  }

  private func edit(_ edit: @escaping @AgentLoop (inout PlayQueue) -> QueueChange) throws -> BusReply {
    try editor.commit { [service] in
      service.edit(edit)
      return .done
    }
  }

  private func answerPlayer(_ call: MethodCall) throws(BusError) -> BusReply {
    switch call.member {
    case "Status": .now([StatusFace(face, position: service.position).wireValue])
    case "ChangeVolume": .now([.double(try changeVolume(call))])
    case "Art": .later { [self] in [.string(try await art(call.arguments))] }
    default: .now(try obey(call))
    }
  }

  private func changeVolume(_ call: MethodCall) throws(BusError) -> Double {
    service.note("bus: \(call.member) from \(call.sender)")
    service.changeVolume(by: try AgentPlayer.volumeChange(call.arguments))
    return service.userVolume
  }

  private func obey(_ call: MethodCall) throws(BusError) -> [WireValue] {
    service.note("bus: \(call.member) from \(call.sender)")
    let waiting = try obey(AgentPlayer.order(call: call.member, call.arguments))
    switch call.member {
    case "Play", "Toggle": return .arguments(waiting)
    case "PlayRandom": return .arguments(service.player.queue.current?.rawValue ?? 0)
    default: return []
    }
  }

  /// Carries out an order. Returns what playing waits for; empty if it doesn't wait. Throws if the order is refused.
  func obey(_ order: PlayerOrder) throws(BusError) -> String {
    try waiting(after: service.order(order))
  }

  /// What playing waits for after an order; empty if it doesn't wait. Throws if the order was refused.
  func waiting(after outcome: OrderOutcome) throws(BusError) -> String {
    guard let refusal = outcome.refusal else {
      // If the server has not failed yet, we are still connecting to it, which takes no time that a person notices.
      let isConnecting = outcome.waiting == .server && service.lastServerError == nil
      return isConnecting ? "" : outcome.waiting?.text ?? ""
    }
    if refusal == .noOutput, !service.isServerThere {
      throw AgentError.noServer(service.lastServerError ?? "no sound server answers; start one")
    }
    throw AgentError.refused(refusal.rawValue)
  }

  private func art(_ arguments: [WireValue]) async throws(BusError) -> String {
    let (item, size) = try AgentPlayer.art(asked: arguments)
    if let item { throw AgentError.refused("item:\(item.rawValue): there is no library to look it up in") }
    guard size == nil else {
      throw AgentError.refused("pictures are not made in other sizes; ask for none to have it as it is")
    }
    guard let current = service.player.queue.current.flatMap(service.player.queue.entry) else {
      throw AgentError.refused(Refusal.nothingCurrent.rawValue)
    }
    guard let url = await items.itemOnceRead(current).artURL else {
      throw AgentError.refused("there is no picture")
    }
    return url
  }
}
