// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

/// Runs what the words of the command line ask for, and answers the exit code.
func benchmarks(_ words: [String]) -> Int32 {
  if let role = words.first.flatMap(Role.init(word:)) { return role.run(Array(words.dropFirst())) }
  do {
    let options = try Options(words)
    if options.wantsHelp { return printHelp() }
    var report = Report(asJSON: options.wantsJSON)
    for group in options.groups { report.add(group, options.bench.figures(of: group)) }
    report.finish()
    return 0
  } catch {
    write("fermata-bench: \(error)\n", to: STDERR_FILENO)
    return 64
  }
}

private func printHelp() -> Int32 {
  write(Options.help, to: STDOUT_FILENO)
  return 0
}

/// Writes text to a descriptor, whole.
func write(_ text: String, to descriptor: Int32) {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    bytes = bytes.dropFirst(count)
  }
}
