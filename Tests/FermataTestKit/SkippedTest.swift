// SPDX-License-Identifier: MIT

// The benchmark uses the kit too. It is built as a release, where the Testing module doesn't exist.
#if canImport(Testing)
  import Testing
#endif

/// Ends the running test as skipped.
package func skipTest(because reason: String) throws -> Never {
  #if canImport(Testing) && compiler(>=6.3)
    try Test.cancel("\(reason)")
  #else
    throw KitError("\(reason)\nSwift before 6.3 cannot skip a test that has begun, so this one fails.")
  #endif
}
