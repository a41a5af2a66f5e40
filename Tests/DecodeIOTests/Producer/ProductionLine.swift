// SPDX-License-Identifier: MIT
import AudioModel

@testable import DecodeIO

/// A production whose events and frames are looked at after each order.
final class ProductionLine {
  private(set) var log: [String] = []
  private(set) var segments: [SoundSegment] = []
  private lazy var production = Production(buffer: .seconds(4)) { [unowned self] event in self.note(event) }

  func apply(_ orders: Production.Order...) { for order in orders { production.apply(order) } }

  /// Works until there is nothing to do.
  func work() { while production.step() == .progress {} }

  /// Works until this track has begun.
  func work(untilBegun track: Int) {
    while !log.contains(where: { $0.hasPrefix("began \(track) ") }), production.step() == .progress {}
  }

  /// Counts a segment that was made before the first order.
  func note(_ segment: SoundSegment) { segments.append(segment) }

  private func note(_ event: ProducerEvent) {
    switch event {
    case .began(let part, let segment):
      if segments.last !== segment { segments.append(segment) }
      log.append("began \(part.play) at \(segments.count - 1):\(part.start)")
    case .more: break
    case .failed(let track, _): log.append("failed \(track)")
    case .broke(let track, _): log.append("broke \(track)")
    case .exhausted(let track): log.append("exhausted \(track)")
    case .cut(let segment, let frame):
      log.append("cut \(segments.firstIndex { $0 === segment } ?? -1):\(frame)")
    }
  }

  func take(_ frames: Int, from segment: Int = 0) -> [Int] {
    takeSamples(frames, from: segment).map { Int($0) }
  }

  func takeSamples(_ frames: Int, from segment: Int = 0) -> [Float] {
    [Float](capacity: frames) { _ = segments[segment].take(upTo: frames, into: &$0) }
  }
}
