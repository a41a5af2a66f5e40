// SPDX-License-Identifier: MIT
import FermataCommands

runFermata(CommandWords.ofThisProcess())
