// SPDX-License-Identifier: MIT
import PlaybackLogic
import Testing

@testable import FermataAgent

@Suite("When entries that could not be read are tried again")
struct ItemRetriesTests {
  private let entries = (1...3).map(EntryID.init(rawValue:))

  /// Tries without success until nothing is due any more; returns when.
  private func tries(_ retries: inout ItemRetries) -> [Duration] {
    var times: [Duration] = []
    while let due = retries.due, times.count < 100 {
      times.append(due)
      guard let entry = retries.take(at: due) else { break }
      retries.failed(entry, at: due)
    }
    return times
  }

  @Test("each wait is twice the one before, and after some twenty minutes it is given up")
  func waits() {
    var retries = ItemRetries()
    #expect(retries.due == nil)
    retries.failed(entries[0], at: .seconds(100))
    #expect(tries(&retries) == [110, 130, 170, 250, 410, 730, 1_370].map { .seconds($0) })
    #expect(retries.contains(entries[0]) && retries.take(at: .seconds(9_999)) == nil)
    retries.beginAnew(at: .seconds(10_000))
    #expect(Array(tries(&retries).prefix(3)) == [10_000, 10_010, 10_030].map { .seconds($0) })
    retries.beginAnew(at: .seconds(20_000))
    retries.beginAnew(at: .seconds(20_001))
    #expect(retries.due == .seconds(20_000), "what is tried already goes on as it was")
  }

  @Test("one is tried at a time, each in turn, however many wait")
  func turns() {
    var retries = ItemRetries()
    for entry in entries { retries.failed(entry, at: .zero) }
    #expect(retries.take(at: .seconds(9)) == nil)
    var tried: [EntryID] = []
    for _ in 0..<4 {
      guard let due = retries.due, let entry = retries.take(at: due) else { break }
      #expect(retries.due == nil, "until it is known what came of it")
      tried.append(entry)
      retries.failed(entry, at: due)
    }
    #expect(tried == [entries[0], entries[1], entries[2], entries[0]])
  }

  @Test("when one could be read, the others are tried at once; when all could, none is")
  func success() {
    var retries = ItemRetries()
    for entry in entries { retries.failed(entry, at: .zero) }
    retries.succeeded(entries[1], at: .seconds(3))
    #expect(retries.due == .seconds(3) && retries.take(at: .seconds(3)) == entries[0])
    retries.failed(entries[0], at: .seconds(4))
    #expect(retries.due == .seconds(14), "the shortest wait")
    retries.succeeded(entries[2], at: .seconds(5))
    #expect(retries.take(at: .seconds(5)) == entries[0])
    retries.succeeded(entries[0], at: .seconds(6))
    #expect(retries.due == nil && !entries.contains(where: retries.contains))
  }

  @Test("another that can't be read begins with the shortest wait, also after all was given up")
  func another() {
    var retries = ItemRetries()
    retries.failed(entries[0], at: .zero)
    _ = tries(&retries)
    retries.failed(entries[1], at: .seconds(5_000))
    #expect(retries.due == .seconds(5_010))
  }

  @Test("what was dropped is not tried")
  func drop() {
    var retries = ItemRetries()
    for entry in entries.prefix(2) { retries.failed(entry, at: .zero) }
    retries.drop(entries[0], at: .zero)
    #expect(retries.take(at: .seconds(10)) == entries[1])
    retries.failed(entries[1], at: .seconds(10))
    retries.drop(entries[1], at: .seconds(11))
    #expect(retries.due == nil)
    // One that is dropped while it is tried leaves its place to the others.
    for entry in entries { retries.failed(entry, at: .seconds(20)) }
    #expect(retries.take(at: .seconds(30)) == entries[0])
    retries.drop(entries[0], at: .seconds(31))
    #expect(retries.due == .seconds(51) && retries.take(at: .seconds(51)) == entries[1])
  }
}
