// SPDX-License-Identifier: MIT
// The benchmark uses the kit too. It is built as a release, where the Testing module doesn't exist.
#if canImport(Testing)
  package import Testing

  extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs, and names it.
    ///
    /// All tests begin at once and share as many threads as there are processors, and a test's clock runs while it waits
    /// for its turn on them: under a sanitizer for the four minutes of the whole run. So this cannot be short.
    package static var endsAnyway: Self { .timeLimit(.minutes(15)) }
  }
#endif
