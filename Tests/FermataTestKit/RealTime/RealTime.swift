// SPDX-License-Identifier: MIT
// The bench uses the kit too, and is built as a release, where there is no Testing.
#if canImport(Testing)
  package import Testing

  /// For suites that hear sound as it plays: a stream that is not filled in time is a gap in what they record.
  ///
  /// Two such suites run at a time, each with its tests one after another on a thread of its own. The threads that the
  /// other tests share are as many as there are processors, and a test that computes for seconds holds one as long:
  /// whoever had to go on there would come late.
  package struct RealTime: SuiteTrait, TestScoping {
    /// Waits for a thread, and runs the whole suite on it.
    package func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      let thread = await Turn.shared.take()
      defer { Turn.shared.pass(thread) }
      try await withTaskExecutorPreference(thread) { try await function() }
    }
  }

  extension Trait where Self == RealTime {
    /// Runs the suite beside one other that hears sound at most, on a thread of its own. Goes with `.serialized`.
    package static var realTime: Self { Self() }
  }
#endif
