// SPDX-License-Identifier: MIT
import Glibc

// A free function, as the code of this file belongs to the main actor, which nothing runs.
exit(benchmarks(Array(CommandLine.arguments.dropFirst())))
