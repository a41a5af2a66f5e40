// SPDX-License-Identifier: MIT
import FermataReader
import Glibc

exit(
  ReaderLoop.run(
    Array(CommandLine.arguments.dropFirst()),
    replacing: { read in
      { file, facts, wanted in Planted.act(on: file, facts, wanted, orElse: read) }
    }))
