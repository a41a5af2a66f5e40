// SPDX-License-Identifier: MIT
import FermataCommands
import SoundCommands

runSoundCommand(CommandWords.ofThisProcess())
