// SPDX-License-Identifier: MIT
import PlaybackLogic
import Testing

/// Gives a whole suite one agent: its tests begin with `MPRISStage.begin`, and a table of fifty rows starts no fifty servers.
struct SharedStage: SuiteTrait, TestScoping {
  @TaskLocal static var current: MPRISStage?

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let stage = try MPRISStage()
    try await Self.$current.withValue(stage) { try await function() }
    try stage.stop()
  }
}

extension Trait where Self == SharedStage {
  /// One agent for all tests of the suite. Goes behind `.serialized, .realTime`.
  static var sharedStage: Self { Self() }
}

/// The suite's agent, at its beginning.
func mprisStage(_ setting: MPRISStage.Setting) throws -> (MPRISStage, MPRISClient, [EntryID]) {
  let stage = try #require(SharedStage.current)
  let entries = try stage.begin(setting)
  return (stage, stage.client, entries)
}
