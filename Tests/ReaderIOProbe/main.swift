// SPDX-License-Identifier: MIT
import FermataLoudness
import FermataReader
import FileIO
import Glibc

// Without a role it is the process that measures loudness.
if CommandLine.arguments.count == 1 { exit(LoudnessLoop.run { Planted.act(on: $0) }) }
exit(
  ReaderLoop.run(
    Array(CommandLine.arguments.dropFirst()),
    replacing: { read in
      { file, facts, wanted in Planted.act(on: file, facts, wanted, orElse: read) }
    }))
