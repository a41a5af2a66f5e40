// SPDX-License-Identifier: MIT
// The benchmark uses the kit too. It is built as a release, where the Testing module doesn't exist.
#if canImport(Testing)
  package import Testing

  /// A trait for suites that record sound while it plays. If a stream is not filled in time, the recording has a gap.
  ///
  /// A few such suites run at a time, each on a thread of its own with its tests one after another; see `Turn`. The other
  /// tests share as many threads as there are processors. A test that computes for seconds occupies one of them that
  /// long, and a test that waits for that thread would be late.
  package struct RealTime: SuiteTrait, TestScoping {
    /// Whether the suite takes minutes.
    fileprivate var isLong = false

    /// Waits for a free thread, and runs the whole suite on it.
    package func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
      BusyThreads.giveWay()
      let thread = await Turn.shared.take(isLong: isLong)
      defer { Turn.shared.pass(thread) }
      try await withTaskExecutorPreference(thread) { try await function() }
    }
  }

  extension Trait where Self == RealTime {
    /// Runs the suite on a thread of its own, together with at most four other suites that record sound. Use it with
    /// `.serialized`.
    package static var realTime: Self { Self() }

    /// The same for a suite that takes minutes. It begins before the shorter ones.
    package static var longRealTime: Self { Self(isLong: true) }
  }
#endif
