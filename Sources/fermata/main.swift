// SPDX-License-Identifier: MIT
import FermataCommands
import Glibc

exit(runFermata(Array(CommandLine.arguments.dropFirst())))
