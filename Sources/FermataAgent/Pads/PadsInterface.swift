// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import MediaModel
import PadModel

/// The sound pads, which play short samples beside the music, on our own D-Bus interface.
@AgentLoop
final class PadsInterface {
  private let host: any ObjectHost
  private let pads: PadService
  /// The state that the last signal told.
  private var told: PadsFace?

  /// The interface of `pads`; its signals are sent through `host`.
  init(_ host: any ObjectHost, _ pads: PadService) { (self.host, self.pads) = (host, pads) }

  /// The pads' D-Bus interface, whose calls this object answers.
  func interface() -> BusInterface {
    var interface = BusInterface(AgentDescriptions.pads)
    interface.answer(AgentPads.Method.self) { [weak self] call, _ in try self?.answer(call) ?? .done }
    return interface
  }

  /// The same interface for an agent that has no pads: every call is answered with this error.
  static func refused(with error: BusError) -> BusInterface {
    BusInterface(AgentDescriptions.pads, refusingWith: error)
  }

  /// Sends a signal with the present state of the pads, unless the last one told the same.
  func changed() {
    let face = face
    guard face != told else { return }
    told = face
    try? host.emit(AgentPads.changed(face), of: AgentDescriptions.pads, at: AgentDescriptions.path)
  }

  // MARK: Calls

  private func answer(_ asked: AgentPads.Call) throws -> BusReply {
    switch asked {
    case .hit(let pad) where pads.isLoaded:
      try hit(pad)
      return .done
    case .hit(let pad):
      return loaded { this throws(BusError) in
        try this.hit(pad)
        return []
      }
    case .stop where !pads.isLoading:
      pads.silence()
      return .done
    // Hits may wait for the kit: they came before.
    case .stop:
      return loaded {
        $0.pads.silence()
        return []
      }
    case .list:
      return loaded { this throws(BusError) in
        await this.pads.lookForKitAgain()
        return [this.face.wireValue]
      }
    case .prepare:
      return loaded { this throws(BusError) in
        await this.pads.lookForKitAgain()
        this.pads.prepare()
        return [this.face.wireValue]
      }
    case .load(let folder):
      return .later { [self] in
        do throws(KitError) { try await pads.load(folder) } catch { throw Self.refusal(error) }
        return [face.wireValue]
      }
    case .setVolume(let pad, let volume):
      return loaded { this throws(BusError) in
        await this.pads.set(volume: volume, of: try pad.map(this.index))
        return []
      }
    }
  }

  /// An answer that `body` makes when the kit is loaded, which happens when the pads are used for the first time.
  private func loaded(
    _ body: @escaping @AgentLoop (PadsInterface) async throws(BusError) -> [WireValue]
  ) -> BusReply {
    .later { [self] in
      await pads.untilLoaded()
      return try await body(self)
    }
  }

  private func hit(_ number: PadNumber) throws(BusError) {
    // Without a kit, `hit` refuses every number with that reason, so the number is not looked at.
    let pad = pads.kit == nil ? 0 : try index(of: number)
    guard let refusal = pads.hit(pad) else { return }
    switch refusal {
    case .noServer: throw AgentError.noServer(refusal.text)
    case .noStream, .noOutput, .interrupted, .noKit: throw AgentError.refused(refusal.text)
    }
  }

  /// The pad's place in the kit, counted from 0.
  private func index(of number: PadNumber) throws(BusError) -> Int {
    let count = pads.kit?.kit.pads.count ?? 0
    guard (1...max(1, count)).contains(Int(number.rawValue)), count > 0 else {
      throw AgentError.noSuchItem("there is no pad \(number.rawValue); the kit has \(count)")
    }
    return Int(number.rawValue) - 1
  }

  private static func refusal(_ error: KitError) -> BusError {
    switch error.kind {
    case .mistake: AgentError.badSettings("\(error)")
    case .missing: AgentError.noSuchFile("\(error)")
    case .unplayable: AgentError.nothingPlayable("\(error)")
    case .unresponsive: AgentError.tryAgain("\(error)")
    }
  }

  // MARK: What others see

  private var face: PadsFace {
    let refusal = pads.refusal
    let kit = pads.kit
    return PadsFace(
      kit: KitFace(name: kit?.kit.name ?? "", folder: kit?.folder?.text), isEnabled: refusal == nil,
      why: refusal?.word, reason: refusal?.text, volume: pads.volume,
      pads: (kit?.kit.pads ?? []).enumerated().map { index, pad in
        PadFace(
          number: PadNumber(rawValue: UInt32(index + 1)), name: pad.name, colour: pad.colour?.text,
          volume: pads.volume(of: index), polyphony: pad.polyphony, choke: pad.choke)
      })
  }
}

extension PadRefusal {
  /// Why a hit is refused, as a text for people.
  fileprivate var text: String {
    switch self {
    case .noServer(let reason): "no sound server answers (\(reason)); start one"
    case .noStream(let reason): "the sound server makes no stream for the pads (\(reason)); it is asked again"
    case .noOutput: "there is no output that anyone could hear"
    case .interrupted: PlainWords.padsAreSilent + PlainWords.goesOn(word)
    case .noKit(let reason): "there is no kit (\(reason)); load another with 'fermata pads load'"
    }
  }
}
