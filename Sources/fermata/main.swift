// SPDX-License-Identifier: MIT
import FermataCommands

runFermata(Array(CommandLine.arguments.dropFirst()))
